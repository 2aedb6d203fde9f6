"""A change in a terminal: what differs, which artifacts carry it, when it is reached, whom it might touch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.change import Change, Shipped
from kb.evaluation import Claim, Evaluation
from kb.library import Library
from kb.present.claims import in_words
from kb.present.text import Page, bullets, heading, named, table, wrap


def change(record: Change, library: Library, page: Page, links_in: Iterable[tuple[str, str]] = ()) -> list[str]:
    """The whole page, without the body."""
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
        *_touched(record, library, page),
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


def _touched(record: Change, library: Library, page: Page) -> list[str]:
    """Claims on a component of the change that rest on what it alters, by evaluation; a hint, not a verdict."""
    lines: list[str] = []
    for each in library.evaluations.values():
        found = [f"{claim.id}: {why}" for claim in each.claims if (why := ", ".join(_why(record, claim, each)))]
        lines += [f"  {each.id}", *(line for text in found for line in wrap(text, page.width, "    ", "      "))]
        lines = lines if found else lines[:-1]
    return [*heading("Claims it might touch (no verdict yet)", page), *lines] if lines else []


def _why(record: Change, claim: Claim, evaluation: Evaluation) -> Iterator[str]:
    setups = [evaluation.arm_setup(arm) for arm in evaluation.cited_arms(claim)]
    used = {pin.component for setup in setups for pin in setup.pins().values()}
    if not used & {record.component, *record.also}:
        return
    yield from (dimension for dimension in record.dimensions if dimension in claim.rests_on)
    anchors = {anchor for each in claim.anchors.values() for anchor in each}
    yield from (symbol.partition(":")[2] for symbol in record.symbols if symbol in anchors)


def _relations(record: Change, links_in: Iterable[tuple[str, str]], page: Page) -> list[str]:
    rows = [[f"{each.relation} →", each.to] for each in record.relations]
    rows += [[f"{kind} ←", id_] for kind, id_ in links_in]
    return [*heading("Related", page), *table(rows, page.width)] if rows else []
