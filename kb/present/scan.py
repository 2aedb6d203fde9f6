"""A scan in a terminal: counts, then what behaves differently with its lines, then what moved, then the quiet rest."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from kb.present.text import Page, bullets, clean, cut, heading, pad, table, wrap
from kb.scan.guards import Guard
from kb.scan.match import Status
from kb.scan.report import Difference, FileDifference, Report, Row
from kb.scan.seen import Kind

_ORDER = (Status.CHANGED, Status.REMOVED, Status.ADDED)


def scan(report: Report, page: Page, lines: int = 8) -> list[str]:
    """The whole page; `lines` of each hunk are shown."""
    short = _Short(report)
    return [
        *map(page.style.bold, wrap(f"{report.component}: {report.old} → {report.new}", page.width)),
        *wrap(_summary(report), page.width),
        *bullets(map(clean, report.notes), page.width),
        *_heirs(report, page),
        *_behaviour(report, page, short, lines),
        *_moved(report, page, short),
        *_quiet(report, page),
        *_facts(report, page),
        *_files(report, page),
        *_drafts(report, page),
        "",
        *wrap("What any of this does to a number is not for a scan to say.", page.width),
    ]


class _Short:
    """Paths without the folder they all share."""

    def __init__(self, report: Report) -> None:
        paths = {path for each in report.symbols for path in (each.old_path, each.new_path) if path}
        self.folder = os.path.commonpath([os.path.dirname(path) for path in paths]) if paths else ""  # noqa: PTH120

    def __call__(self, path: str | None) -> str:
        return (path or "").removeprefix(f"{self.folder}/" if self.folder else "")


def _summary(report: Report) -> str:
    by_status = Counter(each.status for each in report.symbols)
    kinds = Counter(each.kind for each in report.symbols if each.status is Status.CHANGED)
    told = ", ".join(f"{kinds[kind]} {kind.value}" for kind in reversed(Kind) if kinds[kind])
    parts = [
        f"{by_status[status]} {status.value}" + (f" ({told})" if status is Status.CHANGED and told else "")
        for status in Status
        if by_status[status]
    ]
    return f"{len(report.symbols)} symbols: {', '.join(parts)}"


def _heirs(report: Report, page: Page) -> list[str]:
    """Classes that go on under another name."""
    found = [each for each in report.symbols if each.match.symbol.kind == "class" and each.old_name and each.new_path]
    renamed = [each for each in found if each.old_name != each.name]
    told = [
        each.why if (each.old_name or "") in each.why else f"{each.old_name} is {each.name} now: {each.why}"
        for each in renamed
    ]
    return [*heading("Renamed classes", page), *bullets(map(clean, told), page.width)] if told else []


def _behaviour(report: Report, page: Page, short: _Short, lines: int) -> list[str]:
    found = report.behaviour()
    if not found:
        return [*heading("Behaviour", page), "  nothing differs, as far as a syntax tree tells"]
    counts = Counter(each.status for each in found)
    told = ", ".join(f"{counts[status]} {status.value}" for status in _ORDER if counts[status])
    out = heading(f"Behaviour: {told}", page)
    for status in _ORDER:
        for each in (each for each in found if each.status is status and not _member_of_same(each, found)):
            out += _one(each, found, page, short, lines)
    return out


def _member_of_same(each: Difference, found: Iterable[Difference]) -> bool:
    """A member of a class that came or went whole is told with it."""
    return each.status is not Status.CHANGED and any(
        other.match.symbol.kind == "class" and other.status is each.status and other.name == each.match.symbol.owner
        for other in found
    )


def _one(each: Difference, found: list[Difference], page: Page, short: _Short, lines: int) -> Iterator[str]:
    place = short(each.new_path or each.old_path)
    name = page.style.bold(clean(each.name))
    one_line = clean(place).replace("\n", " ")
    yield f"  {pad(each.status.value, 8)} {name}  {page.style.dim(f'{one_line}:{each.match.symbol.line}')}"
    if each.old_name and each.old_name != each.name:
        yield from wrap(f"was {each.old_name}", page.width, " " * 11)
    if each.continued_by:
        yield from wrap(f"perhaps continued by {each.continued_by}", page.width, " " * 11)
    members = [
        one.match.symbol.last for one in found if one.match.symbol.owner == each.name and one.status is each.status
    ]
    if each.match.symbol.kind == "class" and each.status is not Status.CHANGED and members:
        yield from wrap(f"with {', '.join(members)}", page.width, " " * 11)
    if below := [_guard(guard) for guard in each.guards if guard.key != "connector.mode"]:
        yield from wrap(f"only where {' and '.join(below)}", page.width, " " * 11)
    if each.commits:
        yield from wrap(f"by {_commits(each)}", page.width, " " * 11)
    if each.status is Status.CHANGED:
        yield from _hunk(each.hunk or "", page, lines)


def _guard(guard: Guard) -> str:
    if guard.key is None:
        return str(guard)
    return f"{' '.join(filter(None, (guard.key, guard.op, guard.value)))} ({guard})"


def _commits(each: Difference) -> str:
    named = [f"#{commit.pulls[0]}" if commit.pulls else commit.sha[:10] for commit in each.commits]
    return _some(list(dict.fromkeys(named)))


def _hunk(hunk: str, page: Page, lines: int) -> Iterator[str]:
    """The first lines of code that differ, with the shared indentation taken off."""
    shown = [line for line in hunk.split("\n")[2:] if line[:1] in {"+", "-"} and not _COMMENT.match(line)]
    indent = min((len(line) - 1 - len(line[1:].lstrip()) for line in shown), default=0)
    for line in shown[:lines]:
        text = cut(clean(f"           {line[0]} {line[1 + indent :]}"), page.width)
        yield page.style.red(text) if line[0] == "-" else text
    if len(shown) > lines > 0:
        yield page.style.dim(f"           … {len(shown) - lines} more lines")


_COMMENT = re.compile(r"^[+-]\s*(#.*)?$")


def _moved(report: Report, page: Page, short: _Short) -> list[str]:
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in report.symbols:
        if each.status is Status.MOVED:
            places[short(each.old_path), short(each.new_path)].append(each.name)
    if not places:
        return []
    out = heading(f"Moved, with the same body: {sum(map(len, places.values()))}", page)
    for (old, new), names in sorted(places.items()):
        where = f"{old} → {new}" if old != new else f"within {new}"
        out += wrap(f"{where} ({len(names)}): {_some(names)}", page.width, "  ", "    ")
    return out


def _some(names: list[str], most: int = 6) -> str:
    return ", ".join(map(clean, names[:most])) + (f" and {len(names) - most} more" if len(names) > most else "")


def _quiet(report: Report, page: Page) -> list[str]:
    """What a tree shows to be no behaviour, counted."""
    rows = []
    for kind in (Kind.REFACTOR, Kind.LOGGING, Kind.TYPES, Kind.DOCS):
        names = [each.name for each in report.symbols if each.kind is kind and each.status is not Status.MOVED]
        if names:
            rows.append([kind.value, str(len(names)), _some(names, 4)])
    return [*heading("Quiet", page), *table(rows, page.width, right=(1,))] if rows else []


def _facts(report: Report, page: Page) -> list[str]:
    parts = (
        ("Options", report.options),
        ("Environment variables", report.env),
        ("Defaults", report.defaults),
        ("Requirements", report.requirements),
    )
    return [line for title, rows in parts if rows for line in (*heading(title, page), *_rows(rows, page))]


def _rows(rows: Iterable[Row], page: Page) -> list[str]:
    return table([[row["name"], row["status"], _values(row), str(row.get("scope") or "")] for row in rows], page.width)


def _values(row: Row) -> str:
    if row["status"] == Status.CHANGED:
        return f"{row['old']} → {row['new']}"
    return f"was {row['old']}" if row["status"] == Status.REMOVED else str(row["new"])


def _files(report: Report, page: Page) -> list[str]:
    out: list[str] = []
    for title, neighbour in (("Other files", False), ("Neighbours", True)):
        found = [each for each in report.files if each.neighbour is neighbour]
        out += heading(title, page) if found else []
        for each in found:
            told = f"{each.path}: " if each.status is Status.CHANGED else f"{each.path} {each.status.value}: "
            out += wrap((told + _inside(each)).removesuffix(": "), page.width, "  ", "      ")
    return out


def _inside(each: FileDifference) -> str:
    if each.hunk:
        lines = f"{len(re.findall(r'^[+-](?![+-]{2} )', each.hunk, re.MULTILINE))} lines"
        return f"{each.kind.value}, {lines}" if each.kind else lines
    counts = Counter(
        one.status.value if one.kind is Kind.BEHAVIOUR else (one.kind or one.status).value for one in each.symbols
    )
    return ", ".join(f"{count} {what}" for what, count in counts.most_common())


def _drafts(report: Report, page: Page) -> list[str]:
    known = [f"{each['same_as']}: {', '.join(each['shared'])}" for each in report.proposed if each["same_as"]]
    fresh = [each["id"] for each in report.proposed if not each["same_as"]]
    out = [*heading("Already recorded", page), *bullets(known, page.width)] if known else []
    if fresh:
        out += heading(f"Drafts of change records: {len(fresh)} (--write puts them into the base)", page)
        out += bullets(fresh[:8], page.width)
        out += [f"    and {len(fresh) - 8} more"] if len(fresh) > 8 else []
    return out
