"""Releases made of a few lines, and what a scan says of them."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent

from kb.component import Component
from kb.scan import Report, Tree, scan
from kb.scan.match import Matched, match
from kb.scan.symbols import Module, module

FILE = "pkg/worker.py"


def tree(files: str | Mapping[str, str], label: str = "1.0") -> Tree:
    """A release of the files given; one text is one file."""
    texts = {FILE: files} if isinstance(files, str) else files
    content = {path: dedent(text).encode() for path, text in texts.items()}
    return Tree(label, tuple(sorted(content)), content.__getitem__)


def component(*globs: str, **more: object) -> Component:
    """A component whose code is under the patterns; `pkg/**` without any."""
    paths = tuple({"glob": glob} for glob in globs or ("pkg/**",))
    return Component.model_validate(
        {"id": "push", "title": "Push", "kind": "connector", "ships_in": "dist", "paths": paths, **more}
    )


def scanned(old: str | Mapping[str, str], new: str | Mapping[str, str], of: Component | None = None) -> Report:
    """A scan of two releases, 1.0 and 2.0."""
    return scan(tree(old, "1.0"), tree(new, "2.0"), of or component())


def modules(files: str | Mapping[str, str]) -> list[Module]:
    made = tree(files)
    return [module(path, made.text(path)) for path in made.paths]


def matched(old: str | Mapping[str, str], new: str | Mapping[str, str]) -> Matched:
    return match(modules(old), modules(new))


def statuses(old: str | Mapping[str, str], new: str | Mapping[str, str]) -> dict[str, str]:
    """Name -> status, without what is unchanged."""
    return {each.name: each.status.value for each in matched(old, new).matches if each.status.value != "unchanged"}


def kinds(old: str | Mapping[str, str], new: str | Mapping[str, str]) -> dict[str, str]:
    """Name -> status and kind, without what is untouched."""
    found = scanned(old, new).symbols
    return {each.name: f"{each.status} {each.kind}" for each in found if each.kind}
