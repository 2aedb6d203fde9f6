"""kb.conditions: three-valued logic and conditions over setup keys."""

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from kb.conditions import Condition, Truth, compare
from kb.vocabulary import Operator

YES, NO, UNKNOWN = Truth.YES, Truth.NO, Truth.UNKNOWN
TRUTHS = st.sampled_from(list(Truth))
SOME = st.lists(TRUTHS, max_size=5)
OPERATORS = [each for each in Operator if each not in {Operator.SET, Operator.NOT_SET}]
FACTS = st.one_of(st.none(), st.just("unknown"), st.integers(-9, 9), st.text(max_size=6), st.just("0.29.0"))


@given(SOME, SOME)
def test_all_and_any_are_de_morgan(one: list[Truth], other: list[Truth]) -> None:
    """Not all is any not; joining lists joins answers."""
    assert ~Truth.all(one) is Truth.any(~each for each in one)
    assert Truth.all([*one, *other]) is Truth.all([Truth.all(one), Truth.all(other)])
    assert Truth.any([*one, *other]) is Truth.any([Truth.any(one), Truth.any(other)])


@given(SOME)
def test_order_and_repetition_do_not_matter(truths: list[Truth]) -> None:
    """A set of answers has one answer."""
    assert Truth.all(truths) is Truth.all(reversed(truths)) is Truth.all(truths * 2)


@given(SOME, TRUTHS)
def test_settling_an_unknown_never_turns_an_answer_round(truths: list[Truth], settled: Truth) -> None:
    """Yes and no stay what they were, whatever the unknown turns out to be."""
    answer = Truth.all([settled if each is UNKNOWN else each for each in truths])
    assert Truth.all(truths) in {answer, UNKNOWN}


@given(TRUTHS)
def test_twice_not_is_itself(truth: Truth) -> None:
    """Unknown stays unknown."""
    assert ~~truth is truth
    assert ~UNKNOWN is UNKNOWN


def test_nothing_to_meet_is_met() -> None:
    """No conditions: yes; no alternatives: no."""
    assert Truth.all([]) is YES
    assert Truth.any([]) is NO
    assert Truth.of(None) is UNKNOWN


def condition(op: str, *value: Any, key: str = "k", **more: Any) -> Condition:
    return Condition.model_validate({"key": key, "op": op, "value": [str(each) for each in value], **more})


@pytest.mark.parametrize(
    ("op", "value", "fact", "truth"),
    [
        ("is", ["off"], "off", YES),
        ("is", ["off"], "OFF", YES),
        ("is", ["disabled"], "off", YES),
        ("is", ["true"], "on", YES),
        ("is", ["off"], "on", NO),
        ("is", ["off"], None, UNKNOWN),
        ("is", ["off"], "unknown", UNKNOWN),
        ("is", ["unknown"], "off", UNKNOWN),
        ("is", ["2"], 2, YES),
        ("is", ["2.0"], 2, YES),
        ("is", ["0.10"], "0.1", YES),
        ("is-not", ["1P1D"], "2P1D", YES),
        ("is-not", ["1P1D"], "1p1d", NO),
        ("is-not", ["1P1D"], None, UNKNOWN),
        ("in", ["push", "pull"], "push", YES),
        ("in", ["push", "pull"], "store", NO),
        ("in", ["push", "unknown"], "push", UNKNOWN),
        ("not-in", ["push", "pull"], "store", YES),
        ("not-in", ["push", "pull"], "pull", NO),
        (">=", ["4"], 8, YES),
        (">=", ["4"], 4, YES),
        (">", ["4"], 4, NO),
        ("<", ["4"], 8, NO),
        ("<=", ["4"], "many", UNKNOWN),
        (">=", ["4"], float("inf"), YES),
        (">=", ["1.3.1"], "1.10.0", YES),
        ("<", ["1.3.1"], "1.10.0", NO),
        ("within", ["1", "8"], 8, YES),
        ("within", ["1", "8"], 9, NO),
        ("within", ["1", "8"], None, UNKNOWN),
        ("low-in", ["1", "8"], 1, YES),
        ("low-in", ["1", "8"], 4, UNKNOWN),
        ("low-in", ["1", "8"], 8, UNKNOWN),
        ("low-in", ["1", "8"], 9, NO),
        ("high-in", ["1", "8"], 8, YES),
        ("high-in", ["1", "8"], 1, UNKNOWN),
        ("high-in", ["1", "8"], 0, NO),
        ("matches", [">=0.24,<0.26"], "0.25.1", YES),
        ("matches", [">=0.24,<0.26"], "0.26.0", NO),
        ("matches", [">=0.24,<0.26"], ">=0.24", UNKNOWN),
        ("matches", [">=0.24,<0.26"], "main", UNKNOWN),
        ("is", ["8"], [8, 8], YES),
        ("is", ["8"], [4, 8], UNKNOWN),
        ("<=", ["8"], [4, 8], YES),
        (">", ["8"], [4, 8], NO),
        ("within", ["1", "8"], [1, 16], UNKNOWN),
    ],
)
def test_one_fact(op: str, value: list[str], fact: Any, truth: Truth) -> None:
    """A fact meets a condition, breaks it, or leaves it open."""
    assert condition(op, *value).test({"k": fact}) is truth


