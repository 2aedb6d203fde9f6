"""Raw to valid through one door: text of a record -> a frozen value, or every problem in it with line and hint."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from kb.change import Change
from kb.component import Component
from kb.deployment import Deployment
from kb.evaluation import Evaluation, Translation
from kb.finding import Finding, Loc
from kb.frontmatter import FormError, cut, load, locate
from kb.model import SCHEMA_VERSION, Model
from kb.suggest import did_you_mean
from kb.terms import Vocabulary
from kb.upgrade import upgrade

AnyRecord = Evaluation | Change | Component | Deployment | Translation | Vocabulary

FORM_NAMES = {
    "KB101": "not-a-record",
    "KB102": "bad-value",
    "KB103": "unknown-field",
    "KB104": "duplicate-key",
    "KB105": "tab",
    "KB106": "front-matter-too-large",
    "KB107": "missing-field",
}


@dataclass(frozen=True, slots=True)
class Loaded:
    """A record in hand: consistent, with its text for lines and for search."""

    record: AnyRecord
    path: str
    """Path as shown, relative to the base."""
    front: str
    front_line: int
    body: str
    body_line: int

    def line(self, loc: Loc) -> int:
        """Line in the file of a place in the record; ("body", n) is the n-th line of the body."""
        if loc and loc[0] == "body":
            return self.body_line + (int(loc[1]) if len(loc) > 1 else 0)
        return locate(self.front, loc) + self.front_line - 1


class Unreadable(Exception):
    """A record with problems; all of them."""

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__(str(findings[0].message))
        self.findings = findings


def read(model: type[Model], path: str, text: str) -> Loaded:
    """Read one record. Raises Unreadable with every problem found in it."""
    markdown = path.endswith(".md")
    front, front_line, body, body_line = text, 1, "", 1
    try:
        if markdown:
            parts = cut(text)
            front, front_line, body, body_line = parts.front, parts.front_line, parts.body, parts.body_line
        fields = load(front)
    except FormError as error:
        raise Unreadable([_form_finding(path, error, front_line if markdown else 1)]) from None
    try:
        record = model.model_validate(upgrade(fields))
    except ValidationError as error:
        raise Unreadable(sorted(_findings(error, model, path, front, front_line))) from None
    return Loaded(record, path, front, front_line, body, body_line)  # type: ignore[arg-type]


def _form_finding(path: str, error: FormError, front_line: int) -> Finding:
    return Finding(
        path, error.line + front_line - 1, error.code, error.message, FORM_NAMES[error.code], hint=error.hint
    )


def _findings(error: ValidationError, model: type[Model], path: str, front: str, first: int) -> Iterable[Finding]:
    seen: set[tuple[str, str]] = set()
    for each in error.errors(include_url=False, include_context=True):
        loc = each["loc"]
        code, message, hint = _worded(each, model, loc)
        line = locate(front, loc) + first - 1
        if (place := (dotted(loc), code)) not in seen:  # a union reports one mistake once per member
            seen.add(place)
            yield Finding(
                path, line, code, f"{dotted(loc)}: {message}" if loc else message, FORM_NAMES[code], hint=hint
            )


def dotted(loc: Loc) -> str:
    """`points[2].unit` for ("points", 2, "unit"); what pydantic adds for unions is left out."""
    text = ""
    for part in loc:
        if isinstance(part, int):
            text += f"[{part}]"
        elif re.fullmatch(r"[\w.\-]+", part) and not _union_member(part):
            text += f".{part}" if text else part
    return text


def _union_member(part: str) -> bool:
    return part in {
        "int",
        "float",
        "str",
        "constrained-int",
        "constrained-float",
        "constrained-str",
        "Spread",
        "condition",
        "any-of",
    }


def _worded(error: Any, model: type[Model], loc: Loc) -> tuple[str, str, str | None]:
    kind, given = error["type"], error.get("input")
    if loc == ("schema_version",):
        newer = "it was written for another version of kb; upgrade kb, or copy the number from a new record"
        return "KB102", f'record format "{given}" is not one this program reads (up to {SCHEMA_VERSION})', newer
    if kind == "extra_forbidden":
        names = _fields_at(model, loc[:-1])
        hint = did_you_mean(str(loc[-1]), names) or (f"fields here: {', '.join(sorted(names))}" if names else None)
        return "KB103", "unknown field", hint
    if kind == "missing":
        return "KB107", "is missing", "write `unknown` only where that is a value the field takes; otherwise state it"
    message = str(error["msg"]).removeprefix("Value error, ")
    if kind in {"enum", "literal_error"}:
        expected = str(error["ctx"]["expected"])
        members = re.findall(r"'([^']*)'", expected)
        return "KB102", f'"{given}" is not one of {", ".join(members)}', did_you_mean(str(given), members)
    return "KB102", _plainly(kind, message, given), None


_PLAIN = {
    "string_type": "a word or sentence is expected here",
    "tuple_type": "a list is expected here",
    "dict_type": "a table (key: value) is expected here",
    "model_type": "a table (key: value) is expected here",
    "model_attributes_type": "a table (key: value) is expected here",
    "float_parsing": "a number is expected",
    "int_parsing": "a whole number is expected",
    "int_from_float": "a whole number is expected",
    "finite_number": "a finite number is expected; a missing number is left out, never NaN or inf",
}


def _plainly(kind: str, message: str, given: Any) -> str:
    shown = f', not "{given}"' if isinstance(given, str | int | float) and len(str(given)) < 60 else ""
    if kind in _PLAIN:
        return _PLAIN[kind] + shown
    if kind == "string_pattern_mismatch":
        return f'"{given}" has not the form expected here'
    return message[0].lower() + message[1:]


def _fields_at(model: type[Model], loc: Loc) -> list[str]:
    """Field names of the model that `loc` leads to."""
    here: type[BaseModel] | None = model
    for part in loc:
        if here is not None and isinstance(part, str) and part in here.model_fields:
            here = _inner_model(here.model_fields[part].annotation)
    return list(here.model_fields) if here is not None else []


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for option in get_args(annotation):
        if (found := _inner_model(option)) is not None:
            return found
    return None
