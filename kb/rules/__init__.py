"""Rules of a verdict (KB2xx), one module each; its docstring is its page.

A rule has CODE, NAME (what it found), SEVERITY of its findings, and either `judge(scene)`, asked once for a claim
at a target, or `judge_passage(passage)`, asked for every line of builds of every arm that counts. Both yield
rulings, and what was looked at and is silent. A rule that mostly says nothing of a line, whichever of its builds are
chosen, can tell so by `is_idle(stake)`: then it is not asked of every choice. Codes are grouped: 200 to 209 the record
and its pins, 210 to 219 conditions and envelope, 220 to 229 later evaluations, 230 to 239 correctness, 240 to 259
changes and builds, 260 to 269 signals, statements and reviews, 270 coverage. A code is never used again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from kb.verdict import WEAKEST, rank
from kb.vocabulary import Outcome, Severity

if TYPE_CHECKING:
    from kb.passage import Passage
    from kb.scene import Scene
    from kb.stake import Stake
    from kb.verdict import Ruling, Said


class Rule(Protocol):
    """What every module of this folder offers."""

    __doc__: str
    CODE: str
    NAME: str
    SEVERITY: Severity
    STRONGEST: Outcome | None
    """The strongest outcome that it can say; None when it only tells."""
    CONFIRMS: bool
    """Whether it can ask for a person."""


class ClaimRule(Rule, Protocol):
    """A rule about a claim and a target."""

    def judge(self, scene: Scene) -> Iterator[Said]:
        """What it says."""


class PassageRule(Rule, Protocol):
    """A rule about one arm's builds."""

    def judge_passage(self, passage: Passage) -> Iterator[Said]:
        """What it says."""


MODULES = (
    "impossible_pin",
    "open_pin",
    "not_a_release",
    "hypothesis_not_shown",
    "no_baseline",
    "other_component",
    "condition_violated",
    "condition_broken_by_version",
    "condition_unknown",
    "outside_envelope",
    "envelope_partly",
    "cannot_run",
    "not_covered",
    "later_contradicts",
    "later_narrows",
    "later_supports",
    "correctness_defect",
    "change_touches",
    "change_not_established",
    "draft_change",
    "option_not_read",
    "default_changed",
    "requirement_moved",
    "component_removed",
    "metric_changed_meaning",
    "anchor_changed",
    "signal_fired",
    "signal_overdue",
    "review_outdated",
    "not_looked_at",
)
"""Every rule by module name, in the order of codes."""

LAST = frozenset({"not-looked-at"})
"""Asked of a passage only when nothing stronger than unknown was found: coverage matters to a `holds`."""

BEFORE_ALL = frozenset({"impossible-pin"})
"""A record that cannot be right goes before every other outcome."""

ABOUT_THE_REST = frozenset({"later-contradicts", "later-narrows", "later-supports", "not-covered"})
"""Not asked when only some changes are judged: they are about other evaluations, and about what nobody named."""


@lru_cache(maxsize=1)
def rules() -> tuple[Rule, ...]:
    """The rule modules, in the order of their codes."""
    return tuple(cast(Rule, import_module(f"kb.rules.{name}")) for name in MODULES)


@lru_cache(maxsize=1)
def claim_rules() -> tuple[ClaimRule, ...]:
    """Rules that are asked once for a claim."""
    return tuple(cast(ClaimRule, each) for each in rules() if hasattr(each, "judge"))


@lru_cache(maxsize=16)
def passage_rules(most: int = WEAKEST) -> tuple[PassageRule, ...]:
    """Rules that are asked for every arm's builds, without those that can only say what is weaker than a rank."""
    found = (each for each in rules() if hasattr(each, "judge_passage") and each.NAME not in LAST)
    return tuple(cast(PassageRule, each) for each in found if strongest_rank(each) <= most)


def able_rules(stake: Stake, most: int = WEAKEST) -> tuple[PassageRule, ...]:
    """Of these the ones that may say something of a line for some choice of its builds."""
    return tuple(each for each in passage_rules(most) if not getattr(each, "is_idle", _never)(stake))


def _never(_stake: Stake) -> bool:
    return False


class Ranked(NamedTuple):
    """A rule with the strongest that it can say, and the ways in which it can be asked."""

    rank: int
    """Rank of the strongest (kb.verdict.Ruling.rank)."""
    code: str
    rule: Rule
    judge: Callable[[Scene], Iterator[Said]] | None
    judge_passage: Callable[[Passage], Iterator[Said]] | None
    first: Callable[[Passage], Ruling | None] | None
    """Of all that it says with its strongest outcome, what goes before the rest by change."""
    in_short: Callable[[Scene], Iterator[Said]] | None
    """Of all that `judge` says as much as no other thing that it says goes before."""


@lru_cache(maxsize=1)
def by_strength() -> tuple[Ranked, ...]:
    """The rules in the order of the strongest that they can say, those that are asked last left out."""
    found = (_ranked(each) for each in rules() if each.NAME not in LAST)
    return tuple(sorted(found, key=lambda each: (each.rank, each.code)))


def _ranked(rule: Rule) -> Ranked:
    ways = (getattr(rule, way, None) for way in ("judge", "judge_passage", "first", "in_short"))
    return Ranked(strongest_rank(rule), rule.CODE, rule, *ways)


@lru_cache(maxsize=16)
def last_rules(most: int = WEAKEST) -> tuple[PassageRule, ...]:
    """Rules that matter only where nothing else decided; the same of them."""
    return tuple(cast(PassageRule, each) for each in rules() if each.NAME in LAST and strongest_rank(each) <= most)


def strongest_rank(rule: Rule) -> int:
    """The rank of the strongest that a rule can say (kb.verdict.Ruling.rank)."""
    return rank(rule.STRONGEST, rule.NAME in BEFORE_ALL)


@lru_cache(maxsize=1024)
def find(name: str) -> Rule | None:
    """A rule by its code or name."""
    return next((each for each in rules() if name.casefold() in {each.CODE.casefold(), each.NAME}), None)


def names() -> tuple[str, ...]:
    """Every code and name."""
    return tuple(word for each in rules() for word in (each.CODE, each.NAME))
