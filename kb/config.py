"""kb.toml: where a base's entries are, and which other bases it mounts read-only."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from kb.errors import BadConfig, NoBase

FILE = "kb.toml"
SHIPPED = "shipped"
"""The mount that stands for the base that comes with the tool."""


class Base(NamedTuple):
    """A folder of entries. `name` is '' for the base itself, the mount's name for a mounted one."""

    root: Path
    entries: Path
    name: str = ""

    @property
    def read_only(self) -> bool:
        return bool(self.name)


class Config(NamedTuple):
    """A base and what it mounts."""

    base: Base
    mounts: tuple[Base, ...] = ()
    site: Mapping[str, Any] = {}
    """What [site] says, as it is written; `kb site build` reads it."""

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
    table = _table(file, 'it says [base] and mounts = ["shipped"]')
    section = table.get("base", {})
    _known(file, table, {"base", "site"})
    _known(file, section, {"entries", "mounts"})
    _known(file, site := table.get("site", {}), {"title", "url"}, "site")
    base = Base(root, _entries(file, section))
    mounts = section.get("mounts", [])
    if not isinstance(mounts, list) or not all(isinstance(mount, str) for mount in mounts):
        raise BadConfig(f"{file}: mounts is not a list of folder names", 'write mounts = ["shipped"]')
    return Config(base, tuple(_mount(file, root, mount) for mount in mounts), site)


def _table(file: Path, hint: str) -> dict[str, Any]:
    """What a kb.toml says. Raises BadConfig."""
    try:
        text = file.read_bytes().decode().removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        found = plain(text)
        if found is None:
            import tomllib  # 3 ms, which no `kb search` has to spend on a file of three lines

            found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOML, text and number errors are all ValueErrors
        what = "nested too deeply" if isinstance(error, RecursionError) else error
        raise BadConfig(f"{file}: not readable as TOML: {what}", hint) from None
    return found


def plain(text: str) -> dict[str, Any] | None:
    """What tomllib reads of a file with nothing but [base], its two keys and comments; None where it takes tomllib."""
    table: dict[str, Any] = {}
    for line in text.split("\n"):
        key, sign, value = (part.strip(" ") for part in line.partition("="))
        if not line.isprintable():
            return None
        if not key or key[0] == "#":
            if sign and not key:
                return None
        elif key == "[base]" and not sign and not table:
            table["base"] = {}
        elif key in ("entries", "mounts") and table and key not in table["base"]:
            table["base"][key] = _value(value)
            if table["base"][key] is None:
                return None
        else:
            return None
    return table


def _value(text: str) -> str | list[str] | None:
    """A text in quotes, or a list of such; None for everything else."""
    if text[:1] != "[" or text[-1:] != "]":
        return _quoted(text)
    items = [_quoted(item.strip(" ")) for item in text[1:-1].split(",")] if text[1:-1].strip(" ") else []
    return None if None in items else [item for item in items if item is not None]


def _quoted(text: str) -> str | None:
    inner = text[1:-1]
    return inner if len(text) > 1 and text[0] == text[-1] == '"' and '"' not in inner and "\\" not in inner else None


def _entries(file: Path, section: dict[str, object]) -> Path:
    """The folder that `entries` names; without the key it may come later."""
    named = section.get("entries", "entries")
    if not isinstance(named, str) or not named:
        raise BadConfig(f"{file}: entries is not the name of a folder", 'write entries = "entries"')
    folder = file.parent / named
    if "entries" in section and not folder.is_dir():
        raise BadConfig(f'{file}: entries = "{named}" is no folder', "make it, or name the folder of the records")
    if "entries" in section and _is_above(folder, file.parent):
        raise _above(file, named)
    return folder


def _is_above(folder: Path, root: Path) -> bool:
    """Whether a base's root lies below a folder: whoever looks through such a one may look through the whole disk."""
    upper = os.path.realpath(folder)
    return os.path.realpath(root).startswith(upper.rstrip("/") + "/")


def _above(file: Path, named: str) -> BadConfig:
    return BadConfig(f'{file}: "{named}" is a folder above the base', "name the folder of the records itself")


def _known(file: Path, table: object, names: set[str], called: str = "base") -> None:
    if not isinstance(table, dict):
        raise BadConfig(f"{file}: [{called}] is not a table")
    for key in table:
        if key not in names:
            from kb.suggest import did_you_mean

            raise BadConfig(
                f"{file}: unknown key {key}", did_you_mean(key, names) or f"keys: {', '.join(sorted(names))}"
            )


def _mount(file: Path, root: Path, mount: str) -> Base:
    if mount == SHIPPED:
        return _shipped()
    folder = (root / mount.replace("\0", " ")).resolve()
    if folder == root.resolve():
        raise BadConfig(f"{file}: the base mounts itself", "leave it out of mounts")
    if not folder.is_dir():
        raise BadConfig(
            f"{file}: mounted base {mount} is not a folder",
            'paths are relative to kb.toml; "shipped" is the built-in one',
        )
    entries = _entries_of(folder)
    if _is_above(entries, root):
        raise _above(file, mount)
    return Base(folder, entries, folder.name)


def _entries_of(folder: Path) -> Path:
    """Where a mounted base has its entries; what it mounts itself is not mounted here."""
    file = folder / FILE
    if not file.is_file():
        return folder
    section = _table(file, "mend the mounted base, or leave it out").get("base", {})
    return _entries(file, section if isinstance(section, dict) else {})


def shipped_config() -> Config:
    """The base that comes with the tool, on its own and only to be read."""
    return Config(_shipped())


def _shipped() -> Base:
    found = Base(shipped_root(), shipped_root() / "entries", SHIPPED)
    if not found.entries.is_dir():
        raise BadConfig(f"the base that comes with kb is not in {found.root}", "install kb as a folder, not zipped")
    return found


def shipped_root() -> Path:
    """Folder of the base that comes with the tool: inside the package when installed, the checkout otherwise."""
    package = Path(__file__).resolve().parent
    packed = package / "_shipped"
    return packed if packed.is_dir() else package.parent
