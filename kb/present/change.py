"""A change in a terminal: what differs, which artifacts carry it, when it is reached, whom it might touch."""

from __future__ import annotations

from collections.abc import Iterable

from kb.change import Change, Shipped
from kb.impact import Impact
from kb.present import impact
from kb.present.claims import in_words
from kb.present.text import Page, bullets, heading, named, table, wrap


def change(
    record: Change,
    page: Page,
    links_in: Iterable[tuple[str, str]] = (),
    found: Impact | None = None,
    every: bool = False,
) -> list[str]:
    """The whole page, without the body; `found` is what it touches, and with `every` also what it does not."""
    return [
        *map(page.style.bold, wrap(record.title, page.width)),
        *wrap(f"{record.id} · {record.kind} change · {_status(record)}", page.width),
        "",
        *named("Component", ", ".join((record.component, *record.also)), page.width),
        *named("What", record.summary, page.width),
        *named("Effect", f"as its author says: {record.said_effect}" if record.said_effect else "", page.width),
        *named("Alters", ", ".join(record.dimensions), page.width),
        *named("Phase", record.phase or "", page.width),
        *named("Favours", record.favours or "", page.width),
        *named("Address", " ".join(filter(None, (record.url, *record.links))), page.width),
        *named("Code", ", ".join(record.symbols), page.width),
        *_ships(record, page),
        *_guards(record, page),
        *(impact.touching(found, page, every) if found else ()),
        *_relations(record, links_in, page),
    ]


def _status(record: Change) -> str:
    days = record.dates.stored() if record.dates else {}
    dated = ", ".join(f"{name} {day}" for name, day in days.items())
    said = record.status.value
    return f"{said} ({dated})" if dated else said


def _ships(record: Change, page: Page) -> list[str]:
    if not record.ships:
        none = "not established: nobody has looked into an artifact"
        return [*heading("Ships", page), *wrap(none, page.width, "  ")]
    rows = [[f"{each.distribution} {each.artifact}", each.versions, each.ships, _opened(each)] for each in record.ships]
    markers = dict.fromkeys(each.marker for each in record.ships if each.marker)
    return [
        *heading("Ships", page),
        *table(rows, page.width, ["in", "versions", "ships", "opened"], page=page),
        *(wrap(f"looked for: {'; '.join(markers)}", page.width, "  ", "    ") if markers else []),
    ]


def _opened(each: Shipped) -> str:
    if len(each.checked) <= 3:
        return ", ".join(each.checked)
    return f"{each.checked[0]} ... {each.checked[-1]} ({len(each.checked)} versions)"


def _guards(record: Change, page: Page) -> list[str]:
    guards = [in_words(each) for each in record.guards]
    return [*heading("Reached only when", page), *bullets(guards, page.width)] if guards else []


def _relations(record: Change, links_in: Iterable[tuple[str, str]], page: Page) -> list[str]:
    rows = [[f"{each.relation} →", each.to] for each in record.relations]
    rows += [[f"{kind} ←", id_] for kind, id_ in links_in]
    return [*heading("Related", page), *table(rows, page.width)] if rows else []
