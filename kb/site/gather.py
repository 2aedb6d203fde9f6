"""Everything the pages are made of, judged once: records, verdicts, signals, boards, who points at whom."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from kb.board import Row, row
from kb.change import Change
from kb.effects import Effect, Standing
from kb.evaluation import Claim, Evaluation, Translation
from kb.library import Library
from kb.model import RecordModel
from kb.once import once
from kb.reading import Loaded
from kb.registry import Registry
from kb.signals import Seen, measures, state
from kb.site import address
from kb.site.aspects import aspects
from kb.site.attached import Attached
from kb.site.briefs import Brief, Silence, Touch, packed, unpacked
from kb.site.judged import OWN, Judged, Progress, Verdicts, judged
from kb.site.keys import Keys
from kb.site.page import Alternate
from kb.site.records import components_of
from kb.store.kept import Kept
from kb.vocabulary import UNKNOWN, Kind, Outcome


class Settings(NamedTuple):
    """What kb.toml says of the site."""

    title: str = "evalkb"
    url: str = ""
    """Where it is published, with a slash at the end; empty when it may be anywhere."""


class Pointer(NamedTuple):
    """One record pointing at another."""

    relation: str
    id: str
    claims: tuple[str, ...] = ()
    because: str = ""


@dataclass(frozen=True)
class Gathered:
    """A base, judged."""

    library: Library
    registry: Registry
    verdicts: Mapping[str, Verdicts]
    """Target (empty: each evaluation's own setup) -> evaluation -> verdicts, claim by claim."""
    settings: Settings = field(default_factory=Settings)
    today: str | None = None
    """The newest day that a record names: the site has no clock."""
    places: Mapping[int, Loaded] = field(default_factory=dict)
    """Loaded records by the identity of what was read."""
    world: str = ""
    """A digest of what all verdicts follow from."""
    states: Mapping[str, str] = field(default_factory=dict)
    """Evaluation -> the states of its signals, where it has any."""
    kept: Kept = field(default_factory=Kept)
    """What builds keep."""
    lying: Path | None = None
    """Where the last build's site lies."""
    attached: Mapping[str, tuple[Attached, ...]] = field(default_factory=dict)
    """Evaluation -> files in its own folder."""

    @cached_property
    def keys(self) -> Keys:
        """What pages follow from."""
        ground = repr((self.settings, self.today, self.world))
        return Keys(self.library, self.places, ground, self.verdicts, self.states, self.translations, self.attached)

    def each(
        self, name: str, follows: Callable[[Evaluation], str], make: Callable[[Evaluation], Any]
    ) -> Mapping[str, Any]:
        """Evaluation -> a value of JSON types, worked out again for those that differ from the last build in what it
        `follows` from."""
        before = self.kept.value(name, "") if "" in self.kept.digests(name) else {}
        found = {}
        for id_, record in self.library.evaluations.items():
            key, was = follows(record), before.get(id_)
            found[id_] = was if was and was[0] == key else [key, make(record)]
        if found != before:
            self.kept.put(name, "", found)
        return {id_: value for id_, (_, value) in found.items()}

    # Verdicts

    @property
    def own(self) -> Verdicts:
        """Verdicts for each evaluation's own setup at the newest releases."""
        return self.verdicts[OWN]

    @cached_property
    def briefs(self) -> Mapping[str, tuple[Brief, ...]]:
        """The same as overviews read them."""
        return {id_: tuple(unpacked(id_, each) for each in self.packed_briefs[id_]) for id_ in self.own}

    @cached_property
    def packed_briefs(self) -> Mapping[str, list[Any]]:
        """The same as they are kept."""
        return self.each(
            "briefs", lambda record: self.own.digest(record.id), lambda record: [*map(packed, self.own[record.id])]
        )

    @cached_property
    def all_briefs(self) -> tuple[Brief, ...]:
        """All of them."""
        return tuple(each for briefs in self.briefs.values() for each in briefs)

    def verdict(self, evaluation: str, claim: str, target: str = OWN) -> Judged | None:
        """The verdict on one claim; None for a claim that is not there."""
        found = self.verdicts[target].get(evaluation, ()) if target in self.verdicts else ()
        return next((each for each in found if each["claim"] == claim), None)

    def counts(self, outcomes: Iterable[str]) -> dict[str, int]:
        """Outcome -> number of claims, every outcome named: the unknown ones belong to the denominator."""
        found = {each.value: 0 for each in SHOWN}
        for each in outcomes:
            found[each] += 1
        return found

    def counted(self, evaluations: Iterable[str]) -> dict[str, int]:
        """The same of all claims of some evaluations."""
        return self.counts(each.outcome for id_ in evaluations for each in self.briefs.get(id_, ()))

    @cached_property
    def answers(self) -> str:
        """A digest of all verdicts on own setups."""
        return _digest(*(f"{id_} {self.own.digest(id_)}" for id_ in self.own))

    def outcomes(self) -> dict[str, dict[str, int]]:
        """Evaluation -> outcome -> number of claims, where there are any."""
        counts = {id_: self.counted([id_]) for id_ in self.own}
        return {id_: {name: number for name, number in each.items() if number} for id_, each in counts.items()}

    # Records

    def loaded(self, record: object) -> Loaded:
        """Where a record came from."""
        return self.places[id(record)]

    @cached_property
    def records(self) -> Mapping[str, tuple[Kind, RecordModel]]:
        """Id -> kind and record; where two kinds share an id the evaluation, then the change, goes first."""
        found: dict[str, tuple[Kind, RecordModel]] = {}
        for kind in (Kind.DEPLOYMENT, Kind.COMPONENT, Kind.CHANGE, Kind.EVALUATION):
            found |= {each.id: (kind, each) for each in self.of_kind(kind)}
        return found

    def of_kind(self, kind: Kind) -> list[RecordModel]:
        """Records of a kind by id."""
        return list(self._by_kind[kind].values())

    @cached_property
    def _by_kind(self) -> Mapping[Kind, Mapping[str, RecordModel]]:
        library = self.library
        found: dict[Kind, Mapping[str, RecordModel]] = {
            Kind.EVALUATION: library.evaluations,
            Kind.CHANGE: library.changes,
            Kind.COMPONENT: library.components,
            Kind.DEPLOYMENT: library.deployments,
        }
        return {kind: {id_: records[id_] for id_ in sorted(records)} for kind, records in found.items()}

    def link(self, id_: str, kind: Kind | None = None, text: str | None = None) -> dict[str, Any]:
        """A record as pages name it: where its page is (none for one that is not there), its id and title."""
        found = self._named(id_, kind)
        if found is None:
            return {"id": id_, "href": None, "title": None, "text": text or id_}
        of, record = found
        return {"id": id_, "href": address.page(of, record.id), "title": record.title, "text": text or id_}

    def _named(self, id_: str, kind: Kind | None) -> tuple[Kind, RecordModel] | None:
        if kind is None:
            return self.records.get(id_)
        record = self._by_kind[kind].get(id_)
        return (kind, record) if record else None

    def claim_link(self, evaluation: str, claim: str) -> dict[str, Any]:
        """A claim as pages name it."""
        base = address.page(Kind.EVALUATION, evaluation) if evaluation in self.library.evaluations else None
        href = f"{base}#{address.anchor('claim', claim)}" if base else None
        return {"id": f"{evaluation}/{claim}", "href": href, "title": None, "text": claim, "evaluation": evaluation}

    @cached_property
    def translations(self) -> Mapping[str, tuple[Translation, ...]]:
        """Evaluation -> its translations by language."""
        found: dict[str, list[Translation]] = defaultdict(list)
        for (id_, _), each in sorted(self.library.translations.items()):
            found[id_].append(each)
        return {id_: tuple(each) for id_, each in found.items()}

    def evaluation_claim(self, evaluation: str, claim: str) -> Claim | None:
        """The claim itself."""
        found = self.library.evaluations.get(evaluation)
        return next((each for each in found.claims if each.id == claim), None) if found else None

    def languages(self, evaluation: Evaluation) -> tuple[Alternate, ...]:
        """The languages an evaluation can be read in, its own first."""
        own = Alternate(address.tag(evaluation.language), address.page(Kind.EVALUATION, evaluation.id), "")
        others = [each.language for each in self.translations.get(evaluation.id, ())]
        made = [Alternate(address.tag(each), address.page(Kind.EVALUATION, evaluation.id, each), "") for each in others]
        return tuple(each._replace(name=LANGUAGES.get(each.lang, each.lang)) for each in (own, *made))

    def asks(self, question: str | None, lang: str = "en") -> str:
        """A question in words."""
        found = self.questions.get(question or "")
        words = (getattr(found.asks, lang, ()) or found.asks.en) if found else ()
        return words[0] if words else question or ""

    @cached_property
    def questions(self) -> Mapping[str, Any]:
        """Questions of the vocabulary by id."""
        return {each.id: each for each in self.library.vocabulary.questions}

    @cached_property
    def asked(self) -> Mapping[str, tuple[Evaluation, ...]]:
        """Question -> its evaluations, newest first; questions that the vocabulary lacks included."""
        found: dict[str, list[Evaluation]] = defaultdict(list)
        for each in newest_first(self.library.evaluations.values()):
            if each.question:
                found[each.question].append(each)
        return {id_: tuple(found[id_]) for id_ in sorted(found)}

    # What points where

    @cached_property
    def pointers(self) -> Mapping[str, tuple[Pointer, ...]]:
        """Evaluation -> relations of others to it."""
        found: dict[str, list[Pointer]] = defaultdict(list)
        for each in self.of_kind(Kind.EVALUATION):
            assert isinstance(each, Evaluation)
            for to in each.relations:
                found[to.to].append(Pointer(to.relation.value, each.id, to.claims, to.because or ""))
        return {id_: tuple(each) for id_, each in found.items()}

    @cached_property
    def change_pointers(self) -> Mapping[str, tuple[Pointer, ...]]:
        """Change -> relations of others to it."""
        found: dict[str, list[Pointer]] = defaultdict(list)
        for each in self.library.changes.values():
            for to in each.relations:
                found[to.to].append(Pointer(to.relation.value, each.id))
        return {id_: tuple(sorted(each)) for id_, each in found.items()}

    @cached_property
    def users(self) -> Mapping[str, tuple[str, ...]]:
        """Component -> evaluations whose arms name it."""
        found: dict[str, list[str]] = defaultdict(list)
        for each in self.of_kind(Kind.EVALUATION):
            assert isinstance(each, Evaluation)
            for name in components_of(each):
                found[name].append(each.id)
        return {name: tuple(each) for name, each in found.items()}

    @cached_property
    def signals(self) -> tuple[tuple[Evaluation, Seen], ...]:
        """Every signal with its state."""
        return tuple((each, seen) for each in self.library.evaluations.values() for seen in self.signals_of(each.id))

    @once
    def signals_of(self, evaluation: str) -> tuple[Seen, ...]:
        """The signals of one evaluation."""
        record = self.library.evaluations[evaluation]
        return tuple(state(signal, record, self.registry, self.today) for signal in record.signals)

    # Changes

    @cached_property
    def touched(self) -> Mapping[str, tuple[Touch, ...]]:
        """Change -> what the verdicts say of it."""
        found: dict[str, list[Touch]] = defaultdict(list)
        for each in self.all_briefs:
            for number, finding in enumerate(each.findings):
                if finding.change and finding.outcome:
                    found[finding.change].append(Touch(each.evaluation, each.claim, number, finding))
        return {id_: tuple(each) for id_, each in found.items()}

    def message(self, touch: Touch) -> str:
        """In which words it is said."""
        verdict = self.verdict(*touch.place)
        assert verdict is not None
        return str(verdict["findings"][touch.number]["message"])

    @cached_property
    def silent(self) -> Mapping[str, tuple[Silence, ...]]:
        """Change -> claims that it was looked at for and is silent about."""
        found: dict[str, list[Silence]] = defaultdict(list)
        for id_, verdicts in self.own.items():
            for verdict in verdicts:
                for each in verdict["checked"]:
                    if change := each.get("change"):
                        found[change].append(Silence(id_, verdict["claim"], each["why"], each["reason"]))
        return {id_: tuple(each) for id_, each in found.items()}

    @cached_property
    def board(self) -> Mapping[str, Row]:
        """Change -> how far it has got."""
        changes = self.library.changes.values()
        return {each.id: row(each, self.registry, self._branches(each), self.measured[each.id]) for each in changes}

    @cached_property
    def measured(self) -> Mapping[str, list[str]]:
        """Change -> evaluations of a build that carries it."""

        def mine(record: Evaluation) -> list[str]:
            return [id_ for id_, change in self.library.changes.items() if measures(record, change, self.registry)]

        found: dict[str, list[str]] = {id_: [] for id_ in self.library.changes}
        every = self.each("measures", lambda record: f"{aspects(self.loaded(record)).frame} {self.world}", mine)
        for id_ in sorted(every):
            for change in every[id_]:
                found[change].append(id_)
        return found

    def _branches(self, change: Change) -> Iterator[Effect]:
        for touch in self.touched.get(change.id, ()):
            if touch.finding.rule == BRANCH:
                yield Effect(change.id, *touch.place, Standing.TOUCHED, self.message(touch), rule=BRANCH)


LANGUAGES = {"en": "English", "ja": "日本語", "pt": "Português", "zh": "中文", "ko": "한국어", "de": "Deutsch",
             "fr": "Français", "es": "Español"}  # fmt: skip
BRANCH = "not-a-release"
"""The rule that says of a change that its branch was measured."""
SHOWN = (
    Outcome.HOLDS,
    Outcome.RECHECK,
    Outcome.NARROWED,
    Outcome.SUPERSEDED,
    Outcome.NOT_APPLICABLE,
    Outcome.UNKNOWN,
)
"""Outcomes in the order in which they are counted."""


def gather(
    library: Library,
    settings: Settings = Settings(),  # noqa: B008  a tuple
    kept: Kept | None = None,
    stamp: str = "",
    tell: Progress | None = None,
    attached: Mapping[str, tuple[Attached, ...]] = {},
    lying: Path | None = None,
) -> Gathered:
    """Judge a library. `kept` is what builds keep, `attached` what lies beside evaluations."""
    registry = Registry(library)
    today = newest_day(library)
    kept = kept or Kept()
    found = judged(library, registry, today, kept, stamp, tell)
    places = {id(each.record): each for each in library.loaded}
    return Gathered(
        library, registry, found.verdicts, settings, today, places, found.world, found.states, kept, lying, attached
    )


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def newest_day(library: Library) -> str | None:
    """The newest whole day that any record names as past."""
    days: list[str | None] = [each.date for each in library.evaluations.values()]
    for change in library.changes.values():
        if change.dates:
            days += [change.dates.merged, change.dates.opened, change.dates.closed, change.dates.reverted]
    days += [release.date for each in library.components.values() for release in each.releases]
    known = [str(day) for day in days if day and day != UNKNOWN and len(str(day)) == 10]
    return max(known, default=None)


def newest_first(evaluations: Iterable[Evaluation]) -> list[Evaluation]:
    """By day, those without one last."""
    by_id = sorted(evaluations, key=lambda each: each.id)
    return sorted(by_id, key=lambda each: str(each.date or "") if each.date != UNKNOWN else "", reverse=True)


def change_day(change: Change) -> str:
    """The day by which changes are ordered."""
    dates = change.dates
    found = (dates.merged or dates.opened) if dates else None
    return str(found) if found and found != UNKNOWN else ""
