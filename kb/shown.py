"""What `kb show` needs of one entry: the record, its neighbours, and who points at it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from kb.anchors import since as anchored
from kb.change import Change
from kb.completeness import MissingFact, State, missing_facts
from kb.component import Component
from kb.deployment import Deployment
from kb.errors import NotFound
from kb.evaluation import Evaluation
from kb.library import KIND_OF, Library
from kb.reading import Loaded
from kb.search.related import Related, related
from kb.setup import Setup
from kb.since import since
from kb.store import Head, Store
from kb.workspace import Workspace

if TYPE_CHECKING:
    from kb.standing import Standing

Record = Evaluation | Change | Component | Deployment

STRUCTURAL = frozenset({"uses", "changes", "ships-in", "watches", "judges"})
"""Kinds of link that follow from a record's fields rather than being stated as a relation."""


@dataclass(frozen=True)
class Shown:
    """One entry and what is shown beside it."""

    loaded: Loaded
    record: Record
    library: Library
    """The records its page speaks of."""
    whole: Callable[[], Library]
    """Every record of the base: a verdict can rest on any."""
    links_in: tuple[tuple[str, str], ...]
    """(kind, id) of everything that points here: relations, and `uses`, `changes`..."""
    translation: Loaded | None = None
    languages: tuple[str, ...] = ()
    near: tuple[Related, ...] = ()
    """Entries that share much with it, without those it is related to by name."""

    @cached_property
    def standing(self) -> Standing:
        """What the audit makes of it, at the newest releases."""
        from kb.standing import standing

        return standing(self.record, self.whole())

    @property
    def relations_in(self) -> list[tuple[str, str]]:
        """Relations of other records to this one."""
        return [link for link in self.links_in if link[0] not in STRUCTURAL]

    def linked(self, kind: str) -> list[str]:
        """Ids of what points here by links of a kind."""
        return [id_ for each, id_ in self.links_in if each == kind]

    @property
    def body(self) -> str:
        """The text in the language asked for."""
        return (self.translation or self.loaded).body

    def as_dict(self) -> dict[str, Any]:
        """The record as stored, with what cli.md promises beside it."""
        record = self.record
        found: dict[str, Any] = {**record.stored(), "record_kind": KIND_OF[type(record)].value, "body": self.body}
        if self.translation is not None:
            found["translation"] = self.translation.record.stored()
        if isinstance(record, Evaluation):
            found["changes_since"] = _changes_since(record, self.library)
            found["anchors"] = [each.as_dict() for each in anchored(record, self.library)]
            found["missing"] = [each.key for each in missing(record)]
        relations = [{"relation": kind, "id": id_} for kind, id_ in self.relations_in]
        return {
            **found,
            "languages": list(self.languages),
            **self.standing.as_dict(),
            "relations_in": relations,
            "path": self.loaded.path,
        }


def missing(record: Evaluation) -> list[MissingFact]:
    """Facts a reviewer will ask for that nobody has looked for yet; what the source does not state is listed apart."""
    return [fact for fact in missing_facts(record) if fact.state is State.ABSENT]


def _changes_since(record: Evaluation, library: Library) -> list[dict[str, Any]]:
    return [
        {
            "component": each.component,
            "pins": list(each.pins),
            "newest": each.newest,
            "change": change.change.id,
            "status": change.change.status.value,
            "standing": change.standing.value,
            "in_pinned": "between" if change.between else change.pinned.value,
            "in_newest": change.newest.value,
            "touches": list(change.touches),
            "implied": list(change.implied),
        }
        for each in since(record, library)
        for change in each.changes
    ]


def gather(workspace: Workspace, name: str, lang: str | None = None) -> Shown:
    """Everything about the entry of that id, alias or class name. Raises NotFound."""
    head = workspace.find(name)
    loaded = workspace.original(head.id)
    record = loaded.record
    assert isinstance(record, Evaluation | Change | Component | Deployment)  # what has an id and is no translation
    languages = tuple(dict.fromkeys(each.lang for each in workspace.store.documents(head.id)))
    library = workspace.library([head.id, *_around(record, workspace)])
    return Shown(
        loaded,
        record,
        library,
        workspace.whole_library,
        tuple(workspace.store.relations_to(head.id)),
        _translation(library, record, lang, languages),
        languages,
        _near(workspace.store, head),
    )


def together(workspace: Workspace, names: Iterable[str]) -> tuple[Library, tuple[Evaluation, ...]]:
    """Evaluations by id, alias or path, in one library with the records they speak of. Raises NotFound."""
    found = tuple(_evaluation(workspace, name) for name in names)
    ids = [*(each.id for each in found), *(id_ for each in found for id_ in _around(each, workspace))]
    library = workspace.library(ids)
    return library, tuple(library.evaluations[each.id] for each in found)


def _evaluation(workspace: Workspace, name: str) -> Evaluation:
    record = workspace.original(name).record
    if not isinstance(record, Evaluation):
        raise NotFound(f"{name} is no evaluation", "`kb search kind:evaluation` lists them")
    return record


def _near(store: Store, head: Head, most: int = 3) -> tuple[Related, ...]:
    """The nearest entries of its kind."""
    written = {id_ for _, id_ in (*store.relations_of(head.id), *store.relations_to(head.id))}
    found = (
        each for each in related(store, head.id, 40) if each.head.kind == head.kind and each.head.id not in written
    )
    return tuple(islice(found, most))


def _translation(library: Library, record: Record, lang: str | None, languages: tuple[str, ...]) -> Loaded | None:
    original = record.language if isinstance(record, Evaluation) else "en"
    if lang is None or lang == original:
        return None
    found = library.translations.get((record.id, lang))
    if found is None:
        raise NotFound(f"{record.id} has no text in {lang}", f"it is there in {', '.join(languages)}")
    return library.place(found)


def _around(record: Record, workspace: Workspace) -> Iterator[str]:
    """Ids of the records that the page of a record speaks of."""
    store = workspace.store
    if isinstance(record, Evaluation):
        used = _pinned([record.setup, *(arm.setup for arm in record.arms)])
        yield from _with_owners(used, workspace)
        yield from (id_ for component in used for id_ in _linking(store, component, "changes"))
    elif isinstance(record, Change):
        components = (record.component, *record.also)
        yield from _with_owners(components, workspace)
        yield from (id_ for component in components for id_ in _linking(store, component, "uses"))
        yield from (each.to for each in record.relations)
    elif isinstance(record, Component):
        yield from _with_owners([record.id], workspace)
        yield from _linking(store, record.id, "changes")
    else:
        yield from _with_owners(_pinned([record.setup]), workspace)


def _pinned(setups: Iterable[Setup | None]) -> list[str]:
    pins = [pin for setup in setups if setup is not None for pin in setup.pins().values()]
    return list(dict.fromkeys(pin.component for pin in pins if pin.component))


def _with_owners(components: Iterable[str], workspace: Workspace) -> Iterator[str]:
    """Components, and those whose releases they ship in."""
    for component in components:
        yield component
        yield from (id_ for kind, id_ in workspace.store.relations_of(component) if kind == "ships-in")


def _linking(store: Store, id_: str, kind: str) -> list[str]:
    return [other for each, other in store.relations_to(id_) if each == kind]
