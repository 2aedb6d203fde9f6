"""Later evaluations of the same question, and what each is to a claim: the same answer, another one, or neither."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Literal

from packaging.version import Version

from kb.comparability import Comparability, claims_comparable, loads_apart, tested
from kb.conditions import AnyOf, Condition, Truth
from kb.directions import same_direction
from kb.evaluation import Claim, Evaluation, RelationTo
from kb.lines import BUILD_FIELDS
from kb.matching import ClaimAt, Reason
from kb.once import once
from kb.registry import Registry
from kb.scene import Scene
from kb.verdict import Silent, Why
from kb.versions import parse
from kb.vocabulary import UNKNOWN, ClaimKind, Relation
from kb.voices import Voices

NEVER = {
    Relation.INAPPLICABLE: "called inapplicable to this one",
    Relation.RELATED: "called related, which is neither for nor against",
    Relation.SAME_SOURCE: "another report of the same runs",
}
"""Relations that never count against an earlier evaluation."""

FIELDS_OF_WHAT = frozenset(
    {"question", "effect", "engine", "connector", "transfer_library", "cache", "builds", "metric", "statistic"}
)
"""Fields that say what was compared; every other field says under which circumstances."""


class Sort(StrEnum):
    """What a later claim is to an earlier one."""

    CONTRADICTS = "contradicts"
    """Under the same conditions it gives another answer."""
    NARROWS = "narrows"
    """Under other conditions, which the earlier claim does not state, it gives another answer."""
    SUPPORTS = "supports"
    """Under the same conditions it gives the same answer."""


@dataclass(frozen=True, slots=True)
class Later:
    """A later claim that counts."""

    evaluation: Evaluation
    claim: Claim
    sort: Sort
    found: Comparability
    boundary: tuple[Reason, ...] = ()
    """Circumstances that separate the two, for one that narrows."""

    @property
    def name(self) -> str:
        """evaluation/claim."""
        return f"{self.evaluation.id}/{self.claim.id}"


@once
def later(scene: Scene) -> tuple[Later, ...]:
    """Every claim of a later evaluation, of the same question or that names this one, that counts."""
    return _judged(beside(scene), scene)


@once
def against(scene: Scene) -> tuple[Later, ...]:
    """Of these the ones that give another answer, found without asking whether the others are comparable."""
    return _judged([at for at in beside(scene) if _same(at, scene) is not Truth.YES], scene)


def foremost(scene: Scene, sort: Sort) -> tuple[Later, ...]:
    """Of the claims that are this to the claim the first by name, found without looking at what comes after it; more
    than one where a record gives claims one id."""
    near = sorted((at for at, apart in _apart_in_load(scene) if _may_be(sort, apart, scene.claim)), key=str)
    for _, named in groupby(near, key=str):
        counting = (at for at in named if _counts(at.evaluation, scene))
        different = [at for at in counting if _same(at, scene) is not Truth.YES]
        if found := tuple(each for each in _judged(different, scene) if each.sort is sort):
            return found
    return ()


@once
def _apart_in_load(scene: Scene) -> tuple[tuple[ClaimAt, frozenset[str]], ...]:
    """Claims that could count, with the tested loads that keep them from being comparable. These are told apart by
    values of which most claims share theirs, where else all fields of two claims are looked at."""
    if not (heard := _heard(scene)):
        return ()
    mine = tested(ClaimAt(scene.evaluation, scene.claim), scene.library)
    return tuple((at, loads_apart(mine, tested(at, scene.library))) for at in heard)


def _may_be(sort: Sort, apart: frozenset[str], claim: Claim) -> bool:
    """Whether a claim can be this to another one, as far as the loads tell that keep the two apart: comparable are only
    claims of which all meet, and what narrows differs from the claim in nothing that a condition states already."""
    return apart.isdisjoint(_conditions(claim)) if sort is Sort.NARROWS else not apart


def _judged(others: Iterable[ClaimAt], scene: Scene) -> tuple[Later, ...]:
    mine, known = ClaimAt(scene.evaluation, scene.claim), _known(scene)
    found = []
    for at in others:
        if id(at) not in known:  # those beside a claim stay with it
            known[id(at)] = _against(mine, at, _same(at, scene), scene)
        found.append(known[id(at)])
    return tuple(each for each in found if isinstance(each, Later))


@once
def _known(_scene: Scene) -> dict[int, Later | Silent]:
    return {}


def _same(at: ClaimAt, scene: Scene) -> Truth:
    known = _directions(scene)
    if id(at) not in known:
        known[id(at)] = same_direction(ClaimAt(scene.evaluation, scene.claim), at, scene.library)
    return known[id(at)]


@once
def _directions(_scene: Scene) -> dict[int, Truth]:
    return {}


@once
def beside(scene: Scene) -> tuple[ClaimAt, ...]:
    """Claims of later evaluations that could count."""
    return tuple(at for at in _heard(scene) if _counts(at.evaluation, scene))


@once
def _heard(scene: Scene) -> tuple[ClaimAt, ...]:
    """Only claims beside which a direction can be told: a question may have thousands of others."""
    measured = scene.claim.kind is ClaimKind.MEASURED
    return _voices(scene.registry).beside(scene.evaluation, scene.claim) if measured else ()


def _counts(evaluation: Evaluation, scene: Scene) -> bool:
    """Whether a later evaluation asks the same of this target; asked once for all of its claims."""
    known = _counting(scene)
    if evaluation.id not in known:
        relation = _relation(evaluation, scene)
        asks = evaluation.question == scene.evaluation.question
        known[evaluation.id] = asks and relation is not False and _out(evaluation, relation, scene) is None
    return known[evaluation.id]


@once
def _counting(_scene: Scene) -> dict[str, bool]:
    return {}


@once
def _voices(registry: Registry) -> Voices:
    return Voices(registry.library, registry.rivalry)


@dataclass(frozen=True, slots=True)
class Written:
    """A person's word against the claim, about a later evaluation that the tool cannot compare by itself."""

    evaluation: Evaluation
    relation: RelationTo
    because: str
    """What keeps the tool from comparing the two."""


