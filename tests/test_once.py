"""kb.once: questions about a value that are answered once."""

from __future__ import annotations

import gc
import weakref

from kb.evidence import Where
from kb.once import once


class Value:
    """Something that can be asked about."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.asked = 0

    @once
    def plus(self, more: int, times: int = 1) -> int:
        """A question with arguments."""
        self.asked += 1
        return (self.number + more) * times


def test_a_value_is_asked_once_for_the_same_arguments() -> None:
    """Other values, and other arguments, are asked anew."""
    one, other = Value(1), Value(2)
    assert [one.plus(1), one.plus(1), other.plus(1), one.plus(2)] == [2, 2, 3, 3]
    assert one.plus(1, times=3) == one.plus(1, times=3) == 6
    assert (one.asked, other.asked) == (3, 1)


def test_answers_go_with_the_value() -> None:
    """Nothing else holds on to it."""
    value = Value(1)
    value.plus(1)
    there = weakref.ref(value)
    del value
    gc.collect()
    assert there() is None


@once
def said(where: Where) -> str:
    """A function may be asked of a record, too."""
    return f"{where.words}"


def test_a_changed_copy_of_a_record_has_no_answers() -> None:
    """And a record with answers is still equal to one without, and stored the same."""
    where = Where(words="here")
    assert said(where) == "here"
    assert said(where.model_copy(update={"words": "there"})) == "there"
    assert where == Where(words="here")
    assert where.stored() == {"words": "here"}
    assert "said" not in repr(where)
