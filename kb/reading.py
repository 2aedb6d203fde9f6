"""Raw to valid through one door: text of a record -> a frozen value, or every problem in it with line and hint."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from kb.alike import Alike
from kb.change import Change
from kb.component import Component
from kb.deployment import Deployment
from kb.evaluation import Evaluation, Translation
from kb.finding import Finding, Loc
from kb.frontmatter import Cut, FormError, cut, load, locate
from kb.model import SCHEMA_VERSION, Model
from kb.otherwords import member_for
from kb.results import FILE as RESULTS
from kb.results import rows
from kb.salvage import Rest, salvage
from kb.terms import Vocabulary
from kb.upgrade import upgrade
from kb.wording import example, form, missing, unknown_field

AnyRecord = Evaluation | Change | Component | Deployment | Translation | Vocabulary

FORM_NAMES = {
    "KB100": "wrong-place",
    "KB101": "not-a-record",
    "KB102": "bad-value",
    "KB103": "unknown-field",
    "KB104": "duplicate-key",
    "KB105": "tab",
    "KB106": "front-matter-too-large",
    "KB107": "missing-field",
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """Points of a record that are rows of its own table."""

    first: int
    """Position of the first of them among the record's points."""
    lines: tuple[int, ...]
    """Their lines in the table."""


def _written_at(sheet: Sheet | None, loc: Loc) -> Loc:
    """Where the front matter speaks of a place: a row of the table is named by the field `results`."""
    return ("results",) if _row(sheet, loc) else loc


def _row(sheet: Sheet | None, loc: Loc) -> str:
    if sheet is None or len(loc) < 2 or loc[0] != "points" or not isinstance(loc[1], int):
        return ""
    position = loc[1] - sheet.first
    return f"{RESULTS}:{sheet.lines[position]}: " if 0 <= position < len(sheet.lines) else ""


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
    rest: Rest | None = None
    """Of a record whose bad values were taken away: which; None of a whole one."""
    sheet: Sheet | None = None
    """Points that lie in the record's own table."""

    def line(self, loc: Loc) -> int:
        """Line in the file of a place in the record; ("body", n) is the n-th line of the body."""
        if loc and loc[0] == "body":
            return self.body_line + (int(loc[1]) if len(loc) > 1 else 0)
        here = self.rest.original(loc) if self.rest else loc
        return locate(self.front, _written_at(self.sheet, here)) + self.front_line - 1

    def row(self, loc: Loc) -> str:
        """`results.csv:4: ` for a place in the record's own table, else nothing: what a message begins with."""
        return _row(self.sheet, self.rest.original(loc) if self.rest else loc)


class Unreadable(Exception):
    """A record with problems; all of them."""

    def __init__(self, findings: list[Finding], partial: Callable[[], Loaded | None] = lambda: None) -> None:
        super().__init__(str(findings[0].message))
        self.findings = findings
        self.partial = partial
        """What is left without the bad values, when it is asked for; None when that is no record."""


Attached = Callable[[], str]
"""Text of the table in the record's own folder. Raises FormError when there is none."""
Told = Callable[[dict[str, Any]], None]
"""Is given the fields of a whole record, in the present format, as its model took them."""


def no_table() -> str:
    """For a text that is no file of a base."""
    raise FormError(1, "there is no such file in the record's own folder", "take the field out, or attach the table")


def read(
    model: type[Model],
    path: str,
    text: str,
    attached: Attached = no_table,
    told: Told = lambda _fields: None,
    alike: Alike | None = None,
) -> Loaded:
    """Read one record; it shares parts with those that were read with the same `alike`.

    Raises Unreadable with every problem found in it.
    """
    markdown = path.endswith(".md")
    front_line = 1
    try:
        parts = parted(path, text)
        front, front_line, body, body_line = parts.front, parts.front_line, parts.body, parts.body_line
        fields = load(front)
        sheet = _sheet(model, path, front, front_line, fields, attached)
    except FormError as error:
        raise Unreadable([_form_finding(path, error, front_line if markdown else 1)]) from None
    try:
        record = model.model_validate(upgraded := upgrade(fields), context=alike)
    except ValidationError as error:
        source = _Source(model, path, front, front_line, fields, sheet)
        kind = looks_like(model, fields)
        if kind:
            raise Unreadable([source.of_another_kind(*kind)]) from None

        def partial() -> Loaded | None:
            rest = salvage(model, upgrade(fields))
            return Loaded(rest.record, path, front, front_line, body, body_line, rest, sheet) if rest else None  # type: ignore[arg-type]

        raise Unreadable(sorted(_findings(error, source)), partial) from None
    told(upgraded)
    return Loaded(record, path, front, front_line, body, body_line, sheet=sheet)  # type: ignore[arg-type]


def parted(path: str, text: str) -> Cut:
    """A record's fields and its body; a file that is no Markdown is all fields. Raises FormError."""
    return cut(text) if path.endswith(".md") else Cut(text, 1, "", 1)