AGAINST = frozenset({Relation.NARROWS, Relation.CONTRADICTS, Relation.SUPERSEDES, Relation.FAILS_TO_REPLICATE})
"""Relations by which a person speaks against an earlier evaluation."""


@once
def written(scene: Scene) -> tuple[Written, ...]:
    """Every later evaluation that a person set against the claim, and of which the tool by itself finds nothing."""
    return tuple(_written(scene)) if scene.claim.kind is ClaimKind.MEASURED else ()


def _written(scene: Scene) -> Iterator[Written]:
    naming = scene.registry.rivalry.naming(scene.evaluation)
    counting = {each.evaluation.id for each in later(scene)} if naming else frozenset()
    for evaluation in naming:
        relation = _relation(evaluation, scene)
        if not relation or relation.relation not in AGAINST or evaluation.id in counting:
            continue
        if not _is_later(evaluation, scene.evaluation) or _out(evaluation, relation, scene):
            continue
        found = tuple(_found(evaluation, scene))
        if _stated_already(evaluation, found, scene) is None:
            because = found[0].reason.removeprefix(f"{evaluation.id}: ") if found else "it claims nothing measured"
            yield Written(evaluation, relation, because)


def _found(evaluation: Evaluation, scene: Scene) -> Iterator[Silent]:
    """What the tool by itself says of an evaluation of which no claim counts."""
    if evaluation.question != scene.evaluation.question:
        reason = f"{evaluation.id}: answers another question ({evaluation.question})"
        yield Silent(Why.NOT_COMPARABLE, reason, evaluation=evaluation.id)
    else:
        yield from _silent(evaluation, scene)


def _stated_already(evaluation: Evaluation, found: Iterable[Silent], scene: Scene) -> Silent | None:
    """A boundary that the claim's own conditions name: of a key on which the later claims state something else."""
    if known := next((each for each in found if each.why is Why.STATED_ALREADY), None):
        return known
    mine = {(each.key, str(each)) for each in _single(scene.claim)}
    measured = [each for each in evaluation.claims if each.kind is ClaimKind.MEASURED]
    theirs = {(each.key, str(each)) for claim in measured for each in _single(claim)}
    same = sorted({key for key, _ in theirs - mine} & {key for key, _ in mine - theirs})
    if not same:
        return None
    reason = f"{evaluation.id}: elsewhere in {same[0]}, which this claim's conditions state"
    return Silent(Why.STATED_ALREADY, reason, evaluation=evaluation.id)


