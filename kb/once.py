"""Questions about a value that are answered once: the answers stay with the value, and go with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

V = TypeVar("V")
P = ParamSpec("P")
R = TypeVar("R")


def once(question: Callable[Concatenate[V, P], R]) -> Callable[Concatenate[V, P], R]:
    """Ask a method or function of one value once for the same further arguments, which must be hashable.

    For values that do not change; a record's copy begins without answers (kb.model.Model).
    """
    name = f"{question.__module__}.{question.__qualname__}"

    @wraps(question)
    def asked(value: V, /, *more: P.args, **named: P.kwargs) -> R:
        key = (more, *sorted(named.items())) if named else more
        try:
            known: R = value.__dict__[name][key]
        except KeyError:
            known = question(value, *more, **named)
            value.__dict__.setdefault(name, {})[key] = known
        return known

    return asked


def known(value: object, question: Callable[..., Any], answer: Any) -> None:
    """Give a value an answer that was worked out before, of a question that takes nothing but the value."""
    vars(value)[f"{question.__module__}.{question.__qualname__}"] = {(): answer}
