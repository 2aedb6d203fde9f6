"""kb.toml: where a base's entries are, and which other bases it mounts read-only."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from kb.errors import BadConfig, NoBase
from kb.suggest import did_you_mean

FILE = "kb.toml"
SHIPPED = "shipped"
"""The mount that stands for the base that comes with the tool."""


@dataclass(frozen=True, slots=True)
class Base:
    """A folder of entries. `name` is '' for the base itself, the mount's name for a mounted one."""

    root: Path
    entries: Path
    name: str = ""

    @property
    def read_only(self) -> bool:
        return bool(self.name)


@dataclass(frozen=True, slots=True)
class Config:
    """A base and what it mounts."""

    base: Base
    mounts: tuple[Base, ...] = ()

    @property
    def bases(self) -> tuple[Base, ...]:
        """The base first, then its mounts: an own record goes before a mounted one of the same id."""
        return (self.base, *self.mounts)


def find_root(start: Path) -> Path:
    """The nearest folder upwards with a kb.toml. Raises NoBase."""
    for folder in (start, *start.parents):
        if (folder / FILE).is_file():
            return folder
    raise NoBase(f"no knowledge base at or above {start}", "make one with `kb init DIR`, or name one with --root DIR")


def read(root: Path) -> Config:
    """Read a base's kb.toml. Raises NoBase or BadConfig."""
    file = root / FILE
    if not file.is_file():
        raise NoBase(f"no {FILE} in {root}", "make a base with `kb init DIR`")
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:  # TOML, text and number errors are all ValueErrors
        what = "nested too deeply" if isinstance(error, RecursionError) else error
        raise BadConfig(f"{file}: not readable as TOML: {what}", 'it says [base] and mounts = ["shipped"]') from None
    section = table.get("base", {})
    _known(file, table, {"base"})
    _known(file, section, {"entries", "mounts"})
    base = Base(root, _entries(file, section))
    mounts = section.get("mounts", [])
    if not isinstance(mounts, list) or not all(isinstance(mount, str) for mount in mounts):
        raise BadConfig(f"{file}: mounts is not a list of folder names", 'write mounts = ["shipped"]')
    return Config(base, tuple(_mount(file, root, mount) for mount in mounts))


def _entries(file: Path, section: dict[str, object]) -> Path:
    """The folder that `entries` names; without the key it may come later."""
    named = section.get("entries", "entries")
    if not isinstance(named, str) or not named:
        raise BadConfig(f"{file}: entries is not the name of a folder", 'write entries = "entries"')
    folder = file.parent / named
    if "entries" in section and not folder.is_dir():
        raise BadConfig(f'{file}: entries = "{named}" is no folder', "make it, or name the folder of the records")
    return folder


def _known(file: Path, table: object, names: set[str]) -> None:
    if not isinstance(table, dict):
        raise BadConfig(f"{file}: [base] is not a table")
    for key in table:
        if key not in names:
            raise BadConfig(
                f"{file}: unknown key {key}", did_you_mean(key, names) or f"keys: {', '.join(sorted(names))}"
            )


def _mount(file: Path, root: Path, mount: str) -> Base:
    if mount == SHIPPED:
        return Base(shipped_root(), shipped_root() / "entries", SHIPPED)
    folder = (root / mount.replace("\0", " ")).resolve()
    if folder == root.resolve():
        raise BadConfig(f"{file}: the base mounts itself", "leave it out of mounts")
    if not folder.is_dir():
        raise BadConfig(
            f"{file}: mounted base {mount} is not a folder",
            'paths are relative to kb.toml; "shipped" is the built-in one',
        )
    return Base(folder, _entries_of(folder), folder.name)


def _entries_of(folder: Path) -> Path:
    """Where a mounted base has its entries; what it mounts itself is not mounted here."""
    file = folder / FILE
    if not file.is_file():
        return folder
    try:
        section = tomllib.loads(file.read_text(encoding="utf-8-sig")).get("base", {})
    except (ValueError, RecursionError) as error:
        raise BadConfig(f"{file}: not readable as TOML: {error}", "mend the mounted base, or leave it out") from None
    return _entries(file, section if isinstance(section, dict) else {})


def shipped_config() -> Config:
    """The base that comes with the tool, on its own and only to be read."""
    return Config(Base(shipped_root(), shipped_root() / "entries", SHIPPED))


def shipped_root() -> Path:
    """Folder of the base that comes with the tool: inside the package when installed, the checkout otherwise."""
    package = Path(__file__).resolve().parent
    packed = package / "_shipped"
    return packed if packed.is_dir() else package.parent
