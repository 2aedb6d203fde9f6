"""What the store needs to know of one record in one language. Values only; whoever reads records makes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Row = Mapping[str, Any]
"""JSON types by column."""


@dataclass(frozen=True)
class Document:
    """One record in one language. A translation is its own document with the original's id and another `lang`;
    facets, numbers and dates may be left to the original: they hold for the entry in every language.
    """

    id: str
    kind: str
    """evaluation, change, component or deployment."""
    title: str
    path: str
    """Path as shown to people; also what sync adds, updates and removes by."""
    lang: str = "en"
    original: bool = True
    """False for a translation."""
    date: str | None = None
    """ISO day, month or year, as far as it is known."""
    base: str = ""
    """Name of the mounted base the record comes from; empty for the base's own."""
    aliases: tuple[str, ...] = ()
    """Other names of the thing the record is about."""
    claims: tuple[str, ...] = ()
    """Claims as sentences."""
    tags: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    """Names of what it is about beyond title, id and tags: the connectors an evaluation compares."""
    body: str = ""
    facets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Field -> values, in canonical spelling: component, version, model, hardware, connector, source, status, ...
    A component's aliases need not be repeated here, queries resolve them. `kind`, `lang`, `tag` are filled in.
    """
    numbers: tuple[tuple[str, float, float], ...] = ()
    """(field, low, high): metrics in canonical units, effect, input_tokens, qps, ...; one value has low == high."""
    dates: tuple[tuple[str, str], ...] = ()
    """(field, ISO day, month or year) beside `date`."""
    relations: tuple[tuple[str, str], ...] = ()
    """(kind, id of the entry it points to)."""
    record: Row | str = field(default_factory=dict)
    """The record as stored: in JSON types, or as JSON."""
    points: tuple[Row, ...] = ()
    """Rows of the points table: metric, definition, stat, arm, value, low, high, unit, n, qualifier, stage, others."""
    claim_rows: tuple[Row, ...] = ()
    """Rows of the claims table: claim, kind, text, form, metric, value, low, high, phase, others."""


@dataclass(frozen=True)
class Term:
    """A word of the vocabulary: a query that contains one of its names finds every one of them."""

    id: str
    path: str
    names: tuple[tuple[str, str], ...] = ()
    """(language, name), the id included if it is to be found by it."""


Loaded = Document | Term
"""What one file can hold."""
