"""Reviews: a claim was looked at up to named releases, and what a sign-off would pass over is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from packaging.version import Version

from kb.change import Change
from kb.effects import Effect, Standing, effects
from kb.errors import KbError, NotFound
from kb.evaluation import Claim, Evaluation, Review
from kb.lines import Line
from kb.named import component_of, release_of
from kb.passage import Passage
from kb.registry import Registry
from kb.rules.anchor_changed import differs
from kb.scene import Scene, scene
from kb.statements import Signed, Statement, made, verdicts_of
from kb.suggest import nearest
from kb.target import SIDES, Target
from kb.verdict import Why
from kb.versions import parse
from kb.vocabulary import Ships

SPEAKS = (Standing.TOUCHED, Standing.OPEN)
OF_THE_PIN = frozenset({"correctness-defect", "not-a-release"})
"""Rules that speak of what was measured, whatever release is asked about."""


def review(
    evaluation: Evaluation,
    claim: Claim | None,
    at: Iterable[str],
    before: Iterable[str],
    signed: Signed,
    registry: Registry,
) -> Statement:
    """A sign-off up to named releases, of one claim or of all. Raises KbError for what it would pass over."""
    stored = signed.stored()
    claims = (claim,) if claim else evaluation.claims
    if not claims:
        raise KbError(f"{evaluation.id} claims nothing", "a review is about what an evaluation concludes")
    distributions = _running(evaluation, claims, registry)
    versions = _versions(at, evaluation, distributions, registry)
    if not versions:
        newest = _newest(_scenes(evaluation, claims, Target(), registry))
        named = " ".join(f"--at {name}={version}" for name, version in newest.items()) or "--at COMPONENT=VERSION"
        raise KbError("a review is up to a release of something", f"the newest that go together: {named}")
    target = Target(at={(None, name): version for name, version in versions.items()})
    shown = _effects(evaluation, claims, target, registry, set(versions))
    stops = _versions(before, evaluation, distributions, registry)
    _refuse_unseen(_unseen(evaluation, claims, shown, versions, stops, registry))
    told = (each for each in shown if each.standing in SPEAKS or each.reason is Why.REPLACED)
    seen = tuple(sorted({each.change for each in told}))
    record: dict[str, Any] = {"claims": [claim.id]} if claim else {}
    record |= {"date": stored["date"]} | ({"by": stored["by"]} if "by" in stored else {})
    record |= {"at": _spelt_out(versions, distributions), "because": stored["because"], "seen": list(seen)}
    code = _code(_scenes(evaluation, claims, target, registry), set(versions))
    record |= {"code": {symbol: list(releases) for symbol, releases in code.items()}} if code else {}
    signed_off = made(Review, record)
    changed = evaluation.model_copy(update={"reviews": (*evaluation.reviews, signed_off)})
    verdicts = verdicts_of(evaluation, changed, claims, target, registry)
    return Statement(evaluation, claims, "reviews", record, shown, seen, verdicts, turns=code)


def _code(scenes: Iterable[Scene], distributions: set[str]) -> dict[str, tuple[str, ...]]:
    """Anchors of the claims whose code differs up to the target, with the releases in which it does."""
    found: dict[str, dict[str, None]] = {}
    for one in scenes:
        for arm in one.arms:
            for line in (each for each in arm.lines if each.distribution in distributions):
                for choice in line.choices:
                    for anchor, releases in differs(Passage(one, arm, line, choice)).items():
                        found.setdefault(anchor, {}).update(dict.fromkeys(releases))
    oldest = Version("0")
    return {anchor: tuple(sorted(found[anchor], key=lambda each: parse(each) or oldest)) for anchor in sorted(found)}


def _scenes(evaluation: Evaluation, claims: Iterable[Claim], target: Target, registry: Registry) -> Iterator[Scene]:
    yield from (scene(evaluation, claim, target, registry) for claim in claims)


def _effects(
    evaluation: Evaluation, claims: Iterable[Claim], target: Target, registry: Registry, distributions: set[str]
) -> tuple[Effect, ...]:
    """What changed between the measured builds and the target is to each claim; what both builds have is left out."""
    found = (
        each for one in _scenes(evaluation, claims, target, registry) for each in effects(one, distributions).values()
    )
    alike = {"already-there", "does-not-ship"}
    return tuple(each for each in found if each.standing in SPEAKS or (each.reason and each.reason.value not in alike))


def _running(evaluation: Evaluation, claims: Iterable[Claim], registry: Registry) -> dict[str, tuple[str, ...]]:
    """Distribution -> the components of it that the arms of some claims run."""
    found: dict[str, dict[str, None]] = {}
    for one in _scenes(evaluation, claims, Target(), registry):
        for line in _lines(one):
            found.setdefault(line.distribution, {}).update(dict.fromkeys(line.components))
    return {name: tuple(components) for name, components in found.items()}


def _newest(scenes: Iterable[Scene]) -> dict[str, str]:
    """Distribution -> the release at which the audit asks of it when nobody names one."""
    found: dict[str, str] = {}
    for line in (line for one in scenes for line in _lines(one)):
        found.setdefault(line.distribution, line.now.one or "VERSION")
    return found


def _lines(one: Scene) -> Iterator[Line]:
    yield from (line for arm in one.arms for line in arm.lines)


def _versions(
    texts: Iterable[str], evaluation: Evaluation, running: Mapping[str, tuple[str, ...]], registry: Registry
) -> dict[str, str]:
    """COMPONENT=VERSION words as distribution -> release. Raises KbError."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, version = (part.strip() for part in text.partition("="))
        if not equals or not name or not version:
            raise KbError(f'"{text}" is not COMPONENT=VERSION', "for example vllm=0.33.0")
        if name.partition(":")[0] in SIDES and ":" in name:
            raise KbError(f'"{text}": a review is for both sides', f"write {name.partition(':')[2]}={version}")
        distribution, release = _version(name, version, evaluation, running, registry)
        if found.setdefault(distribution, release) != release:
            hint = f"{', '.join(running[distribution])} ship together in {distribution}: name one version"
            raise KbError(f"{distribution} is given as {found[distribution]} and as {release}", hint)
    return found


