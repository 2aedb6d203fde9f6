"""Options that several commands have, and opening the base they speak of."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from kb.config import Config
    from kb.workspace import Workspace

Root = Annotated[
    Path | None,
    typer.Option("--root", metavar="DIR", help="Knowledge base; without it the nearest folder upwards with kb.toml."),
]
Json = Annotated[bool, typer.Option("--json", help="JSON on stdout.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say less.")]
For = Annotated[
    list[str] | None,
    typer.Option(
        "--for", metavar="DEPLOYMENT", help="Deployment, files that describe one (prefill=FILE), or a command line."
    ),
]
At = Annotated[
    list[str] | None,
    typer.Option("--at", metavar="[SIDE:]COMPONENT=VERSION", help="Version, commit or image:DIGEST to ask about."),
]


KINDS = ("evaluation", "change", "component", "deployment")
"""kb.vocabulary.Kind, spelt out: importing every closed list would slow each start."""


def kind(text: str) -> str:
    """A kind of record as somebody types it: evaluations, Evaluation. Raises a usage error with the nearest."""
    return _one_of(text, KINDS)


def new_kind(text: str) -> str:
    """What `kb new` makes: a record, or a translation of one."""
    return _one_of(text, (*KINDS, "translation"))


def _one_of(text: str, kinds: tuple[str, ...]) -> str:
    folded = text.casefold()
    if (found := folded.removesuffix("s")) in kinds:
        return found
    from kb.suggest import nearest

    near = nearest(folded, kinds)
    guess = f" Did you mean {near}?" if near else ""
    raise typer.BadParameter(f"'{text}' is not one of {', '.join(kinds)}.{guess}")


def language(text: str | None) -> str | None:
    """`ja` of JA, ja-JP or ja_JP.UTF-8."""
    return text.casefold().replace("_", "-").partition("-")[0] if text else None


Format = Literal["text", "json", "github"]
"""Formats of findings."""


SHIPPED = Path("shipped")
"""`--root shipped`: the base that comes with kb."""


def reading(root: Path | None, quiet: bool = False) -> Workspace:
    """The base to read: the one named, the nearest one upwards, or the shipped one, which stays as it is."""
    from kb.config import shipped_config
    from kb.errors import NoBase
    from kb.workspace import Workspace, cache

    tell = None if quiet else say
    if root != SHIPPED or root.is_dir():
        try:
            return Workspace(config(root), tell)
        except NoBase:
            if root is not None:
                raise
        say("kb: no base here; reading the one that comes with kb") if tell else None
    return Workspace(shipped_config(), tell, cache())


def config(root: Path | None) -> Config:
    """The base named, or the nearest one upwards."""
    from kb.config import find_root, read

    return read(root.absolute() if root else find_root(Path.cwd()))


def say(text: str) -> None:
    """Talk, on stderr; a file's name or a record's words in it must not steer the terminal."""
    typer.echo(text if text.isprintable() else _still(text), err=True)


def _still(text: str) -> str:
    import re

    return re.sub(rf"(\x1b\[(?:0|1|2|31|33)m)|[\x00-\x08\x0b-\x1f]|{_STEERING}", lambda found: found[1] or "", text)


_STEERING = "[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
"""What steers a terminal or turns the order of its letters, and what is no text; JSON may spell each out."""


def print_json(value: Any) -> None:
    """Data as JSON on stdout: readable letters as they are, nothing that a terminal would obey."""
    import json
    import re

    try:
        text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=False, indent=1)
    typer.echo(re.sub(_STEERING, lambda found: f"\\u{ord(found[0]):04x}", text))


def _finite(value: Any) -> Any:
    """The value with "inf" for numbers without an end, which JSON does not have."""
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return str(value) if isinstance(value, float) and value - value != 0 else value