def _sheet(
    model: type[Model], path: str, front: str, front_line: int, fields: dict[str, Any], attached: Attached
) -> Sheet | None:
    """Rows of the record's own table put behind the points in `fields`. Raises Unreadable."""
    written = fields.get("points") or []
    if model is not Evaluation or fields.get("results") != RESULTS or not isinstance(written, list):
        return None
    try:
        found = rows(attached())
    except FormError as error:
        line = locate(front, ("results",)) + front_line - 1
        message = f"{RESULTS}:{error.line}: {error.message}"
        raise Unreadable([Finding(path, line, "KB102", message, FORM_NAMES["KB102"], hint=error.hint)]) from None
    fields["points"] = [*written, *(point for _, point in found)]
    return Sheet(len(written), tuple(line for line, _ in found))


def _form_finding(path: str, error: FormError, front_line: int) -> Finding:
    return Finding(
        path, error.line + front_line - 1, error.code, error.message, FORM_NAMES[error.code], hint=error.hint
    )


@dataclass(frozen=True, slots=True)
class _Source:
    """What is being read, for words and lines."""

    model: type[Model]
    path: str
    front: str
    first: int
    fields: dict[str, Any]
    sheet: Sheet | None = None

    def finding(self, loc: Loc, code: str, message: str, hint: str | None) -> Finding:
        """A finding at its line."""
        line = locate(self.front, _written_at(self.sheet, loc)) + self.first - 1
        row = _row(self.sheet, loc)
        place = dotted(loc[2:] if row else loc)
        shown = f"{row}{place}: {message}" if place else f"{row}{message}"
        return Finding(self.path, line, code, shown, FORM_NAMES[code], hint=hint)

    def of_another_kind(self, kind: str, hint: str) -> Finding:
        """The one finding of a record in the place of another kind."""
        return self.finding((), "KB100", f"looks like {kind}", hint)


MOST_FINDINGS = 50
"""Mistakes listed of one record: behind more of them is another kind of file, or one mistake made everywhere."""


def _findings(error: ValidationError, source: _Source) -> Iterable[Finding]:
    seen: set[tuple[str, str]] = set()
    for each in error.errors(include_url=False, include_context=True):
        code, message, hint = _worded(each, source)
        if (place := (dotted(each["loc"]), code)) not in seen:  # a union reports one mistake once per member
            seen.add(place)
            if len(seen) > MOST_FINDINGS:
                yield source.finding((), "KB102", f"more than {MOST_FINDINGS} mistakes; the rest is not listed", None)
                return
            yield source.finding(each["loc"], code, message, hint)


_KINDS: tuple[tuple[type[Model], str, str], ...] = (
    (Evaluation, "an evaluation", "move it to entries/evaluations, as ID.md"),
    (Change, "a change", "move it to entries/changes, as ID.md"),
    (Component, "a component", "move it to entries/components, as ID.yaml"),
    (Deployment, "a deployment", "move it to entries/deployments, as ID.yaml"),
    (Translation, "a translation", "name it ORIGINAL.LANGUAGE.md, in entries/evaluations"),
    (Vocabulary, "a vocabulary", "call it entries/vocabulary.yaml"),
)


def looks_like(model: type[Model], fields: dict[str, Any]) -> tuple[str, str] | None:
    """The kind whose fields these are when two or more are none of `model` and all or nearly all are of the other."""
    foreign = fields.keys() - model.model_fields.keys()
    for other, kind, hint in _KINDS:
        known = foreign & other.model_fields.keys()
        if other is not model and len(known) >= 2 and len(known) > len(fields.keys() - other.model_fields.keys()):
            return kind, hint
    return None


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


def _worded(error: Any, source: _Source) -> tuple[str, str, str | None]:
    kind, given, loc = error["type"], error.get("input"), error["loc"]
    if loc == ("schema_version",):
        newer = "it was written for another version of kb; upgrade kb, or copy the number from a new record"
        return "KB102", f'record format "{given}" is not one this program reads (up to {SCHEMA_VERSION})', newer
    if kind == "extra_forbidden":
        return "KB103", "unknown field", unknown_field(source.model, loc)
    if kind == "missing":
        return "KB107", "is missing", missing(source.model, loc, source.fields, source.path)
    if kind in {"enum", "literal_error"}:
        members = re.findall(r"'([^']*)'", str(error["ctx"]["expected"]))
        return "KB102", f'"{given}" is not one of {", ".join(members)}', member_for(str(given), members)
    if kind == "string_pattern_mismatch":
        wanted, hint = form(error["ctx"]["pattern"], str(given))
        return "KB102", f'"{given}" is not {wanted}', hint or example(loc, str(given))
    said = _plainly(kind, str(error["msg"]).removeprefix("Value error, "), given)
    return "KB102", said, _of_list(kind, given) or (example(loc, str(given)) if kind in _SHAPES else None)


def _of_list(kind: str, given: Any) -> str | None:
    glued = kind == "tuple_type" and isinstance(given, str) and given.startswith("-")
    return "put a space after the hyphen of each item" if glued else None


_SHAPES = frozenset({"model_type", "model_attributes_type", "dict_type", "string_type"})
"""Kinds of errors in which a value has the form of another field."""
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
    return message[0].lower() + message[1:]
