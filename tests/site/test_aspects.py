"""What others read of an evaluation is all that they read: everything else may go or change, and they say the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from kb.audit import audit
from kb.audited import Placed
from kb.evaluation import Evaluation
from kb.library import Library
from kb.reading import Loaded
from kb.registry import Registry
from kb.site.aspects import HEARD, UNHEARD, aspects
from kb.site.judged import _keys
from kb.target import Target
from kb.vocabulary import EffectForm
from tests.audit.table import Case, Fields, cases, library

RIVALS = [case for case in cases() if any(name.startswith("evaluations/") for name in case.add)]
"""Cases of the table in which another evaluation stands beside the one that is asked for."""


def _verdicts(found: Library, case: Case) -> list[dict[str, Any]]:
    """Verdicts on all claims of the case's evaluation, for its own setup and for every deployment."""
    targets = [Target(), *(Target(name, each.setup) for name, each in found.deployments.items())]
    placed = Placed(found)
    answers = (audit(found, target, [case.evaluation], None, case.today).verdicts for target in targets)
    return [placed.as_dict(each) for verdicts in answers for each in verdicts]


def _key(found: Library, evaluation: str) -> str:
    return _keys(found, Registry(found), "", {})[evaluation]


# Everything else may go


def _heard(loaded: Loaded, asking: Loaded) -> Loaded:
    """Only what the verdicts on another evaluation read of it."""
    record = loaded.record
    if not isinstance(record, Evaluation) or record is asking.record:
        return loaded
    mine = aspects(loaded)
    cited = {name for claim in record.claims if claim.effect for name in claim.effect.points}
    silent: dict[str, Any] = dict.fromkeys(UNHEARD)
    if not (mine.counted or mine.bound or aspects(asking).bound):
        silent |= {"value": 1.0, "low": None, "high": None, "qualifier": None}
    points = [each.model_copy(update=silent) for each in record.points if each.id in cited]
    rest = [each for each in record.points if each.id not in cited and each.definition]
    points += rest[:1] if not any(each.definition for each in points) else []
    fields = Evaluation.model_fields
    gone = [name for name in fields if name not in {*HEARD, "points", "title", "language"}]
    default = {name: fields[name].get_default(call_default_factory=True) for name in gone}
    bare = record.model_copy(update={**default, "title": "Renamed", "points": tuple(points)})
    return replace(loaded, record=bare)


def _unbound(loaded: Loaded) -> Loaded:
    """Without claims that state a bound, beside which every number is read."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return loaded
    claims = tuple(each for each in record.claims if not each.effect or each.effect.form is not EffectForm.BOUND)
    return replace(loaded, record=record.model_copy(update={"claims": claims}))


@pytest.mark.parametrize("bounds", [True, False], ids=["", "without bounds"])
@pytest.mark.parametrize("case", RIVALS, ids=lambda case: case.name)
def test_nothing_else_is_read(case: Case, bounds: bool) -> None:
    """With all but what is heard taken away from every other evaluation, the verdicts are the same to the letter."""
    whole = library(case)
    if not bounds:
        whole = replace(whole, loaded=tuple(map(_unbound, whole.loaded)))
    asking = next(each for each in whole.loaded if each.record is whole.evaluations[case.evaluation])
    bare = replace(whole, loaded=tuple(_heard(each, asking) for each in whole.loaded))
    assert len(whole.evaluations) > 1
    assert _verdicts(bare, case) == _verdicts(whole, case)


# What is heard may not change unnoticed

NO_BOUND: Fields = {"claims.pull-itl": "absent", "claims.push-itl": "absent"}
"""The base's claims that state a bound: beside them every number is read."""
BOUND = {"form": "bound", "metric": "ttft", "arm": "push", "points": ["push-ttft"], "at_most": 1000, "unit": "ms"}
RATIO = {"form": "ratio", "metric": "ttft", "arm": "push", "against": "pull", "points": ["push-ttft", "pull-ttft"]}
LATER: Fields = {
    **NO_BOUND,
    "like": "push-vs-pull",
    "moved": "newest",
    "date": "2026-07-01",
    "claims.push-faster.effect.better": "pull",
    "claims.push-faster.says": "Pull waited less.",
}
OTHER: dict[str, Fields] = {
    "another date": {"date": "2026-07-02"},
    "an earlier date": {"date": "2020-01-01"},
    "no date": {"date": "unknown"},
    "another question": {"question": "something-else"},
    "another model": {"setup.model": "Other-8B"},
    "another topology": {"setup.topology": "8P8D"},
    "another engine's version": {"setup.engine.version": "99.0.0"},
    "a branch": {"setup.engine.branch": "mine"},
    "another load": {"setup.workload.request_rate": "64"},
    "what is not stated": {"not_stated": ["both.block_size"]},
    "a claim's sentence": {"claims.push-faster.says": "Something else."},
    "a claim's kind": {"claims.push-faster.kind": "hypothesis"},
    "a claim's phase": {"claims.push-faster.phase": "churn"},
    "the better arm": {"claims.push-faster.effect.better": "push"},
    "the metric": {"claims.push-faster.effect.metric": "e2el"},
    "a bound": {"claims.push-faster.effect": BOUND},
    "a condition": {"claims.push-faster.conditions": [{"key": "topology", "op": "is", "value": "8P8D", "why": "so"}]},
    "a claim less": {"claims.push-faster": "absent"},
    "its statistic": {"points.push-ttft.stat": "p99"},
    "its definition": {"points.push-ttft.definition": "meter.itl"},
    "its load point": {"points.push-ttft.where": {"request_rate": "64"}},
    "its unit": {"points.push-ttft.unit": "s"},
    "a noise floor": {"noise": {"stated": "yes", "value": 5, "unit": "%"}},
    "a line more above its claims": {"points.push-itl-p99.n": "absent"},
    "a relation": {"relations": [{"relation": "narrows", "to": "push-vs-pull", "because": "elsewhere"}]},
    "a relation's reason": {"relations": [{"relation": "narrows", "to": "push-vs-pull", "because": "so"}]},
}
"""What is changed of the later evaluation, where verdicts on the earlier one may follow from it."""
SAME: dict[str, Fields] = {
    "its title": {"title": "Renamed"},
    "its limits": {"limits": ["One more."]},
    "its tags": {"tags": ["new"]},
    "a decision": {"decision": {"chose": "pull", "because": "it is enough"}},
    "who measured": {"source.relation": "vendor"},
    "a number of runs": {"points.push-ttft.n": 7},
    "a value": {"points.push-ttft.value": 901},
    "a value that nobody cites": {"points.push-itl-p99.value": 9.5},
}
"""What they cannot follow from: a value without a noise floor or a bound tells no direction."""


