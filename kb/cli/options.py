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


KindName = Literal["evaluation", "change", "component", "deployment"]
"""kb.vocabulary.Kind, spelt out: importing every closed list would slow each start."""
Format = Literal["text", "json", "github"]
"""Formats of findings."""


def config(root: Path | None) -> Config:
    """The base named, or the nearest one upwards."""
    from kb.config import find_root, read

    return read(root.absolute() if root else find_root(Path.cwd()))


def workspace(root: Path | None, quiet: bool = False) -> Workspace:
    """The base, opened, its derived file up to date."""
    from kb.workspace import Workspace

    return Workspace(config(root), say=None if quiet else say)


def say(text: str) -> None:
    """Talk, on stderr."""
    typer.echo(text, err=True)


def print_json(value: Any) -> None:
    """Data as JSON on stdout."""
    import json

    typer.echo(json.dumps(value, ensure_ascii=False, indent=1))
