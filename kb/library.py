"""The records of a base and of what it mounts, read from disk."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from kb.alike import Alike
from kb.change import Change
from kb.collector import patient_collector
from kb.component import Component, Release
from kb.config import Config
from kb.deployment import Deployment
from kb.digests import SUFFIX, Digests, Table
from kb.digests import read as read_table
from kb.errors import KbError
from kb.evaluation import Evaluation, Translation
from kb.files import read_regular
from kb.finding import Finding
from kb.frontmatter import FormError
from kb.model import Model, RecordModel
from kb.places import VOCABULARY, is_mounted, is_translation, record_files, shown_path
from kb.reading import Loaded, Unreadable, no_table, read
from kb.results import FILE as RESULTS
from kb.strays import strays
from kb.terms import Metric, Vocabulary
from kb.vocabulary import Kind

R = TypeVar("R", Evaluation, Change, Component, Deployment)

MAX_FILE = 8 << 20
"""Bytes of one record; larger files are not records."""

MODELS: dict[str, type[Model]] = {
    "evaluations": Evaluation,
    "changes": Change,
    "components": Component,
    "deployments": Deployment,
}
"""Models of the records by folder."""


def model_of(path: Path) -> type[Model]:
    """The model a record file is read with, by its place."""
    if path.name == VOCABULARY:
        return Vocabulary
    model = MODELS[path.parent.name]
    return Translation if model is Evaluation and is_translation(path.name) else model


def read_file(path: Path, shown: str, alike: Alike | None = None) -> Loaded:
    """Read one record file. Raises Unreadable."""
    return read(model_of(path), shown, text_of(path, shown), lambda: table_of(path), alike=alike)


def text_of(path: Path, shown: str) -> str:
    """The text of a record file. Raises Unreadable."""
    try:
        if path.stat().st_size > MAX_FILE:
            raise Unreadable(
                [
                    _file_finding(
                        shown, f"file is larger than {MAX_FILE >> 20} MiB", "attach raw data in the record's folder"
                    )
                ]
            )
        return read_regular(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(
            [_file_finding(shown, f"not UTF-8 text (byte {error.start})", "save the file as UTF-8")]
        ) from None
    except OSError as error:
        raise Unreadable([_file_finding(shown, f"cannot be read: {error.strerror}", None)]) from None


def table_of(path: Path) -> str:
    """The table of points in the record's own folder. Raises FormError."""
    try:
        return read_regular(path.with_suffix("") / RESULTS).decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormError(1, f"not UTF-8 text (byte {error.start})", "save the file as UTF-8") from None
    except FileNotFoundError:
        return no_table()
    except OSError as error:
        raise FormError(1, f"cannot be read: {error.strerror}") from None


def _file_finding(shown: str, message: str, hint: str | None) -> Finding:
    return Finding(shown, 1, "KB101", message, "not-a-record", hint=hint)