def _case(edits: Fields) -> Case:
    later, asking = {**LATER, **edits}, NO_BOUND
    return Case("", {}, "", "push-faster", add={"evaluations/later": later}, edits={"evaluations/push-vs-pull": asking})


def _changes(base: Fields, edits: Iterable[tuple[str, Fields]]) -> Iterable[tuple[str, bool, bool]]:
    """What was changed, whether verdicts are others, whether their key is."""
    before = _case(base)
    found = library(before)
    verdicts, key = _verdicts(found, before), _key(found, before.evaluation)
    for name, each in edits:
        after = library(_case({**base, **each}))
        yield name, _verdicts(after, before) != verdicts, _key(after, before.evaluation) != key


def test_what_verdicts_read_of_a_later_one_is_in_their_key() -> None:
    """Each sort of field that may matter alters the key, none of those that cannot does; wherever verdicts are others,
    so is the key."""
    found = {name: (verdicts, key) for name, verdicts, key in _changes({}, [*OTHER.items(), *SAME.items()])}
    assert {name for name, (_, key) in found.items() if not key} == set(SAME)
    assert not [name for name, (verdicts, key) in found.items() if verdicts and not key]
    assert sum(verdicts for verdicts, _ in found.values()) > len(OTHER) // 2  # else this would say little


@pytest.mark.parametrize(
    "numbers",
    [{"noise": {"stated": "yes", "value": 5, "unit": "%"}, "claims.push-faster.effect": RATIO},
     {"claims.push-faster.effect": BOUND}],
    ids=["beside a noise floor", "of a bound"],
)  # fmt: skip
def test_numbers_that_decide_are_in_the_key(numbers: Fields) -> None:
    """Where a value tells which arm is better, or lies inside of a bound, another value is another key."""
    edits = {"a small value": {"points.push-ttft.value": 2}, "a large value": {"points.push-ttft.value": 5000}}
    assert all(key for _, _, key in _changes(numbers, edits.items()))


def test_a_bound_reads_the_numbers_of_others() -> None:
    """The claim that is judged states one: then another's value is in its key, without a noise floor there."""
    asking = {"evaluations/push-vs-pull": {**NO_BOUND, "claims.push-faster.effect": BOUND}}
    found = [replace(_case({"points.push-ttft.value": value}), edits=asking) for value in (2, 5000)]
    assert len({_key(library(case), case.evaluation) for case in found}) == 2


def test_an_earlier_one_is_not_read() -> None:
    """Of a rival that is not later its date is enough."""
    early = {"date": "2020-01-01"}
    assert not any(key or verdicts for _, verdicts, key in _changes(early, [("says", OTHER["a claim's sentence"])]))
