"""A setup as lines: what is stated, grouped by what it is about; what differs between arms; what is not stated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kb.evaluation import Evaluation
from kb.model import Model
from kb.once import once
from kb.setup import Setup, Spread, plain_number
from kb.vocabulary import UNKNOWN

Words = dict[str, str]
"""Setup key -> its value in words."""


def words(setup: Setup | None) -> Words:
    """Every stated key of a setup with its value, in the order of the model."""
    return dict(keys_of(setup)) if setup is not None else {}


@once
def keys_of(setup: Model) -> Mapping[str, str]:
    """The same of anything that is made up as a setup is, such as a load point."""
    return dict(_words(setup, ""))


def _words(model: Model, prefix: str) -> Iterator[tuple[str, str]]:
    for name in type(model).model_fields:
        value = getattr(model, name) if name in model.model_fields_set else None
        if isinstance(value, Model) and not isinstance(value, Spread):
            yield from _words(value, f"{prefix}{name}.")
        elif isinstance(value, dict):
            yield from ((f"{prefix}{name}.{key}", str(each)) for key, each in value.items())
        elif value not in (None, ()):
            yield prefix + name, _value(value)


def _value(value: object) -> str:
    if isinstance(value, Spread) and not value.values and (value.min is None) != (value.max is None):
        return f"up to {plain_number(value.max)}" if value.min is None else f"from {plain_number(value.min)}"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def unknown_keys(evaluation: Evaluation) -> tuple[str, ...]:
    """Setup keys that the source was asked for and does not state, common ones first."""
    found = [key for key, value in words(evaluation.setup).items() if value == UNKNOWN]
    for arm in evaluation.arms:
        found += [f"{key} ({arm.id})" for key, value in words(arm.setup).items() if value == UNKNOWN]
    return tuple(dict.fromkeys([*found, *evaluation.not_stated]))


def differing(evaluation: Evaluation) -> dict[str, list[str]]:
    """Key -> its value on each arm, for the keys whose values differ; `unknown` on every arm is no difference."""
    each = [words(evaluation.setup) | words(arm.setup) for arm in evaluation.arms]
    keys = dict.fromkeys(key for arm in each for key in arm)
    rows = {key: [arm.get(key, "-") for arm in each] for key in keys}
    return {key: values for key, values in rows.items() if len(set(values)) > 1}


def common(evaluation: Evaluation) -> Words:
    """What all arms share and is known."""
    if not evaluation.arms:
        return {key: value for key, value in words(evaluation.setup).items() if value != UNKNOWN}
    each = [words(evaluation.setup) | words(arm.setup) for arm in evaluation.arms]
    shared = {key: value for key, value in each[0].items() if all(arm.get(key) == value for arm in each)}
    return {key: value for key, value in shared.items() if value != UNKNOWN}


def grouped(stated: Words) -> dict[str, str]:
    """One line for each part of the setup: `workload` -> `input_tokens 1000 to 16000, output_tokens 128`."""
    parts: dict[str, list[str]] = {}
    for key, value in stated.items():
        head, _, rest = key.partition(".")
        if rest in {"component", "name"}:
            parts.setdefault(head, []).append(value)
        elif rest:
            parts.setdefault(head, []).append(f"{rest} {value}")
        else:
            parts.setdefault(head, []).append(value)
    return {head: ", ".join(values) for head, values in parts.items()}