def _version(
    name: str, version: str, evaluation: Evaluation, running: Mapping[str, tuple[str, ...]], registry: Registry
) -> tuple[str, str]:
    component = component_of(name, registry.library)
    distribution = registry.distribution(component.id) if component else name
    if distribution not in running:
        what = f"{evaluation.id} runs no {component.id}" if component else f'no component is called "{name}"'
        near = nearest(name, [*running, *(each for names in running.values() for each in names)])
        run = ", ".join(running) or "nothing that is known"
        raise NotFound(what, f"did you mean {near}?" if near and not component else f"it runs {run}")
    known = component or registry.library.components.get(running[distribution][0])
    return distribution, release_of(known, version, registry) if known else version


def _spelt_out(versions: Mapping[str, str], running: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Every component that was looked at, with the release: those of one distribution move together."""
    return {component: version for name, version in versions.items() for component in running[name]}


@dataclass(frozen=True, slots=True)
class Unseen:
    """A change that speaks in a release which the review does not reach."""

    effect: Effect
    distribution: str
    first: str
    """The first release after the reviewed one in which it does."""
    newest: str
    at: str | None
    """The reviewed release, if the distribution was named."""


def _unseen(
    evaluation: Evaluation,
    claims: tuple[Claim, ...],
    shown: Iterable[Effect],
    versions: Mapping[str, str],
    stops: Mapping[str, str],
    registry: Registry,
) -> list[Unseen]:
    """What speaks at the newest releases, was not shown, and lies before where the author says that he stops."""
    told = {(each.claim, each.change) for each in shown if each.standing in SPEAKS}
    found = []
    for one in _scenes(evaluation, claims, Target(), registry):
        for effect in effects(one).values():
            if (
                effect.standing in SPEAKS
                and effect.rule not in OF_THE_PIN
                and (effect.claim, effect.change) not in told
            ):
                found += [each for each in _first(effect, one, versions) if not _stopped(each, stops)]
    return found


def _first(effect: Effect, one: Scene, versions: Mapping[str, str]) -> Iterator[Unseen]:
    """The release that brings a change, after the one reviewed or measured."""
    registry = one.registry
    change = registry.library.changes[effect.change]
    for line in _lines(one):
        component = next((each for each in line.components if each in {change.component, *change.also}), None)
        newest = line.now.one
        if component and newest:
            at = versions.get(line.distribution)
            yield Unseen(effect, line.distribution, _turning(change, component, at, newest, line, registry), newest, at)
            return


def _turning(change: Change, component: str, at: str | None, newest: str, line: Line, registry: Registry) -> str:
    releases = [each.version for each in registry.releases(component)]
    since = at or (line.was.versions[0] if line.was.versions else None)
    after = releases[releases.index(since) + 1 :] if since in releases else releases
    wanted = registry.carried(change, component, newest)
    told = (each for each in after if registry.carried(change, component, each) is wanted)
    return next(told, newest) if wanted is not Ships.NOT_ESTABLISHED else (after or [newest])[0]


def _stopped(unseen: Unseen, stops: Mapping[str, str]) -> bool:
    """Whether the author has said that the review ends before the release that brings it."""
    stop, first = parse(stops.get(unseen.distribution, "")), parse(unseen.first)
    return stop is not None and first is not None and stop <= first


def _refuse_unseen(unseen: list[Unseen]) -> None:
    """Raises KbError: a sign-off that passes over a known newer change would be read as one that saw it."""
    if not unseen:
        return
    first = unseen[0]
    names = list(dict.fromkeys(each.effect.change for each in unseen))
    more = f" (and {len(names) - 1} more)" if len(names) > 1 else ""
    stops = (
        f"the review stops at {first.at}" if first.at else f"the review does not say how far {first.distribution} goes"
    )
    newest = {each.distribution: each.newest for each in unseen}
    brings = _earliest(unseen)
    at = " ".join(f"--at {name}={version}" for name, version in newest.items())
    before = " ".join(f"--before {name}={version}" for name, version in brings.items())
    touches = "touches" if first.effect.standing is Standing.TOUCHED else "may touch"
    brings_it = f"{first.distribution} {first.first} brings {first.effect.change}"
    raise KbError(
        f"{brings_it}, which {touches} {first.effect.claim}{more}; {stops}",
        f"review with {at}; or say that it ends before: {before}",
    )


def _earliest(unseen: Iterable[Unseen]) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in unseen:
        old, new = parse(found.get(each.distribution, "")), parse(each.first)
        if old is None or (new is not None and new < old):
            found[each.distribution] = each.first
    return found
