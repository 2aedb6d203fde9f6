"""Does each conclusion still hold, at these versions, for this deployment: the rules asked, their answers weighed.

Pure: the same library and target give the same verdicts, byte for byte. There is no clock and no network here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from kb.builds import Builds
from kb.candidates import in_tables, span
from kb.envelope import covers, differing, envelope
from kb.evaluation import Claim, Evaluation
from kb.later import apart
from kb.library import Library
from kb.lines import Choice, Line
from kb.passage import Passage, passage_of
from kb.registry import Registry
from kb.rules import ABOUT_THE_REST, PassageRule, Rule, able_rules, claim_rules, last_rules, open_pin, passage_rules
from kb.scene import ArmScene, Scene, scene
from kb.silence import Told, bystanders, quiet
from kb.target import Target
from kb.verdict import ORDER, WEAKEST, Build, Candidate, Ruling, Said, Silent, Verdict, Why, asked_at, strongest
from kb.vocabulary import ClaimKind, Outcome

Rows = Mapping[Choice, tuple[Ruling, ...]]


@dataclass(frozen=True)
class Audit:
    """Verdicts on claims at one target."""

    target: Target
    verdicts: tuple[Verdict, ...]

    @property
    def counts(self) -> dict[str, int]:
        """Outcome -> number of claims, every outcome named: the unknown ones belong to the denominator."""
        found = Counter(each.outcome for each in self.verdicts)
        return {outcome.value: found[outcome] for outcome in (Outcome.HOLDS, *ORDER[:-1])}

    def of(self, evaluation: str, claim: str) -> Verdict:
        """The verdict on one claim. Raises KeyError."""
        return next(each for each in self.verdicts if (each.evaluation, each.claim) == (evaluation, claim))


def audit(
    library: Library,
    target: Target | None = None,
    evaluations: Iterable[str] | None = None,
    changes: Iterable[str] | None = None,
    today: str | None = None,
    registry: Registry | None = None,
    brief: bool = False,
    held: bool = False,
) -> Audit:
    """Judge every claim of some evaluations (all, without any named) at a target.

    `evaluations` are ids, or `ID/CLAIM` for a single claim. With `changes` only these are judged, and `covers` says
    that the rest was not. `today` is for horizons of signals. `brief` and `held`: as for `judge`.
    """
    registry = registry or Registry(library)
    target = target or Target()
    only = frozenset(changes) if changes is not None else None
    claims = claims_of(library, evaluations)
    return Audit(target, tuple(judge(scene(e, c, target, registry, today, only), brief, held) for e, c in claims))


def claims_of(library: Library, wanted: Iterable[str] | None) -> Iterator[tuple[Evaluation, Claim]]:
    """Claims of some evaluations (all, without any named), in the order of ids; `ID/CLAIM` is a single one."""
    names = None if wanted is None else frozenset(wanted)
    asked = library.evaluations if names is None else {name.partition("/")[0] for name in names}
    for id_ in sorted(library.evaluations.keys() & asked):
        evaluation = library.evaluations[id_]
        for claim in evaluation.claims:
            if names is None or id_ in names or f"{id_}/{claim.id}" in names:
                yield evaluation, claim


def judge(scene: Scene, brief: bool = False, held: bool = False) -> Verdict:
    """The verdict on one claim at one target. In a `brief` one rulings may be missing that are weaker than what
    decides; outcome, what decides, and the table of an open pin are the same. With one that is `held` stays what was
    laid out for it, for whoever reads at once what is silent; else that is laid out again when it is read."""
    firm, silent = _parted(_ask_claim(scene))
    found = strongest(firm) if brief else None
    most = found.rank if found else WEAKEST
    sure = [*firm]
    tables: dict[tuple[str, str | None, Builds, Builds], dict[Choice, list[Ruling]]] = {}
    for arm, line in _lines(scene):
        table = tables.setdefault(line.key, {}) if line.open else None
        for choice, rulings in _ask_line(scene, arm, line, most):
            if table is None:
                firm += rulings
                sure += () if line.inferred else rulings
            else:
                table.setdefault(choice, []).extend(rulings)
    lines = {line.key: line for _, line in _lines(scene)}
    rows = {key: {choice: _merged(each) for choice, each in table.items()} for key, table in tables.items()}

    def here() -> Scene:
        return scene

    afresh = here if held else scene.afresh
    weighed = _weighed(scene, _merged(firm), [(lines[key], table) for key, table in rows.items()], silent, afresh, sure)
    return weighed if most == WEAKEST else replace(weighed, quiet=lambda: judge(afresh()).checked)


def _lines(scene: Scene) -> Iterator[tuple[ArmScene, Line]]:
    """Lines of the arms that count. Of a hypothesis none: nothing was measured that could age."""
    if scene.claim.kind is not ClaimKind.HYPOTHESIS:
        yield from ((arm, line) for arm in scene.arms for line in arm.lines)


def _ask_claim(scene: Scene) -> Iterator[Said]:
    for rule in claim_rules():
        if scene.only is not None and rule.NAME in ABOUT_THE_REST:
            continue
        yield from (_signed(each, rule) for each in rule.judge(scene))


def _ask_passage(passage: Passage, rules: Iterable[PassageRule]) -> Iterator[Said]:
    for rule in rules:
        yield from (_signed(each, rule) for each in rule.judge_passage(passage))


def _ask_line(scene: Scene, arm: ArmScene, line: Line, most: int) -> Iterator[tuple[Choice, list[Ruling]]]:
    """What the rules say of each choice of builds; of builds that are alike they are asked once. Rules that can only
    say what is weaker than the rank `most` are not asked."""
    known: dict[Hashable, tuple[list[Ruling], bool]] = {}
    first = passage_of(scene, arm, line, line.choices[0])
    rules = able_rules(first.stake, most) if line.open else passage_rules(most)
    if not rules and not last_rules(most):
        yield from ((choice, []) for choice in line.choices)
        return
    for choice in line.choices:
        passage = passage_of(scene, arm, line, choice)
        like = passage.likeness if line.open else choice
        if like not in known:
            found, _ = _parted(_ask_passage(passage, rules))
            # of an open pin only a row that would hold needs coverage
            known[like] = found, _says(found) if line.open else _decided(found)
        rulings, settled = known[like]
        yield choice, rulings if settled else [*rulings, *_parted(_ask_last(passage, most))[0]]


def _ask_last(passage: Passage, most: int) -> Iterator[Said]:
    for rule in last_rules(most):
        yield from (_signed(each, rule) for each in rule.judge_passage(passage))


def _says(rulings: Iterable[Ruling]) -> bool:
    """Whether anything speaks."""
    return any(each.outcome for each in rulings)


def _decided(rulings: Iterable[Ruling]) -> bool:
    """Whether an answer was found, and not only a question."""
    return any(each.outcome not in {None, Outcome.UNKNOWN} or each.impossible for each in rulings)


def _signed(said: Said, rule: Rule) -> Said:
    return said.signed(rule.CODE, rule.NAME) if isinstance(said, Ruling) else said


def _parted(said: Iterable[Said]) -> tuple[list[Ruling], list[Silent]]:
    rulings: list[Ruling] = []
    silent: list[Silent] = []
    for each in said:
        if isinstance(each, Ruling):
            rulings.append(each)
        else:
            silent.append(each)
    return rulings, silent


def _merged(rulings: Iterable[Ruling]) -> tuple[Ruling, ...]:
    """Rulings that say the same of several arms, said once; the strongest first, of equals those that speak whichever
    build an open pin was, in the order of codes."""
    first: dict[Hashable, Ruling] = {}
    arms: dict[Hashable, dict[str, None]] = {}
    for each in rulings:
        key = (each.code, each.message, each.outcome, each.change, each.condition, each.symbol, each.found)
        first.setdefault(key, each)
        arms.setdefault(key, {}).update(dict.fromkeys(each.arm.split(", ") if each.arm else ()))
    merged = [_said_of(each, ", ".join(arms[key]) or None) for key, each in first.items()]
    return tuple(sorted(merged, key=lambda each: (each.rank, each.of_some, each.code, each.change or "", each.message)))


def _said_of(ruling: Ruling, arm: str | None) -> Ruling:
    return ruling if ruling.arm == arm else ruling._replace(arm=arm)


def _weighed(
    scene: Scene,
    firm: tuple[Ruling, ...],
    tables: list[tuple[Line, Rows]],
    silent: list[Silent],
    afresh: Callable[[], Scene],
    sure: Iterable[Ruling],
) -> Verdict:
    alone = [(line, table, _candidates(line, table, firm)) for line, table in tables]
    # of an open pin: that its candidates disagree, and what they have in common, which is as firm as without a choice
    said = [(*_disagreement(line, rows), *_common(line, rows, table)) for line, table, rows in alone]
    rulings = _merged((*firm, *(each for line in said for each in line)))
    candidates: list[Candidate] = []
    for n, (line, table, rows) in enumerate(alone):
        others = [each for m, rest in enumerate(said) if m != n for each in rest]
        candidates += _candidates(line, table, (*firm, *others)) if others else rows
    winner = strongest(rulings)
    differs = differing(scene)
    note = "only the changes that were named were judged" if scene.only is not None else None
    return Verdict(
        scene.evaluation.id,
        scene.claim.id,
        winner.outcome if winner and winner.outcome else Outcome.HOLDS,
        _confirm(scene, rulings, winner, strongest(sure)),
        covers(scene, envelope(scene), differs, note),
        tuple(candidates),
        rulings,
        lambda: _quiet(silent, afresh, rulings),
        asked_at({line.names(): line.now.said} for arm in scene.arms for line in arm.lines),
        _verified(scene),
        _measured(scene),
    )


def _confirm(scene: Scene, rulings: tuple[Ruling, ...], winner: Ruling | None, sure: Ruling | None) -> bool:
    """Whether a person must settle it: the winner asks for it, a pin was inferred, or something keeps a plain `holds`
    from being said. An unknown asks already, and what no inferred pin could change (`sure`) was not inferred."""
    if winner is not None and any(each.confirm for each in rulings if each.rank == winner.rank):
        return True
    if winner is not None and (winner.outcome is Outcome.UNKNOWN or (sure and sure.rank <= winner.rank)):
        return False
    inferred = any(line.inferred for arm in scene.arms for line in arm.lines)
    return inferred or (winner is None and any(each.confirm for each in rulings))


def _candidates(line: Line, table: Rows, rest: tuple[Ruling, ...]) -> tuple[Candidate, ...]:
    """The table of an open pin: what the verdict would be if it were this, with the rest of what was found."""
    of_rest = strongest(rest)  # what wins over a row is what wins over the rest, of equals the first
    before = (of_rest,) if of_rest else ()
    return tuple(_candidate(line, choice, strongest((*before, *table.get(choice, ())))) for choice in line.choices)


def _candidate(line: Line, choice: Choice, deciding: Ruling | None) -> Candidate:
    if deciding is None or deciding.outcome is None:
        return Candidate(_build(line, choice), Outcome.HOLDS, None, "nothing speaks against it")
    return Candidate(_build(line, choice), deciding.outcome, deciding.change, deciding.message, deciding.rule)


def _build(line: Line, choice: Choice) -> Build:
    """The open sides of a choice."""
    was, now = len(line.was.versions) > 1, len(line.now.versions) > 1
    return Build(line.names(), choice.was if was else None, choice.now if now else None)


def _disagreement(line: Line, rows: tuple[Candidate, ...]) -> Iterator[Ruling]:
    """An unknown that asks for the pin, when its candidates do not agree."""
    if len({row.outcome for row in rows}) > 1:
        [table] = in_tables(rows)
        yield open_pin.disagreement(table, line.now.said if table.asked else line.was.said)


def _common(line: Line, rows: tuple[Candidate, ...], table: Rows) -> Iterator[Ruling]:
    """Rulings of an open pin that hold for every candidate, and, where all agree, those that decided, with the builds
    for which they do; each said once, of the newest candidate."""
    agreed = rows[0].outcome if len({row.outcome for row in rows}) == 1 else None
    found: dict[tuple[str | None, ...], list[tuple[Choice, Ruling]]] = {}
    for choice, rulings in table.items():
        for about, ruling in {_about(each): each for each in rulings}.items():
            found.setdefault(about, []).append((choice, ruling))
    for said in found.values():
        _, newest = said[-1]
        if len(said) == len(table):
            yield newest
        elif agreed and newest.outcome is agreed:
            builds = span(line.names(), (choice for choice, _ in said), len(line.now.versions) > 1)
            open_still = agreed is Outcome.UNKNOWN  # everything has to be settled then, whichever comes first
            yield newest._replace(message=f"{newest.message} (for {builds})", of_some=not open_still)


def _about(ruling: Ruling) -> tuple[str | None, ...]:
    """What a ruling is about, whichever builds it names."""
    where = None if ruling.change else ruling.arm  # one change may be felt in other arms, build by build
    symbol = None if ruling.change else ruling.symbol
    return ruling.rule, ruling.outcome, ruling.change, symbol, ruling.condition, where


def _passed_over(scene: Scene, loud: frozenset[str]) -> Iterator[Silent]:
    """Changes that were looked at, in every passage; of builds that are alike once."""
    told = {arm.id: Told(set(loud)) for arm in scene.arms}
    for arm, line in _lines(scene):
        alike = {Passage(scene, arm, line, choice).likeness: choice for choice in line.choices} if line.open else {}
        for choice in alike.values() or line.choices:
            yield from quiet(passage_of(scene, arm, line, choice), told[arm.id])
    yield from bystanders(scene)
    yield from apart(scene)


def _quiet(silent: Iterable[Silent], afresh: Callable[[], Scene], rulings: tuple[Ruling, ...]) -> tuple[Silent, ...]:
    """What was looked at and does not speak, each once; what speaks for one candidate is not silent. Of what several
    candidate builds say the most telling reason is kept: that a build carries a change already says least."""
    loud = frozenset(each.change for each in rulings if each.outcome and each.change)
    once: dict[tuple[str | None, ...], Silent] = {}
    for each in (*silent, *_passed_over(afresh(), loud)):
        if each.change is None or each.change not in loud:
            key = (each.change, each.evaluation, each.arm, each.symbol)
            if (before := once.get(key)) is None or (before.why in _BY_BUILD and each.why not in _BY_BUILD):
                once[key] = each
    return tuple(sorted(once.values(), key=_in_order))


def _in_order(each: Silent) -> tuple[str, ...]:
    return each.change or "", each.evaluation or "", each.arm or "", each.symbol or ""


_BY_BUILD = (Why.ALREADY_THERE, Why.DOES_NOT_SHIP)


def _measured(scene: Scene) -> dict[str, str]:
    """Component -> the build that was measured, as far as it is stated."""
    return {name: line.was.said for arm in scene.arms for line in arm.lines for name in line.components}


def _verified(scene: Scene) -> dict[str, str]:
    """Component -> the build up to which somebody measured or reviewed."""
    found = _measured(scene)
    reviews = [each for each in scene.evaluation.reviews if not each.claims or scene.claim.id in each.claims]
    for review in sorted(reviews, key=lambda each: each.date):
        found |= dict(review.at)
    return found


@dataclass(frozen=True, slots=True)
class FlippedClaim:
    """A claim whose outcome differs between two targets."""

    evaluation: str
    claim: str
    here: Verdict
    there: Verdict

    @property
    def because(self) -> str:
        """What makes the difference, in words."""
        if self.there.deciding:
            return self.there.deciding.message
        before = self.here.deciding
        return f"this no longer speaks against it: {before.message}" if before else "nothing speaks against it"


def flips(here: Audit, there: Audit) -> tuple[FlippedClaim, ...]:
    """Claims whose outcome differs between two audits of the same claims."""
    pairs = zip(here.verdicts, there.verdicts, strict=True)
    return tuple(FlippedClaim(a.evaluation, a.claim, a, b) for a, b in pairs if a.outcome is not b.outcome)
