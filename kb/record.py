"""New records and new bases: never over something that is there."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.completeness import missing_facts
from kb.config import FILE, Base, Config
from kb.errors import KbError, NotFound, RecordError, WriteRefused
from kb.evaluation import Evaluation
from kb.files import alone, write_text
from kb.library import MODELS, Library
from kb.places import FOLDERS, is_translation, shown_path
from kb.reading import read
from kb.suggest import did_you_mean
from kb.template import template, translation
from kb.vocabulary import Kind

ID = re.compile(r"[a-z0-9][a-z0-9.\-]{0,79}")
"""What an id is (kb.model.Id)."""

ASKED = {
    Kind.CHANGE: {
        "component": "the thing that changes; `kb search kind:component` lists the known ones",
        "url": "where it was proposed; nobody can check it otherwise",
        "ships": "a merge date is no release: which artifacts carry it, and what was looked for in them",
        "guards": "when it is reached; without guards it touches everybody",
        "dimensions": "what it alters; a claim is touched only through what it rests on",
        "symbols": "functions it changes, to meet the anchors of claims",
    },
    Kind.COMPONENT: {
        "ships_in": "the distribution whose versions say which build it is",
        "classes": "names it is configured by, and who moves the KV under each",
        "paths": "where its code is, so that releases can be compared",
        "releases": "its releases with their days, when it has a distribution of its own",
        "facts": "what releases require, read by default and refuse",
    },
}
"""Facts that a reviewer will ask a record for, with the reason; an evaluation's are in kb.completeness."""


@dataclass(frozen=True, slots=True)
class Made:
    """A record that was begun."""

    path: str
    missing: tuple[tuple[str, str], ...]
    """Facts a reviewer will ask for, and why."""

    def as_dict(self) -> dict[str, Any]:
        """The keys cli.md promises."""
        return {"path": self.path, "missing": [fact for fact, _ in self.missing], "why": dict(self.missing)}


def create(config: Config, kind: Kind, id_: str) -> Made:
    """Write the template of a new record. Raises WriteRefused rather than overwrite or hide anything."""
    path = free_path(config, kind, id_)
    text = template(kind, id_, _likely_component(config, id_))
    with alone(path.parent):
        _check_free(path, config.base)
        write_text(path, text)
    return Made(from_here(path), tuple(_missing(kind, id_, text)))


def record_path(base: Base, kind: Kind, id_: str) -> Path:
    """File of a record."""
    folder = f"{kind}s"
    return base.entries / folder / f"{id_}{FOLDERS[folder]}"


def translate(config: Config, library: Library, id_: str, language: str) -> Made:
    """Write what is to be translated of an evaluation. Raises NotFound, or WriteRefused rather than overwrite."""
    original = library.evaluations.get(id_)
    if original is None:
        for each in library.findings:
            if each.path.endswith(f"/evaluations/{id_}.md"):
                raise RecordError(each.code, each.path, each.line, each.message, each.hint)
        raise NotFound(f'no evaluation is called "{id_}"', did_you_mean(id_, library.evaluations))
    if not re.fullmatch(r"[a-z]{2}", language):
        raise KbError(f'"{language}" is no language', "two letters: --lang ja")
    if (id_, language) in library.translations or language == original.language:
        raise WriteRefused(f"{id_} is there in {language} already", "`kb show ID --lang LANG` reads it")
    path = config.base.entries / "evaluations" / f"{id_}.{language}.md"
    _check_free(path, config.base)
    write_text(path, translation(original, language))
    return Made(from_here(path), ())


def free_path(config: Config, kind: Kind, id_: str) -> Path:
    """Where a new record goes. Raises KbError for what is no id, WriteRefused where any record has it."""
    if not ID.fullmatch(id_):
        raise KbError(f'"{id_}" cannot be an id', "lower-case letters, digits, dots and hyphens; at most 80")
    if kind is Kind.EVALUATION and is_translation(f"{id_}.md"):
        original, language = id_[:-3], id_[-2:]
        hint = f"to translate it, kb new translation {original} --lang {language}"
        raise KbError(f'"{id_}" would be a translation of {original} by its file name', hint)
    for base in config.bases:
        for each in Kind:
            there = record_path(base, each, id_)
            if os.path.lexists(there):
                where = f"in the mounted base {base.name}, which is read-only" if base.read_only else "there"
                again = "" if base.read_only or each is not kind else ", or remove it to begin again"
                raise WriteRefused(f"{shown_path(there, base)} is already {where}", f"choose another id{again}")
    path = record_path(config.base, kind, id_)
    _check_free(path, config.base)
    return path


def _check_free(path: Path, base: Base) -> None:
    if os.path.lexists(path):
        raise WriteRefused(f"{shown_path(path, base)} is already there", "edit it, or choose another id")
    if path.parent.exists() and not os.access(path.parent, os.W_OK):
        raise WriteRefused(f"{path.parent} cannot be written", "make a base of your own with `kb init DIR`")


def from_here(path: Path) -> str:
    """Path from where the user stands, where that is shorter."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def _likely_component(config: Config, id_: str) -> str:
    """The known component whose id the new id begins with (`vllm` for vllm-12345-name), else none: never a guess."""
    names = {path.stem for base in config.bases for path in (base.entries / "components").glob("*.yaml")}
    return max((name for name in names if id_.startswith(f"{name}-")), key=len, default="")


def _missing(kind: Kind, id_: str, text: str) -> Iterator[tuple[str, str]]:
    yield from ASKED.get(kind, {}).items()
    if kind is Kind.EVALUATION:
        made = read(MODELS["evaluations"], f"{id_}.md", text).record
        assert isinstance(made, Evaluation)
        yield "question", "two results are rivals only on the same question"
        yield "points", "a claim without numbers is a hypothesis"
        yield "source.relation", "a vendor's figure and an independent one are read differently"
        yield from ((fact.key, fact.why) for fact in missing_facts(made))


KB_TOML = """\
# A knowledge base is any folder with this file.
[base]
entries = "entries"
mounts = ["shipped"]  # the base that comes with kb, read-only: its components, changes, evaluations and words
"""
README = """\
# Our evaluations

Performance evaluations of our serving setups, kept with `kb`. `kb new evaluation NAME` begins one, `kb lint` checks it,
`kb search WORDS` finds it beside the shipped ones.
"""


def _no_folder(path: Path) -> bool:
    return os.path.lexists(path) and not path.is_dir()


def make_base(folder: Path) -> list[Path]:
    """Make a base that mounts the shipped one; the files made. Raises WriteRefused when one of them is there."""
    files = {FILE: KB_TOML, ".gitignore": ".kb/\n/site/\n", "README.md": README}
    files |= {f"entries/{name}/.gitkeep": "" for name in FOLDERS}
    if folder.exists() and not folder.is_dir():
        raise WriteRefused(f"{folder} is a file", "name a folder")
    there = [name for name in files if os.path.lexists(folder / name)]
    there += [name for name in ("entries", *(f"entries/{kind}" for kind in FOLDERS)) if _no_folder(folder / name)]
    if there:
        hint = (
            "it is a base already" if FILE in there else f"kb makes {', '.join(list(files)[:3])}; use an empty folder"
        )
        raise WriteRefused(f"{folder / there[0]} is there already", hint)
    for name, text in files.items():
        write_text(folder / name, text)
    return [folder / name for name in files]
