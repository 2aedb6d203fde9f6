"""A component in a terminal: its names, releases, what they read and refuse, and its known changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from packaging.version import Version

from kb.board import Row
from kb.change import Change
from kb.component import ClassName, Component, Facts
from kb.impact import Impact
from kb.library import Library
from kb.placed import in_words
from kb.present.impact import states
from kb.present.since import shipping
from kb.present.text import Page, heading, named, table, wrap
from kb.versions import parse
from kb.vocabulary import ChangeStatus

NEWEST = 6
"""Releases shown; the rest is counted."""


def component(
    record: Component,
    library: Library,
    page: Page,
    used_by: Iterable[str] = (),
    found: Impact | None = None,
) -> list[str]:
    """The whole page."""
    return [
        *map(page.style.bold, wrap(record.title, page.width)),
        *wrap(f"{record.id} · {record.kind}", page.width),
        "",
        *named("What", record.summary or "", page.width),
        *named("Ships in", ", ".join(filter(None, (record.ships_in, *record.also_ships_in))), page.width),
        *named("Names", ", ".join(record.aliases), page.width),
        *named("Source", record.repository or "", page.width),
        *_classes(record, page),
        *_releases(record, library, page),
        *_builds(record, page),
        *_facts(record, page),
        *_coverage(record, page),
        *_changes(record, library, page, found),
        *_used(used_by, page),
    ]


def _classes(record: Component, page: Page) -> list[str]:
    rows = [[each.name, each.mode or "", _class(each)] for each in record.classes]
    return [*heading("Classes", page), *table(rows, page.width)] if rows else []


def _class(each: ClassName) -> str:
    alias = f"alias of {each.alias_of}" if each.alias_of else ""
    return ", ".join(filter(None, (each.versions if each.versions != "*" else "", alias)))


def _releases(record: Component, library: Library, page: Page) -> list[str]:
    owner = record if record.releases else library.components.get(record.ships_in or "")
    if owner is None or not owner.releases:
        return []
    ordered = sorted(owner.releases, key=lambda each: parse(each.version) or Version("0"), reverse=True)
    shown = [
        f"{each.version} ({each.date or 'no date'}{', yanked' if each.yanked else ''})" for each in ordered[:NEWEST]
    ]
    rest = len(ordered) - len(shown)
    whose = "" if owner is record else f" of {owner.id}"
    more = f" and {rest} older" if rest > 0 else ""
    return [*heading(f"Releases{whose}, newest first", page), *wrap(", ".join(shown) + more, page.width, "  ")]


def _builds(record: Component, page: Page) -> list[str]:
    rows = [[str(each.commit or each.image), in_words(each), each.read_in or ""] for each in record.builds]
    return [*heading("Commits and images among the releases", page), *table(rows, page.width)] if rows else []


def _facts(record: Component, page: Page) -> list[str]:
    """What is read by kind, facts of one range of releases joined."""
    joined: dict[tuple[str, str], list[str]] = {}
    for fact in reversed(record.facts):
        for kind, text in _fact(fact):
            joined.setdefault((kind, fact.versions), []).append(text)
    rows = [["requires", name, text] for name, text in _requires(record)]
    rows += [
        [kind, versions, ("; " if kind == "refuses" else ", ").join(texts)]
        for (kind, versions), texts in joined.items()
    ]
    rows.sort(key=lambda row: _KINDS.index(row[0]))
    return [*heading("What releases read, require and refuse", page), *table(rows, page.width)] if rows else []


_KINDS = ("wire version", "requires", "options", "env", "defaults", "passes", "refuses")


def _fact(fact: Facts) -> Iterator[tuple[str, str]]:
    when = f" when {' and '.join(map(str, fact.when))}" if fact.when else ""
    if fact.wire_version:
        yield "wire version", fact.wire_version + when
    for kind in ("options", "env", "defaults", "passes"):
        for key, value in getattr(fact, kind).items():
            yield kind, f"{key} = {value}{when}"
    for refusal in fact.refuses:
        why = f" ({refusal.why})" if refusal.why else ""
        yield "refuses", f"{' and '.join(map(str, refusal.when))}{when}{why}"


def _requires(record: Component) -> Iterator[tuple[str, str]]:
    """What is required of each distribution, newest first; a release that requires its own version says so shortly."""
    required: dict[str, dict[str, list[str]]] = {}
    for fact in reversed(record.facts):
        for name, spec in fact.requires.items():
            when = f" when {' and '.join(map(str, fact.when))}" if fact.when else ""
            one = fact.versions.removeprefix("==")
            own = fact.versions.startswith("==") and spec in {f"=={one}", f">={one}"}
            said = f"{spec[:2]} its own version" if own else spec
            required.setdefault(name, {}).setdefault(f"{said}{when}", []).append(one)
    for name, specs in required.items():
        yield name, "; ".join(f"{spec} in {_span(versions)}" for spec, versions in specs.items())


def _span(versions: list[str]) -> str:
    """A few versions or ranges by name; many by their ends."""
    if len(versions) <= 2:
        return " and ".join(versions)
    return f"{versions[-1]} ... {versions[0]} ({len(versions)} releases)"


def _coverage(record: Component, page: Page) -> list[str]:
    rows = [[f"{each.since} to {each.until}", f"by {each.by}, {each.date}: {each.because}"] for each in record.coverage]
    if not rows:
        none = "no interval between releases has been looked at as a whole"
        return [*heading("Coverage", page), *wrap(none, page.width, "  ")]
    return [*heading("Coverage", page), *table(rows, page.width)]


def _changes(record: Component, library: Library, page: Page, found: Impact | None = None) -> list[str]:
    """How far each change has got: proposed, merged, released, measured."""
    known = [each for each in library.changes.values() if record.id in {each.component, *each.also}]
    newest_first = sorted(
        known, key=lambda each: (each.dates and (each.dates.merged or each.dates.opened)) or "", reverse=True
    )
    board = {each.change.id: each for each in found.board} if found else {}
    lines = [line for each in newest_first for line in _change(each, page, board.get(each.id))]
    return [*heading("Known changes, newest first", page), *lines] if lines else []


def _change(each: Change, page: Page, row: Row | None) -> list[str]:
    state = shipping(each) if each.status is ChangeStatus.MERGED else each.status.value
    far = "; ".join(states(row)) if row else state
    said = wrap(each.title, page.width, "    ")
    return [f"  {each.id}", *said, *map(page.style.dim, wrap(far, page.width, "    ", "      "))]


def _used(used_by: Iterable[str], page: Page) -> list[str]:
    rows = [[id_] for id_ in dict.fromkeys(used_by)]
    return [*heading("Used in", page), *table(rows, page.width)] if rows else []