@pytest.mark.parametrize(
    ("facts", "truth"),
    [
        ({"prefill.tp": 2, "decode.tp": 2}, YES),
        ({"prefill.tp": 2, "decode.tp": 4}, NO),
        ({"prefill.tp": 2}, UNKNOWN),
        ({"decode.tp": 2}, UNKNOWN),
        ({"prefill.tp": "unknown", "decode.tp": 2}, UNKNOWN),
    ],
)
def test_two_keys(facts: dict[str, Any], truth: Truth) -> None:
    """A key compared with another."""
    assert condition("is", key="prefill.tp", other="decode.tp").test(facts) is truth


@pytest.mark.parametrize(
    ("fact", "truth"), [("4", YES), ("not-set", NO), (None, UNKNOWN), ("unknown", UNKNOWN), ("", YES), (0, YES)]
)
def test_set_and_not_set(fact: Any, truth: Truth) -> None:
    """Absent is unknown: nobody said that it is not set."""
    assert condition("set").test({"k": fact}) is truth
    assert condition("not-set").test({"k": fact}) is ~truth


@given(FACTS, st.sampled_from(OPERATORS), FACTS, FACTS)
def test_any_comparison_has_an_answer(fact: Any, op: Operator, low: Any, high: Any) -> None:
    """No fact and no value raises."""
    assert compare(fact, op, (low, high)) in set(Truth)
    assert compare([fact, low], op, (low, high)) in set(Truth)


@given(FACTS, FACTS)
def test_is_and_is_not_are_opposites(fact: Any, value: Any) -> None:
    """So are in and not-in; open questions stay open on both sides."""
    assert compare(fact, Operator.IS, (value,)) is ~compare(fact, Operator.IS_NOT, (value,))
    assert compare(fact, Operator.IN, (value, "x")) is ~compare(fact, Operator.NOT_IN, (value, "x"))


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_comparisons_by_size_agree(a: float, b: float) -> None:
    """Below is not at-least; above is not at-most."""
    assert compare(a, Operator.LESS, (b,)) is ~compare(a, Operator.AT_LEAST, (b,))
    assert compare(a, Operator.MORE, (b,)) is ~compare(a, Operator.AT_MOST, (b,))


@pytest.mark.parametrize(
    "fields",
    [
        {"key": "k", "op": "is"},
        {"key": "k", "op": "is", "value": ["a", "b"]},
        {"key": "k", "op": "is", "value": ["a"], "other": "b"},
        {"key": "k", "op": "within", "value": ["1"]},
        {"key": "k", "op": "within", "value": ["low", "high"]},
        {"key": "k", "op": "set", "value": ["1"]},
        {"key": "k", "op": "set", "other": "b"},
        {"key": "k", "op": "in", "value": []},
        {"key": "k", "op": "equals", "value": ["1"]},
    ],
)
def test_an_operator_takes_what_it_takes(fields: dict[str, Any]) -> None:
    """Too few, too many and the wrong sort are refused."""
    with pytest.raises(ValidationError):
        Condition.model_validate(fields)


def test_a_condition_reads_as_a_sentence() -> None:
    """With its arm where it speaks of one."""
    assert str(condition("within", 1, 8, key="workload.request_rate")) == "workload.request_rate within [1, 8]"
    assert str(condition("not-set", key="options.a")) == "options.a not-set"
    assert str(condition("is", key="prefill.tp", other="decode.tp", arm="push")) == "push: prefill.tp is decode.tp"


def test_one_value_needs_no_brackets() -> None:
    """A single value is a list of one."""
    assert Condition.model_validate({"key": "k", "value": "off"}).value == ("off",)


@pytest.mark.parametrize(("a", "b"), list(itertools.product(Truth, Truth)))
def test_the_table_of_and(a: Truth, b: Truth) -> None:
    """No before unknown before yes."""
    expected = NO if NO in (a, b) else UNKNOWN if UNKNOWN in (a, b) else YES
    assert Truth.all([a, b]) is expected
