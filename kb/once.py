"""Questions about a value that are answered once: the answers stay with the value, and go with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

V = TypeVar("V")
P = ParamSpec("P")
R = TypeVar("R")

_UNASKED: Any = object()


def once(question: Callable[Concatenate[V, P], R]) -> Callable[Concatenate[V, P], R]:
    """Ask a method or function of one value once for the same further arguments, which must be hashable.

    For values that do not change; a record's copy begins without answers (kb.model.Model).
    """
    name = _slot(question)

    @wraps(question)
    def asked(value: V, /, *more: P.args, **named: P.kwargs) -> R:
        key = (more, *sorted(named.items())) if named else more
        answers = value.__dict__.get(name)
        if answers is None:
            answers = value.__dict__[name] = {}
        found: R = answers.get(key, _UNASKED)  # no KeyError: raising one takes longer than many an answer
        if found is _UNASKED:
            found = answers[key] = question(value, *more, **named)
        return found

    @wraps(question)
    def asked_plainly(value: V, /) -> R:
        there = value.__dict__
        found: R = there.get(name, _UNASKED)
        if found is _UNASKED:
            found = there[name] = question(value)  # type: ignore[call-arg]  # it takes nothing else
        return found

    return asked_plainly if question.__code__.co_argcount == 1 else asked  # type: ignore[return-value]


def known(value: object, question: Callable[..., Any], answer: Any) -> None:
    """Give a value an answer that was worked out before, of a question that takes nothing but the value."""
    vars(value)[_slot(question)] = answer


def _slot(question: Callable[..., Any]) -> str:
    """The name under which a value keeps the answer to a question that takes nothing else."""
    return f"{question.__module__}.{question.__qualname__}"


if TYPE_CHECKING:
    kept = cached_property
else:

    class kept(cached_property):  # noqa: N801 (it is used as functools.cached_property is)
        """A property that is worked out once, without the lock that Python 3.11 takes for it: what is laid out for a
        claim has dozens, lives as long as the claim is judged, and no two threads ask it."""

        def __get__(self, value, owner=None):
            if value is None:
                return self
            found = value.__dict__[self.attrname] = self.func(value)
            return found
