"""The arms of a claim as facts, and which arm of one claim is the same thing as which arm of another.

Arms are told by what they run, never by what they are called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from kb.conditions import Condition, Span, Truth, single
from kb.evaluation import Arm, Claim, Evaluation
from kb.evidence import Point
from kb.inforce import Ground, InForce, ground
from kb.library import Library
from kb.lines import BUILD_FIELDS
from kb.once import kept, once
from kb.regions import Region, narrowed, of_spread
from kb.setup import Setup
from kb.versions import parse
from kb.vocabulary import UNKNOWN, Operator

T = TypeVar("T")

PARTS = ("engine", "connector", "transfer_library", "cache")
"""What an arm is made of."""


class ClaimAt(NamedTuple):
    """A claim where it stands."""

    evaluation: Evaluation
    claim: Claim

    def __str__(self) -> str:
        return f"{self.evaluation.id}/{self.claim.id}"


class Reason(NamedTuple):
    """One field that was looked at."""

    field: str
    """question, effect, arms, builds, metric, statistic, phase, slo, or a setup key."""
    one: str
    """What the first claim has there, in words."""
    other: str
    """What the second has."""
    truth: Truth
    """Whether they agree in it."""
    says: str
    """The same as a sentence."""


@dataclass(frozen=True, eq=False)
class Subject:
    """An arm of a claim: what it is, and the facts it was measured under. Each is laid out once (see subject)."""

    arm: Arm | None
    setup: Setup
    """Its whole setup."""
    stated: Mapping[str, Any]
    """Setup keys, `unknown` for what its source does not state."""
    library: Library = field(repr=False)
    known: dict[tuple[int, str], tuple[Claim, Any]] = field(default_factory=dict, repr=False)
    """What was worked out of it for a claim, kept with the claim so that no other takes its place."""

    def once(self, claim: Claim, name: str, question: Callable[[], T]) -> T:
        """Ask once for a claim: it meets every rival."""
        key = (id(claim), name)
        if key not in self.known:
            self.known[key] = (claim, question())
        found: T = self.known[key][1]
        return found

    @property
    def id(self) -> str:
        return self.arm.id if self.arm else "all"

    @kept
    def facts(self) -> InForce:
        """What is stated over the defaults of its releases."""
        components = self.library.components
        versions = {pin.component: pin.version for pin in self.setup.pins().values() if pin.component}
        running = tuple(
            (name, version)
            for name, stated_version in versions.items()
            if (component := components.get(name))
            and parse(version := str(stated_version or versions.get(component.ships_in or "")))
        )
        return _ground(self.library, running).under(self.stated)

    @kept
    def made_of(self) -> Mapping[str, Any]:
        """Part -> the component it is; a connector by its class or mode where its component is not known."""
        return _made_of(self.stated, self.library)


Pairs = tuple[tuple[Subject, Subject], ...]
"""Arms of one claim beside those of the other that are the same thing."""


class Matched(NamedTuple):
    """Arms of two claims beside each other."""

    reasons: tuple[Reason, ...]
    """Whether they are the same things, part by part."""
    pairs: Pairs
    sure: bool
    """Whether no other order fits as well."""


RANK = {Truth.YES: 0, Truth.UNKNOWN: 1, Truth.NO: 2}
"""The better of two answers has the smaller number."""


def subjects(at: ClaimAt, library: Library) -> tuple[Subject, ...]:
    """The arms a claim speaks of: the better known one first, then what it is compared with. Found once for a library,
    as each of them is: a claim meets every rival."""
    known: dict[int, tuple[ClaimAt, tuple[Subject, ...]]] = library.__dict__.setdefault("_arms_of_claims", {})
    found = known.get(id(at.claim))
    if found is None or found[0].evaluation is not at.evaluation:
        found = known[id(at.claim)] = (at, _subjects(at, library))  # kept with the claim, so that no id comes twice
    return found[1]


def _subjects(at: ClaimAt, library: Library) -> tuple[Subject, ...]:
    effect, table = at.claim.effect, at.evaluation.arm_table()
    named = [table[name] for name in (effect.arm, effect.against) if name and name in table] if effect else []
    arms = tuple(named) or at.evaluation.cited_arms(at.claim)
    return tuple(subject(at.evaluation, arm, library) for arm in arms or (None,))


def subject(evaluation: Evaluation, arm: Arm | None, library: Library) -> Subject:
    """An arm with its facts; without arms the evaluation's setup. Laid out once for a library, whose records stay as
    they are: a question may have hundreds of evaluations, and each meets each.
    """
    known: dict[tuple[int, str | None], tuple[Evaluation, Subject]] = library.__dict__.setdefault("_subjects", {})
    key = (id(evaluation), arm.id if arm else None)
    if key not in known:
        known[key] = (
            evaluation,
            _laid_out(evaluation, arm, library),
        )  # kept with its record, so that no id comes twice
    return known[key][1]


def _laid_out(evaluation: Evaluation, arm: Arm | None, library: Library) -> Subject:
    setup = evaluation.arm_setup(arm) if arm else evaluation.setup or Setup()
    return Subject(arm, setup, _stated(setup, evaluation.not_stated), library)


@once
def _ground(library: Library, running: tuple[tuple[str, str], ...]) -> Ground:
    """What releases (component, version) have in force by default; thousands of arms ran the same."""
    return ground((library.components[name], version) for name, version in running)


def _stated(setup: Setup, not_stated: Sequence[str]) -> Mapping[str, Any]:
    if not not_stated:
        return setup.flat()
    flat = dict(setup.flat())
    for key in not_stated:
        rest = key.removeprefix("both.")
        if key.startswith("points."):
            continue  # of the numbers, not of the setup
        for each in (key,) if rest == key else (key, f"prefill.{rest}", f"decode.{rest}"):
            flat.setdefault(each, UNKNOWN)
    return flat


def _made_of(stated: Mapping[str, Any], library: Library) -> dict[str, Any]:
    found = {part: stated[key] for part in PARTS if (key := f"{part}.component") in stated}
    if found.get("connector") in {None, UNKNOWN}:
        named = str(stated.get("connector.class_name", UNKNOWN))
        known = library.component_names.get(named.casefold())
        if known or "connector.mode" in stated or named != UNKNOWN:
            found["connector"] = known or (stated.get("connector.mode", UNKNOWN) if named == UNKNOWN else named)
    connector = library.components.get(str(found.get("connector")))
    if found.get("engine") in {None, UNKNOWN} and connector and connector.ships_in in library.components:
        found["engine"] = connector.ships_in
    return found


def match(one: ClaimAt, other: ClaimAt, library: Library) -> Matched:
    """The arms of two claims beside each other, and whether they are the same things."""
    mine, theirs = subjects(one, library), subjects(other, library)
    if len(mine) != len(theirs):
        named, those = (", ".join(each.id for each in arms) for arms in (mine, theirs))
        reason = Reason("arms", named, those, Truth.NO, "another number of arms is compared")
        return Matched((reason,), tuple(zip(mine, theirs, strict=False)), False)
    return paired(mine, theirs)


@lru_cache(maxsize=256)
def paired(mine: tuple[Subject, ...], theirs: tuple[Subject, ...]) -> Matched:
    """As many arms of one as of the other, in the order that fits best."""
    orders = [theirs, theirs[::-1]] if len(theirs) == 2 else [theirs]
    laid = [tuple(zip(mine, order, strict=True)) for order in orders]
    keys = tuple(dict.fromkeys([*PARTS, *telling(mine), *telling(theirs)]))
    values = [_values(arms, keys) for arms in (mine, theirs)]
    if len(mine) == 2 and builds_only(mine) and builds_only(theirs):
        best = next((pairs for pairs in laid if _same_roles(pairs)), None)
        pairs = best or laid[0]
        beside = zip(values[0], values[1] if pairs is laid[0] else values[1][::-1], strict=True)
        return Matched((*_arms(tuple(beside), keys), _builds(pairs)), pairs, best is not None)
    fit = _fitting(keys, *values)
    return Matched(fit.reasons, laid[fit.order], fit.sure)


Values = tuple[str | None, ...]
"""What an arm is in some keys, in words; None where no record speaks of it."""


@lru_cache(maxsize=8192)
def _values(arms: tuple[Subject, ...], keys: tuple[str, ...]) -> tuple[Values, ...]:
    return tuple(tuple(_in_words(arm, key) for key in keys) for arm in arms)


def _in_words(arm: Subject, key: str) -> str | None:
    value = arm.made_of.get(key) if key in PARTS else arm.stated.get(key)
    return None if value is None else words(value)


class _Fit(NamedTuple):
    """In which order the arms of two claims fit best."""

    order: int
    """0 as they stand, 1 the other way round."""
    sure: bool
    reasons: tuple[Reason, ...]


@lru_cache(maxsize=4096)
def _fitting(keys: tuple[str, ...], mine: tuple[Values, ...], theirs: tuple[Values, ...]) -> _Fit:
    """The order that fits best, found once: of thousands of claims most compare the same things."""
    orders = [theirs, theirs[::-1]] if len(theirs) == 2 else [theirs]
    found = [tuple(_arms(tuple(zip(mine, order, strict=True)), keys)) for order in orders]
    ranks = [RANK[Truth.all(reason.truth for reason in reasons)] for reasons in found]
    order = ranks.index(min(ranks))
    return _Fit(order, ranks.count(min(ranks)) == 1, found[order])


@lru_cache(maxsize=4096)
def builds_only(arms: tuple[Subject, ...]) -> bool:
    """Whether the arms are builds of one thing."""
    return not telling(arms) and all(arm.made_of == arms[0].made_of for arm in arms)


def _same_roles(pairs: Pairs) -> bool:
    return all(a.arm and b.arm and a.arm.role and a.arm.role is b.arm.role for a, b in pairs)


@lru_cache(maxsize=4096)
def telling(arms: tuple[Subject, ...]) -> tuple[str, ...]:
    """Setup keys that tell the arms of a claim apart; builds, and what a known part implies, aside."""
    keys = [key for key in dict.fromkeys(key for arm in arms for key in arm.stated) if not is_build(key)]
    known = {part for part in PARTS if all(arm.made_of.get(part) not in {None, UNKNOWN} for arm in arms)}
    return tuple(
        key
        for key in keys
        if any(a.stated.get(key) != b.stated.get(key) for a, b in pairwise(arms))
        and key.removeprefix("prefill.").removeprefix("decode.").partition(".")[0] not in known
    )


@lru_cache(maxsize=4096)
def is_build(key: str) -> bool:
    """Whether a key says which build ran."""
    return key.startswith("versions.") or key.rpartition(".")[2] in BUILD_FIELDS


def _arms(pairs: tuple[tuple[Values, Values], ...], keys: Iterable[str]) -> Iterator[Reason]:
    for n, key in enumerate(keys):
        beside = [(one[n], other[n]) for one, other in pairs]
        stated = [truth for a, b in beside if (truth := same(a, b)) is not None]
        if not stated:
            continue
        truth = Truth.all(stated)
        mine, theirs = (" / ".join(dict.fromkeys(map(words, arms))) for arms in zip(*beside, strict=True))
        says = {
            Truth.YES: f"the same {key}",
            Truth.NO: f"another {key}: not the same thing is compared",
            Truth.UNKNOWN: f"{key} is not stated for every arm",
        }[truth]
        yield Reason(key, mine, theirs, truth, says)


def same(a: Any, b: Any) -> Truth | None:
    """Whether two facts are the same; None when neither record speaks of it."""
    if a is None and b is None:
        return None
    if a in (None, UNKNOWN) or b in (None, UNKNOWN):
        return Truth.UNKNOWN
    if type(a) is str and a == b:  # mostly
        return Truth.YES
    return Truth.of(words(a).casefold() == words(b).casefold())


def _builds(pairs: Pairs) -> Reason:
    """Arms that are two builds of one thing: whether both evaluations compare builds with and without the same."""
    a, b = (_set_apart(arms) for arms in zip(*pairs, strict=True))
    truth = Truth.of(True if a & b else False if _kinds(a) & _kinds(b) else None)
    says = {
        Truth.YES: "both compare builds with and without the same thing",
        Truth.NO: "other builds are compared",
        Truth.UNKNOWN: "which builds are compared is not stated on both sides",
    }[truth]
    mine, theirs = (", ".join(sorted(each)) or UNKNOWN for each in (a, b))
    return Reason("builds", mine, theirs, truth, says)


def _set_apart(arms: Iterable[Subject]) -> set[str]:
    each = [build_names(arm.stated) for arm in arms]
    return {name for names in each for name in names if not all(name in others for others in each)}


_PULL = re.compile(r"(?i)(?:\b(?:PR|MR|pull request)\s*#?|#|/pull/|/merge_requests/)(\d+)")


def build_names(stated: Mapping[str, Any]) -> set[str]:
    """What a build is known by beyond its commit: versions, and pull requests it was built from."""
    found: set[str] = set()
    for key, value in stated.items():
        field = key.rpartition(".")[2]
        if field == "version" and value != UNKNOWN and not key.startswith(("client.", "versions.")):
            found.add(f"{key.split('.')[-2]} {value}")
        elif field in {"branch", "patches"}:
            found |= {f"PR {number}" for number in _PULL.findall(words(value))}
    return found


def _kinds(names: Iterable[str]) -> set[str]:
    return {name.split()[0] for name in names}


def points_of(at: ClaimAt) -> tuple[Point, ...]:
    """The points that a claim's effect is computed from."""
    table = at.evaluation.point_table()
    return tuple(table[name] for name in (at.claim.effect.points if at.claim.effect else ()) if name in table)