def apart(scene: Scene) -> Iterator[Silent]:
    """Later evaluations that were looked at and do not count, each with the reason."""
    if scene.claim.kind is not ClaimKind.MEASURED or scene.only is not None:
        return
    counting = {each.evaluation.id for each in later(scene)} | {each.evaluation.id for each in written(scene)}
    for evaluation in scene.registry.rivalry.of(scene.evaluation):
        relation = _relation(evaluation, scene)
        if evaluation.id in counting or not _is_later(evaluation, scene.evaluation):
            continue
        if why := _out(evaluation, relation, scene):
            yield Silent(why[0], f"{evaluation.id}: {why[1]}", evaluation=evaluation.id)
        elif relation and relation.relation in AGAINST and (stated := _stated_already(evaluation, (), scene)):
            yield stated
        elif relation is not False:
            yield from _found(evaluation, scene)
    yield from _unlike(scene)


def _unlike(scene: Scene) -> Iterator[Silent]:
    """Later evaluations of the question that compare other things: looked at no further than that."""
    for each in scene.registry.rivalry.fellows(scene.evaluation):
        if _is_later(each, scene.evaluation):
            reason = f"{each.id}: compares other connectors on the same question"
            yield Silent(Why.NOT_COMPARABLE, reason, evaluation=each.id)


def _is_later(evaluation: Evaluation, than: Evaluation) -> bool:
    days = [str(each.date) for each in (evaluation, than) if each.date and each.date != UNKNOWN]
    return len(days) == 2 and days[0] > f"{days[1]}~"  # a day is not later than the month it lies in


def _relation(evaluation: Evaluation, scene: Scene) -> RelationTo | Literal[False] | None:
    """How it calls itself to this claim; None when it says nothing, False when it speaks of other claims only."""
    named = [each for each in evaluation.relations if each.to == scene.evaluation.id]
    mine = [each for each in named if not each.claims or scene.claim.id in each.claims]
    return mine[0] if mine else False if named else None


def _out(evaluation: Evaluation, relation: RelationTo | Literal[False] | None, scene: Scene) -> tuple[Why, str] | None:
    """Why a whole evaluation does not count here."""
    if relation and relation.relation in NEVER:
        return Why.NOT_COMPARABLE, NEVER[relation.relation]
    against = relation and relation.relation in AGAINST
    if not against and evaluation.question != scene.evaluation.question:
        return Why.NOT_COMPARABLE, f"answers another question ({evaluation.question})"
    if _own_build(evaluation):
        return Why.UNRELEASED_BUILD, "measured on a build that is no release; something to watch"
    newer = _newer_than_target(evaluation, scene)
    return (Why.DOES_NOT_SHIP, f"measured {newer}, which the target does not run") if newer else None


@once
def _own_build(evaluation: Evaluation) -> bool:
    """Whether something that is no release ran in an arm that its measured claims cite."""
    measured = [each for each in evaluation.claims if each.kind is ClaimKind.MEASURED]
    cited = {arm.id: arm for claim in measured for arm in evaluation.cited_arms(claim)}
    setups = [evaluation.setup, *(arm.setup for arm in (cited.values() if measured else evaluation.arms))]
    pins = [pin for setup in setups if setup for pin in setup.pins().values()]
    fields = [name for name in BUILD_FIELDS if name in {"branch", "fork", "patches"}]
    return any(getattr(pin, name) not in {None, UNKNOWN, ()} for pin in pins for name in fields)


def _newer_than_target(evaluation: Evaluation, scene: Scene) -> str | None:
    """A build of the later evaluation that is newer than what the target runs."""
    newest = _newest(scene)
    for distribution, version, measured in _ran(scene.registry, evaluation.id):
        run = newest.get(distribution)
        if run is not None and run < measured:
            return version
    return None


