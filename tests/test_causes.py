"""Verdicts by what led to them: each cause once, with every claim that has it."""

from __future__ import annotations

import pytest

from kb.causes import NOTHING, causes, first_causes
from kb.change import Change
from kb.rules import anchor_changed, change_touches, not_looked_at, open_pin
from kb.verdict import Covers, Place, Ruling, Verdict
from kb.vocabulary import Outcome


def verdict(claim: str, *rulings: Ruling, outcome: Outcome = Outcome.RECHECK) -> Verdict:
    return Verdict("e", claim, outcome, False, Covers("same"), (), rulings, tuple, {}, {})


def touching(change: str, message: str) -> Ruling:
    return Ruling(message, Outcome.RECHECK, change=change).signed(change_touches.CODE, change_touches.NAME)


def moved(symbol: str, message: str, place: Place | None = None) -> Ruling:
    return Ruling(message, Outcome.RECHECK, symbol=symbol, place=place).signed("KB250", anchor_changed.NAME)


def told(verdicts: list[Verdict]) -> list[tuple[str, list[str], int]]:
    return [(each.told, [one.claim for one in each.verdicts], each.alone) for each in causes(verdicts)]


def test_a_change_is_one_cause_whatever_is_said_of_each_claim() -> None:
    """What all messages begin with is said, up to the end of a clause; the id of the change stands first."""
    found = told(
        [
            verdict("a", touching("c-1", "Faster: x 2.0 carries it, 1.0 does not; it touches p")),
            verdict("b", touching("c-1", "Faster: x 2.0 carries it, 1.1 does not; it touches q")),
        ]
    )
    assert found == [("c-1: Faster: x 2.0 carries it", ["a", "b"], 2)]


def test_one_message_is_said_whole() -> None:
    """Nothing is cut where there is nothing to share; an id that the sentence names is not said twice."""
    assert told([verdict("a", touching("c-1", "it ran the branch of c-1; and more"))]) == [
        ("it ran the branch of c-1; and more", ["a"], 1)
    ]


def test_a_claim_stands_under_each_of_its_causes_and_the_widest_comes_first() -> None:
    """`alone` counts the claims that would be left with nothing."""
    one, two = touching("c-1", "One"), touching("c-2", "Two")
    assert told([verdict("a", one), verdict("b", one, two), verdict("c", two), verdict("d", two)]) == [
        ("c-2: Two", ["b", "c", "d"], 2),
        ("c-1: One", ["a", "b"], 1),
    ]


def test_two_rulings_of_one_cause_are_one_claim() -> None:
    """Both arms can be touched by one change."""
    assert told([verdict("a", touching("c-1", "One: x"), touching("c-1", "One: y"))]) == [("c-1: One", ["a"], 1)]


def test_the_first_cause_alone() -> None:
    """A claim stands under the one that decided, once."""
    one, two = touching("c-1", "One"), touching("c-2", "Two")
    found = first_causes([verdict("a", one, two), verdict("b", two)])
    assert [(each.change, [one.claim for one in each.verdicts]) for each in found] == [("c-1", ["a"]), ("c-2", ["b"])]


def test_what_is_weaker_than_the_outcome_is_no_cause() -> None:
    """A recheck is not caused by what is unknown beside it."""
    aside = Ruling("nobody looked", Outcome.UNKNOWN).signed("KB270", not_looked_at.NAME)
    assert told([verdict("a", touching("c-1", "One"), aside)]) == [("c-1: One", ["a"], 1)]


def test_code_of_one_component_is_one_cause_unless_a_person_read_it() -> None:
    """What a person wrote of a symbol is theirs to say."""
    change = Change.model_construct(id="c-1")
    found = told(
        [
            verdict("a", moved("push:f", "push:f behaves differently since 2.0")),
            verdict("b", moved("push:g", "push:g is gone")),
            verdict("c", moved("push:g", "push:g differs, and it matters: because", Place(change, ("impacts", 0)))),
        ]
    )
    assert found == [
        ("code of push that it is anchored to differs, and no change record says why", ["a", "b"], 2),
        ("push:g differs, and it matters: because", ["c"], 1),
    ]


@pytest.mark.parametrize(
    ("rule", "rulings", "says"),
    [
        (
            open_pin.NAME,
            [("the answer depends on which x ran (not stated): 1.0 -> unknown", "the version of x")] * 1
            + [("the answer depends on which x ran (2030-01): 2.0 -> recheck", "the version of x")],
            "the answer depends on which x ran",
        ),
        (
            open_pin.NAME,
            [("the answer depends on which x ran (not stated)", "the version of x")],
            "the answer depends on which x ran (not stated)",
        ),
    ],
)
def test_an_open_pin_is_one_cause(rule: str, rulings: list[tuple[str, str]], says: str) -> None:
    """Whatever its builds would mean to each claim."""
    made = [Ruling(message, Outcome.UNKNOWN, settles=fact).signed("KB201", rule) for message, fact in rulings]
    found = causes(verdict(str(n), each, outcome=Outcome.UNKNOWN) for n, each in enumerate(made))
    assert [(each.says, len(each.verdicts)) for each in found] == [(says, len(made))]


def test_what_was_not_looked_at_is_one_cause_for_each_component() -> None:
    """Intervals and numbers of differences are a claim's own."""
    x, y = (Place(Change.model_construct(id=name)) for name in ("x", "y"))
    rulings = [("x 1.0 -> 3.0: 8 differences", x), ("x 2.0 -> 3.0: 4 differences", x), ("y 1 -> 2: 1 difference", y)]
    made = [Ruling(text, Outcome.UNKNOWN, place=at).signed("KB270", not_looked_at.NAME) for text, at in rulings]
    found = causes(verdict(str(n), each, outcome=Outcome.UNKNOWN) for n, each in enumerate(made))
    assert [(each.says, len(each.verdicts)) for each in found] == [
        ("not every change of x in between was looked at", 2),
        ("y 1 -> 2: 1 difference", 1),
    ]


def test_what_holds_has_what_a_person_must_confirm_or_nothing() -> None:
    """Nobody shall take a `holds` for more than it is."""
    confirm = Ruling("not judged: no router is named", confirm=True).signed("KB217", "not-covered")
    aside = Ruling("a later one supports it").signed("KB232", "later-supports")
    found = told([verdict("a", confirm, outcome=Outcome.HOLDS), verdict("b", aside, outcome=Outcome.HOLDS)])
    assert found == [("not judged: no router is named", ["a"], 1), (NOTHING, ["b"], 1)]
