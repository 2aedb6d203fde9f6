"""What is wrong with a field, in words: the form it should have, where it belongs, what to write when it is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any, get_args

from pydantic import BaseModel

from kb.docstrings import descriptions
from kb.evidence import METRIC
from kb.examples import EXAMPLES
from kb.finding import Loc
from kb.otherwords import UNITS, keys_for, plain
from kb.suggest import did_you_mean
from kb.vocabulary import UNKNOWN

FORMS = {
    r"^([0-9]+P[0-9]+D|[0-9]+E[0-9]+P[0-9]+D|aggregated|unknown)$": "a topology such as 1P1D, 4P2D or aggregated",
    r"^([0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?|unknown)$": "a date: YYYY-MM-DD, YYYY-MM or YYYY",
    r"^([0-9a-f]{7,40}|unknown)$": "a commit: 7 to 40 digits and letters a to f, in lower case",
    r"^[0-9a-f]{7,40}$": "a commit: 7 to 40 digits and letters a to f, in lower case",
    r"^sha256:[0-9a-f]{64}$": "an image's digest: sha256: and 64 digits and letters a to f; a tag names no build",
    r"^[0-9a-f]{12}$": "a digest of 12 digits and letters a to f",
    r"^[a-z0-9][a-z0-9.\-]*$": "an id: lower-case letters, digits, dots and hyphens",
    METRIC: "a metric in canonical spelling: lower-case letters, digits and underscores",
    r"^[a-z0-9][a-z0-9.\-]*:[A-Za-z_][\w.]*$": "an anchor: component:symbol",
    r"^[a-z0-9][a-z0-9.\-]*/[a-z0-9][a-z0-9.\-]*$": "a claim: evaluation/claim",
}
"""Pattern of a field -> what it asks for."""

_DIGEST = "leave the line out, and `kb lint` gives the digest to write"
_DATES = (
    (re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})"), (1, 2, 3)),
    (re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})"), (3, 2, 1)),
    (re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})"), (1, 2, 3)),
)


def form(pattern: str, given: str) -> tuple[str, str | None]:
    """What a field of that pattern takes, and the nearest right spelling."""
    wanted = FORMS.get(pattern, "the form expected here")
    if "digest" in wanted:
        return wanted, _DIGEST
    near = next((each for each in _spellings(wanted, given) if re.search(pattern, each)), None)
    return wanted, f'did you mean "{near}"?' if near else None


def example(loc: Loc, given: str) -> str | None:
    """How a field of a setup is written, where one has another form; one that is unknown is left out."""
    field = loc[-1] if "setup" in loc else None
    if not isinstance(field, str) or field not in EXAMPLES:
        return None
    unknown = "leave the line out while nothing of it is known; " if given == UNKNOWN else ""
    return f"{unknown}for example `{field}: {EXAMPLES[field]}`"


def _spellings(wanted: str, given: str) -> Iterator[str]:
    yield from (given.upper(), given.strip().lower())
    if "metric" in wanted:
        yield plain(given)
    elif "an id" in wanted:
        yield re.sub(r"[^a-z0-9.]+", "-", given.casefold()).strip("-.")
    elif "date" in wanted:
        for pattern, order in _DATES:
            if found := pattern.fullmatch(given.strip()):
                yield "-".join(found[n].zfill(2) for n in order)


def unknown_field(model: type[BaseModel], loc: Loc) -> str | None:
    """The field that was meant here, or where in the record one of that name belongs."""
    here = [part for part in loc[:-1] if isinstance(part, str)]
    names, name = fields_at(model, loc[:-1]), str(loc[-1])
    for each in keys_for(name):
        if each in names:
            return f'did you mean "{each}"?'
    for each in keys_for(name):
        if belongs := _belongs(model, here, each):
            return belongs if each == plain(name) else f"{each} {belongs}"
    return did_you_mean(name, names) or (f"fields here: {', '.join(sorted(names))}" if names else None)


SHOWN_PLACES = 4
"""A field that is known at more places than this gives no hint by its name."""


def _belongs(model: type[BaseModel], here: list[str], name: str) -> str | None:
    places = parents(model).get(name, ())
    at = tuple(part for part in here if part in _all_names(model))
    below = [place for place in places if place[: len(at)] == at and len(place) > len(at)]
    found = below or list(places)
    if not found or len(found) > SHOWN_PLACES:
        return None
    shown = [".".join(place[len(at) :] if below else place) or "the record itself, at the margin" for place in found]
    where = " or ".join(shown)
    return f"belongs under {where}" if where[:3] != "the" else f"belongs to {where}"


@lru_cache(maxsize=8)
def parents(model: type[BaseModel]) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Field name -> the paths of the tables that have it."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for path, name in _walk(model, ()):
        found.setdefault(name, []).append(path)
    return {name: tuple(paths) for name, paths in found.items()}


def _all_names(model: type[BaseModel]) -> frozenset[str]:
    return frozenset(parents(model))


def _walk(model: type[BaseModel], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    for name, field in model.model_fields.items():
        yield path, name
        if (inner := inner_model(field.annotation)) is not None:
            yield from _walk(inner, (*path, name))


def missing(model: type[BaseModel], loc: Loc, fields: Any, path: str) -> str:
    """What to write for a field that is not there."""
    name, file = str(loc[-1]), PurePosixPath(path).name
    if name in {"translates", "language"} and len(loc) == 1 and file.count(".") >= 2:
        original, language = file.removesuffix(".md").rsplit(".", 1)
        return f"by the file's name: {name}: {original if name == 'translates' else language}"
    if name == "id" and len(loc) == 1:
        return f"by the file's name: id: {PurePosixPath(file).stem}"
    if name == "unit":
        return _unit(_at(fields, loc[:-1]))
    if name == "component":
        return "the component it changes: the name of a file in entries/components, such as vllm"
    return f"state it: {_described(model, loc)}"


def _unit(point: Any) -> str:
    metric = plain(str(point.get("metric"))) if isinstance(point, dict) else ""
    usual = f"{metric} is usually in {UNITS[metric]}" if metric in UNITS else "for example ms, s, tok/s, x or %"
    return f"write the source's own unit; {usual}"


def _at(fields: Any, loc: Loc) -> Any:
    for part in loc:
        listed = isinstance(fields, list) and isinstance(part, int) and part < len(fields)
        if listed or (isinstance(fields, dict) and part in fields):
            fields = fields[part]
    return fields


def _described(model: type[BaseModel], loc: Loc) -> str:
    holder = model_at(model, loc[:-1])
    field = holder.model_fields.get(str(loc[-1])) if holder else None
    if holder is None or field is None:
        return "every record of this kind has it"
    text = " ".join(descriptions(holder).get(str(loc[-1]), "").split()).rstrip(".")
    members = [str(each) for each in _members(field.annotation)]
    return text if not members or members[0] in text else f"{text}: {', '.join(members)}"


def _members(annotation: Any) -> list[StrEnum]:
    for option in (annotation, *get_args(annotation)):
        if isinstance(option, type) and issubclass(option, StrEnum):
            return list(option)
    return []


def fields_at(model: type[BaseModel], loc: Loc) -> list[str]:
    """Field names of the model that `loc` leads to."""
    here = model_at(model, loc)
    return list(here.model_fields) if here is not None else []


def model_at(model: type[BaseModel], loc: Loc) -> type[BaseModel] | None:
    """The model that `loc` leads to."""
    here: type[BaseModel] | None = model
    for part in loc:
        if here is not None and isinstance(part, str) and part in here.model_fields:
            here = inner_model(here.model_fields[part].annotation)
    return here


def inner_model(annotation: Any) -> type[BaseModel] | None:
    """The model inside an annotation, if there is one."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for option in get_args(annotation):
        if (found := inner_model(option)) is not None:
            return found
    return None