@once
def _ran(registry: Registry, evaluation: str) -> tuple[tuple[str, str, Version], ...]:
    """Releases that an evaluation of the library states: distribution, in words, and as a version."""
    record = registry.library.evaluations[evaluation]
    setups = filter(None, (record.setup, *(arm.setup for arm in record.arms)))
    stated = ((name, each) for setup in setups for name, versions in setup.versions().items() for each in versions)
    found = ((name, each, parse(each)) for name, each in dict.fromkeys(stated))
    return tuple((registry.distribution(name), f"{name} {each}", at) for name, each, at in found if at)


@once
def _newest(scene: Scene) -> Mapping[str, Version]:
    """Distribution -> the newest build of it that the target may run."""
    asked = {line.distribution: line.now.versions for arm in scene.arms for line in arm.lines}
    found = {name: [parsed for each in versions if (parsed := parse(each))] for name, versions in asked.items()}
    return {name: max(run) for name, run in found.items() if run}


def _silent(evaluation: Evaluation, scene: Scene) -> Iterator[Silent]:
    """What is to be said of an evaluation of which no claim counts: that of its first one."""
    measured = next((claim for claim in evaluation.claims if claim.kind is ClaimKind.MEASURED), None)
    if measured is None:
        return
    mine, other = ClaimAt(scene.evaluation, scene.claim), ClaimAt(evaluation, measured)
    judged = _against(mine, other, same_direction(mine, other, scene.library), scene)
    if isinstance(judged, Silent):
        yield judged


def _against(mine: ClaimAt, other: ClaimAt, same: Truth, scene: Scene) -> Later | Silent:
    if _other_metric(mine, other):
        what = f"{other}: another metric ({other.claim.effect.metric if other.claim.effect else 'none'})"
        return Silent(Why.NOT_COMPARABLE, what, evaluation=other.evaluation.id)
    if same is Truth.UNKNOWN:  # neither for nor against, whatever else they have in common
        what = f"{other}: its direction beside this one cannot be told"
        return Silent(Why.NOT_COMPARABLE, what, evaluation=other.evaluation.id)
    found = claims_comparable(mine, other, scene.library)
    if found.answer is Truth.YES:
        sort = Sort.SUPPORTS if same is Truth.YES else Sort.CONTRADICTS
        return Later(other.evaluation, other.claim, sort, found)
    if found.answer is Truth.NO and _elsewhere(found):
        return _apart(other, found, same, scene)
    reasons = found.against or found.open
    return Silent(Why.NOT_COMPARABLE, f"{other}: {reasons[0].field}: {reasons[0].says}", evaluation=other.evaluation.id)


def _other_metric(mine: ClaimAt, other: ClaimAt) -> bool:
    """Whether two claims are about labels that differ, neither of which says by a definition that it means the same."""
    one, two = mine.claim.effect, other.claim.effect
    if one is None or two is None or one.metric == two.metric:
        return False
    points = (*mine.evaluation.points, *other.evaluation.points)
    return not any(point.definition for point in points)


def _elsewhere(found: Comparability) -> bool:
    """Whether the two compare the same things, and only the circumstances differ."""
    return not any(each.field in FIELDS_OF_WHAT or each.field.startswith("slo.") for each in found.against)


def _apart(other: ClaimAt, found: Comparability, same: Truth, scene: Scene) -> Later | Silent:
    stated = _conditions(scene.claim)
    already = [each for each in found.against if each.field in stated]
    if already or same is Truth.YES:
        what = already[0] if already else found.against[0]
        why = Why.STATED_ALREADY if already else Why.NOT_COMPARABLE
        how = "which this claim's conditions state" if already else "and gives the same answer there"
        return Silent(why, f"{other}: elsewhere in {what.field} ({what.other}), {how}", evaluation=other.evaluation.id)
    if found.open:
        return Silent(
            Why.NOT_COMPARABLE, f"{other}: {found.open[0].field}: {found.open[0].says}", evaluation=other.evaluation.id
        )
    return Later(other.evaluation, other.claim, Sort.NARROWS, found, found.against)


@once
def _conditions(claim: Claim) -> frozenset[str]:
    return frozenset(each.key for each in _single(claim))


def _single(claim: Claim) -> Iterator[Condition]:
    yield from (one for each in claim.conditions for one in (each.any_of if isinstance(each, AnyOf) else (each,)))
