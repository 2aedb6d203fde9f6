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
    """Talk, on stderr."""
    typer.echo(text, err=True)


def print_json(value: Any) -> None:
    """Data as JSON on stdout."""
    import json

    typer.echo(json.dumps(value, ensure_ascii=False, indent=1))