@dataclass(frozen=True)
class Library:
    """Every readable record of a base and its mounts, by kind and id, and what was wrong with the rest."""

    loaded: tuple[Loaded, ...]
    findings: tuple[Finding, ...] = ()
    own: frozenset[str] = field(default=frozenset())
    """Shown paths of the base's own records; the rest is mounted."""
    digests: Digests = field(default_factory=Digests)
    """Tables of components' symbols over releases."""
    partial: tuple[Loaded, ...] = ()
    """What is left of own records that have bad values; no reader of records sees it, lint checks its references."""

    @cached_property
    def evaluations(self) -> dict[str, Evaluation]:
        return self._by_id(Evaluation)

    @cached_property
    def changes(self) -> dict[str, Change]:
        return self._by_id(Change)

    @cached_property
    def components(self) -> dict[str, Component]:
        return self._by_id(Component)

    @cached_property
    def deployments(self) -> dict[str, Deployment]:
        return self._by_id(Deployment)

    @cached_property
    def translations(self) -> dict[tuple[str, str], Translation]:
        """Translations by (original's id, language)."""
        found = [each.record for each in self.loaded if isinstance(each.record, Translation)]
        return {(each.translates, each.language): each for each in reversed(found)}

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words of the base and its mounts together."""
        parts = [each.record for each in self.loaded if isinstance(each.record, Vocabulary)]
        return Vocabulary(
            questions=tuple(q for part in parts for q in part.questions),
            dimensions=tuple(d for part in parts for d in part.dimensions),
            metrics=tuple(m for part in parts for m in part.metrics),
            terms=tuple(t for part in parts for t in part.terms),
            lists={name: entries for part in reversed(parts) for name, entries in part.lists.items()},
        )

    @cached_property
    def component_names(self) -> dict[str, str]:
        """Every name of every component, case-folded -> its id; an id goes before another's alias."""
        names = {name.casefold(): each.id for each in self.components.values() for name in each.names()}
        return names | {each: each for each in self.components}

    @cached_property
    def metrics(self) -> dict[str, Metric]:
        """Metrics of the vocabulary by canonical spelling; the base's own goes before a mounted one."""
        return {metric.id: metric for metric in reversed(self.vocabulary.metrics)}

    def metrics_named(self, text: str) -> list[tuple[str, int]]:
        """Metrics whose name or alias stands in `text`, with the place of each mention."""
        pattern, metric_of = self._metric_names
        if pattern is None:
            return []
        return [(metric_of[found[0].casefold()], found.start()) for found in pattern.finditer(text)]

    @cached_property
    def _metric_names(self) -> tuple[re.Pattern[str] | None, dict[str, str]]:
        names = {name.casefold(): each.id for each in self.metrics.values() for name in (each.id, *each.titles.all())}
        if not names:
            return None, names
        longest_first = sorted(map(re.escape, names), key=len, reverse=True)
        return re.compile(rf"(?<![a-z0-9])(?:{'|'.join(longest_first)})(?![a-z0-9])", re.IGNORECASE), names

    @cached_property
    def words(self) -> dict[str, frozenset[str]]:
        """Question, dimension, metric, definition -> the ids that the vocabulary lists."""
        words = self.vocabulary
        return {
            "question": frozenset(each.id for each in words.questions),
            "dimension": frozenset(each.id for each in words.dimensions),
            "metric": frozenset(each.id for each in words.metrics),
            "definition": frozenset(each.id for metric in words.metrics for each in metric.definitions),
        }

    def called(self, dimensions: Iterable[str]) -> frozenset[str]:
        """Dimensions under all their names: what one was called before, and what became of a word of then."""
        named = frozenset(dimensions)
        return named.union(*(self._names_of.get(each, ()) for each in named))

    @cached_property
    def _names_of(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for each in self.vocabulary.dimensions:
            for former in each.formerly:
                found.setdefault(each.id, set()).add(former)
                found.setdefault(former, set()).add(each.id)
        return found

    @cached_property
    def dimensions(self) -> frozenset[str]:
        """Every word for a dimension that the vocabulary lists or listed, or that a change says it alters."""
        altered = (name for each in self.changes.values() for name in each.dimensions)
        return frozenset((*self.words["dimension"], *self._names_of, *altered))

    @cached_property
    def _measures(self) -> dict[str, str]:
        return {
            each.id: each.same_as for metric in self.metrics.values() for each in metric.definitions if each.same_as
        }

    def measure(self, definition: str) -> str:
        """One name for all definitions that are computed alike; two values compare when theirs is the same."""
        return self._measures.get(definition, definition)

    @cached_property
    def own_evaluations(self) -> frozenset[str]:
        """Evaluations of the base itself, where it mounts others that have some, too."""
        paths = {each.record.id: each.path for each in reversed(self.loaded) if isinstance(each.record, Evaluation)}
        own = frozenset(id_ for id_, path in paths.items() if not is_mounted(path))
        return own if len(own) < len(paths) else frozenset()

    @cached_property
    def paths_of(self) -> dict[tuple[Kind, str], tuple[str, ...]]:
        """Shown paths of all records of a kind and id; several where two files claim one id."""
        found: dict[tuple[Kind, str], tuple[str, ...]] = {}
        for each in self.loaded:
            if isinstance(each.record, RecordModel):
                key = (KIND_OF[type(each.record)], each.record.id)
                found[key] = (*found.get(key, ()), each.path)
        return found

    @cached_property
    def paths(self) -> frozenset[str]:
        """Shown path of every record file, readable or not."""
        return self.own | {each.path for each in self.loaded} | {finding.path for finding in self.findings}

    @cached_property
    def answering(self) -> dict[Kind, dict[str, frozenset[str]]]:
        """Per kind: every id, alias and class name, case-folded -> ids of the records that answer to it."""
        return {
            Kind.EVALUATION: _names(self.evaluations.values()),
            Kind.CHANGE: _names(self.changes.values()),
            Kind.COMPONENT: _names(self.components.values()),
            Kind.DEPLOYMENT: _names(self.deployments.values()),
        }

    @cached_property
    def releases(self) -> dict[str, tuple[Release, ...]]:
        """Distribution -> its releases, from the component that owns it."""
        found: dict[str, tuple[Release, ...]] = {}
        for each in self.components.values():
            if each.releases:
                for name in (each.ships_in or each.id, *each.also_ships_in):
                    found.setdefault(name, each.releases)
        return found

    def releases_of(self, component: str | None) -> tuple[Release, ...]:
        """Releases of what the component ships in; none when they are not known."""
        found = self.components.get(component or "")
        return self.releases.get(found.ships_in or found.id, ()) if found else ()

    def answering_component(self, name: str) -> frozenset[str]:
        """Ids of the components that answer to a name or a class name."""
        return self.answering[Kind.COMPONENT].get(name.casefold(), frozenset())

    def place(self, record: object) -> Loaded:
        """Where a record came from."""
        return next(each for each in self.loaded if each.record is record)

    def _by_id(self, model: type[R]) -> dict[str, R]:
        """Records of one kind by id; the first wins, and the base's own come first."""
        found = [each.record for each in self.loaded if isinstance(each.record, model)]
        return {each.id: each for each in reversed(found)}


def _names(records: Iterable[RecordModel]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for each in records:
        names = each.names() if isinstance(each, Component) else (each.id, *each.aliases)
        for name in names:
            found[name.casefold()] = found.get(name.casefold(), frozenset()) | {each.id}
    return found


@patient_collector()
def open_library(config: Config, read_file: Callable[[Path, str, Alike], Loaded] = read_file) -> Library:
    """Read every record of a base and its mounts; what cannot be read becomes findings.

    `read_file` reads one file, given its shown path and the parts read so far, too. Raises Unreadable.
    """
    alike = Alike()
    loaded: list[Loaded] = []
    findings: list[Finding] = []
    own: set[str] = set()
    partial: list[Loaded] = []
    for base in config.bases:
        for path in record_files(base):
            shown = shown_path(path, base)
            try:
                loaded.append(read_file(path, shown, alike))
            except Unreadable as error:
                findings.extend(error.findings)
                if not base.name and (rest := error.partial()) is not None:
                    partial.append(rest)
            if not base.name:
                own.add(shown)
    misplaced = list(strays(config.base))
    own.update(each.path for each in misplaced)
    return Library(tuple(loaded), (*findings, *misplaced), frozenset(own), digests(config), tuple(partial))


def digests(config: Config) -> Digests:
    """The tables of symbols of a base and its mounts, each read when first asked for; the base's own goes first."""

    def read_first(component: str) -> Table | None:
        places = ((base, base.entries / "components" / f"{component}{SUFFIX}") for base in config.bases)
        for base, path in places:
            if path.is_file():
                return read_table(_table_text(path), shown_path(path, base))
        return None

    return Digests(read_first)


def _table_text(path: Path) -> str:
    try:
        return read_regular(path).decode("utf-8", errors="replace")
    except OSError as error:
        hint = "take it back from version control, or delete it"
        raise KbError(f"{path} cannot be read: {error.strerror}", hint) from None


KIND_OF: dict[type[Model], Kind] = {
    Evaluation: Kind.EVALUATION,
    Change: Kind.CHANGE,
    Component: Kind.COMPONENT,
    Deployment: Kind.DEPLOYMENT,
}