def region(key: str, at: ClaimAt, arm: Subject) -> Region | None:
    """Where on the scale of a load key a claim was measured: its points, else its setup, narrowed by its conditions."""
    return arm.once(at.claim, key, lambda: _region(key, at, arm))


def _region(key: str, at: ClaimAt, arm: Subject) -> Region | None:
    workload = arm.setup.workload
    wheres = [point.where for point in points_of(at) if point.where and getattr(point.where, key) is not None]
    found = of_spread(getattr(wheres[0], key) if wheres else getattr(workload, key, None))
    for condition in conditions_on(at.claim, arm):
        if condition.key == f"workload.{key}":
            found = narrowed(found, condition)
    return found


def conditions_on(claim: Claim, arm: Subject) -> Iterator[Condition]:
    """Conditions on an arm that must all be so; alternatives are left to the test of facts."""
    for loc, condition in single(claim.conditions):
        if len(loc) == 1 and condition.arm in {None, arm.id}:
            yield condition


def facts(at: ClaimAt, arm: Subject) -> InForce:
    """An arm's facts; what the setup leaves open and a condition fixes counts as fixed."""
    return arm.once(at.claim, "facts", lambda: _facts(at, arm))


def _facts(at: ClaimAt, arm: Subject) -> InForce:
    fixed = {
        condition.key: condition.value[0]
        for condition in conditions_on(at.claim, arm)
        if condition.op is Operator.IS and len(condition.value) == 1
    }
    left_open = {key: value for key, value in fixed.items() if arm.facts.get(key) in (None, UNKNOWN)}
    if not left_open:
        return arm.facts
    return InForce({**arm.facts.stated, **left_open}, arm.facts.defaults, arm.facts.origins)


def words(value: Any) -> str:
    """A value as people read it."""
    if type(value) is str:  # mostly
        return value
    if value is None:
        return "not stated"
    if isinstance(value, Span):
        return f"{value.low:g} to {value.high:g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(words, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
