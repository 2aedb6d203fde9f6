"""What pages follow from, as digests: a page whose key is that of the last build is not made again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from kb.evaluation import Evaluation, Translation
from kb.library import Library
from kb.model import RecordModel
from kb.reading import Loaded
from kb.site.aspects import aspects
from kb.site.attached import Attached
from kb.site.judged import Verdicts, text
from kb.site.records import claim_ids


@dataclass(frozen=True)
class Keys:
    """Of one base, judged; templates and program aside."""

    library: Library
    places: Mapping[int, Loaded]
    """Loaded records by the identity of what was read."""
    ground: str
    """What everything follows from: settings, the newest day, what all verdicts follow from."""
    verdicts: Mapping[str, Verdicts]
    states: Mapping[str, str]
    """Evaluation -> the states of its signals, where it has any."""
    translations: Mapping[str, tuple[Translation, ...]]
    attached: Mapping[str, tuple[Attached, ...]]

    @cached_property
    def evaluations(self) -> Mapping[str, str]:
        """Evaluation -> all that its page follows from."""
        return {id_: self._evaluation(each) for id_, each in self.library.evaluations.items()}

    def _evaluation(self, evaluation: Evaluation) -> str:
        digest = hashlib.sha256(f"{self._around}\0{self._judged[evaluation.id]}".encode())
        for record in (evaluation, *self.translations.get(evaluation.id, ())):
            loaded = self.places[id(record)]
            digest.update(f"{self.text(loaded)} {self.body(loaded)}".encode())
        for file in self.attached.get(evaluation.id, ()):
            digest.update(repr((file.name, file.size, file.target)).encode("utf-8", "replace"))
        return digest.hexdigest()[:32]

    def of(self, record: RecordModel, evaluations: Iterable[Evaluation]) -> str:
        """All that the page of another record follows from. `evaluations`: those of which it shows figures."""
        return _digest(self.showing(evaluations), self.body(self.places[id(record)]))

    @cached_property
    def _around(self) -> str:
        """What any evaluation's page may show of other records: of evaluations names and relations, of all others their
        fields."""
        digest = hashlib.sha256(self.ground.encode())
        for each in self.library.loaded:
            record = each.record
            if isinstance(record, Evaluation):
                names = (record.id, record.title, record.aliases, record.question, claim_ids(record), record.relations)
                digest.update(repr(names).encode("utf-8", "replace"))
            elif not isinstance(record, Translation):
                digest.update(self.text(each).encode())
        return digest.hexdigest()

    @cached_property
    def _judged(self) -> Mapping[str, str]:
        """Evaluation -> what was judged of it: verdicts for every target, states of its signals."""
        return {
            id_: _digest(*(each.digest(id_) for each in self.verdicts.values()), self.states.get(id_, ""))
            for id_ in self.library.evaluations
        }

    @cached_property
    def frames(self) -> str:
        """All records' fields but the points of evaluations: bodies aside, too, and what was judged."""
        digest = hashlib.sha256(self._around.encode())
        for each in self.library.loaded:
            own = aspects(each).frame if isinstance(each.record, Evaluation) else self.text(each)
            digest.update(own.encode())
        return digest.hexdigest()

    @cached_property
    def facts(self) -> str:
        """The same with what was judged: what lists show that have no figures."""
        return _digest(self.frames, *self._judged.values())

    def showing(self, evaluations: Iterable[Evaluation]) -> str:
        """The same with the points that claims of some evaluations cite: what lists show that have their figures."""
        return _digest(self.facts, *(aspects(self.places[id(each)]).cited for each in evaluations))

    @cached_property
    def figures(self) -> str:
        """The same with those of all evaluations."""
        return self.showing(self.library.evaluations.values())

    @cached_property
    def everything(self) -> str:
        """All records and what was judged of them."""
        return _digest(self.facts, *(f"{self.text(each)} {self.body(each)}" for each in self.library.loaded))

    @cached_property
    def _digests(self) -> Mapping[int, tuple[str, str]]:
        return {id(each): (hashlib.sha256(text(each)).hexdigest(), _digest(each.body)) for each in self.library.loaded}

    def text(self, loaded: Loaded) -> str:
        """A record's fields, and where it lies."""
        return self._digests[id(loaded)][0]

    def body(self, loaded: Loaded) -> str:
        """A record's body."""
        return self._digests[id(loaded)][1]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]
