"""Drafts of change records from what a scan found, and the existing records that already speak of the same change.

A draft says which artifacts carry it and which symbols differ, nothing of an effect. Its dimensions and guards are
suggestions read off names and conditions of the code: a person sets them before the draft counts for anything.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from kb.change import Change
from kb.component import Component
from kb.scan.bundling import bundled
from kb.scan.guards import Guard
from kb.scan.match import Status
from kb.scan.report import Difference, Report
from kb.scan.symbols import CLASS, CONSTANT, FUNCTION, STATEMENT
from kb.versions import parse
from kb.vocabulary import Ships

MOST = 12
"""Pull requests that a draft links to."""


NAMED = re.compile(r"[A-Za-z_][\w.]*")
"""Names that an anchor can have."""


@dataclass(frozen=True)
class Proposal:
    """One draft, or the existing record that already speaks of it."""

    draft: dict[str, Any]
    """Front matter of a change record."""
    same_as: str | None = None
    """Id of the record of the same change: shared symbols, and it ships from this interval on or does not say."""
    shared: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {"id": self.draft["id"], "same_as": self.same_as, "shared": list(self.shared), "draft": self.draft}


def propose(
    report: Report, component: Component, changes: Iterable[Change] = (), artifact: str = "sdist"
) -> tuple[Proposal, ...]:
    """Drafts for what behaves differently, one for each pull request or group of symbols that differ together.

    What an existing record of this interval already names is given under that record, not drafted again.
    """
    found = report.behaviour()
    recorded = _recorded(found, report, component, changes)
    taken = {id(each) for _, group in recorded for each in group}
    left = [each for each in found if id(each) not in taken]
    new_here = not any(each.match.old for each in report.symbols)
    bundles = [left] if new_here and left else bundled(left, groups)
    drafts = [(None, sorted(group, key=_weight)) for group in bundles]
    return tuple(
        _unique(
            Proposal(
                draft(group, report, component, artifact), known, tuple(each.name for each in group) if known else ()
            )
            for known, group in (*recorded, *drafts)
        )
    )


Recorded = list[tuple[str | None, list[Difference]]]


def _recorded(found: list[Difference], report: Report, component: Component, changes: Iterable[Change]) -> Recorded:
    """Records of the same change, with the symbols they name: its shipping turns in the interval, or is not said."""
    renamed = {each.old_name.split("#")[0]: each.name for each in report.symbols if each.old_name and each.new_path}
    groups: Recorded = []
    for change in sorted(changes, key=lambda each: each.proposed_by == "scan"):
        if component.id in {change.component, *change.also} and _ships_here(change, report, component):
            named = {symbol.partition(":")[2] for symbol in change.symbols}
            named |= {renamed[name] for name in named if name in renamed}
            if group := [each for each in found if {each.name.split("#")[0], each.old_name} & named]:
                groups.append((change.id, sorted(group, key=_weight)))
    return groups


def _unique(found: Iterable[Proposal]) -> Iterator[Proposal]:
    seen: dict[str, int] = defaultdict(int)
    for each in found:
        id_ = each.draft["id"]
        seen[id_] += each.same_as is None
        again = f"-{seen[id_]}" if seen[id_] > 1 and each.same_as is None else ""
        yield replace(each, draft={**each.draft, "id": f"{id_}{again}"})


def groups(found: list[Difference]) -> list[list[Difference]]:
    """What came or went is one with what it speaks of among the same; what changed joins the one group it speaks of.

    A function that speaks of several stands alone: a constructor would tie a whole release together.
    """
    fresh = [each for each in found if each.status in {Status.ADDED, Status.REMOVED}]
    together = _together(fresh)
    alone = [each for each in found if each.status not in {Status.ADDED, Status.REMOVED}]
    home = {
        each.match.symbol.last: number
        for number, group in enumerate(together)
        for each in group
        if _known_by_name(each)
    }
    owners = {
        each.match.symbol.owner: number for number, group in enumerate(together) for each in group if _is_field(each)
    }
    rest: list[list[Difference]] = []
    for each in alone:
        spoken = {home[word] for word in _words(each) & home.keys()}
        if each.match.symbol.kind == CLASS and each.match.symbol.plain in owners:
            spoken = {owners[each.match.symbol.plain]}
        if len(spoken) == 1:
            together[spoken.pop()].append(each)
        else:
            rest.append([each])
    return [sorted(group, key=_weight) for group in (*together, *rest)]


def _together(fresh: list[Difference]) -> list[list[Difference]]:
    leader = list(range(len(fresh)))

    def lead(number: int) -> int:
        while leader[number] != number:
            number = leader[number]
        return number

    for a, b in _ties(fresh):
        leader[max(lead(a), lead(b))] = min(lead(a), lead(b))
    found: dict[int, list[Difference]] = defaultdict(list)
    for number, each in enumerate(fresh):
        found[lead(number)].append(each)
    return list(found.values())


def _ties(fresh: list[Difference]) -> Iterator[tuple[int, int]]:
    """Pairs of numbers: who is a member of whom, fields of one class, who speaks of whom."""
    names: dict[str, list[int]] = defaultdict(list)
    owners: dict[tuple[str, bool], int] = {}
    for number, each in enumerate(fresh):
        symbol = each.match.symbol
        if symbol.kind == CLASS:
            owners[symbol.plain, False] = owners[symbol.plain, True] = number
        if _known_by_name(each):
            names[symbol.last].append(number)
    for number, each in enumerate(fresh):
        symbol = each.match.symbol
        if symbol.owner and (_is_field(each) or (symbol.owner, False) in owners):
            yield owners.setdefault((symbol.owner, _is_field(each)), number), number
        yield from ((names[word][0], number) for word in _words(each) & names.keys() if len(names[word]) == 1)


def _known_by_name(each: Difference) -> bool:
    symbol = each.match.symbol
    fresh = each.status in {Status.ADDED, Status.REMOVED}
    return fresh and symbol.kind != STATEMENT and not _is_field(each) and not symbol.last.startswith("__")


def _is_field(each: Difference) -> bool:
    return each.match.symbol.kind == CONSTANT and bool(each.match.symbol.owner)


def _words(each: Difference) -> set[str]:
    whole = None if each.match.old and each.match.new else each.match.symbol.text
    return set(re.findall(r"\w+", _differing(each) if whole is None else whole))


def _differing(each: Difference) -> str:
    return "\n".join(
        line[1:] for line in (each.hunk or "").split("\n") if line[:1] in "+-" and line[:3] not in {"+++", "---"}
    )


def _weight(each: Difference) -> tuple[int, int, str]:
    """Changed functions first, then those that came or went, then classes and constants; larger hunks first."""
    rank = (each.match.symbol.kind != FUNCTION) * 2 + (each.status is not Status.CHANGED)
    return rank, -len(each.hunk or ""), each.name


def draft(group: list[Difference], report: Report, component: Component, artifact: str) -> dict[str, Any]:
    """Front matter of a change record, in the order of its keys."""
    symbols = list(dict.fromkeys(each.match.symbol.plain for each in group if each.match.symbol.kind != STATEMENT))
    found = {
        "schema_version": 1,
        "id": _id(component.id, report.new, group[0].match.symbol.plain),
        "title": _title(group, report),
        "component": component.id,
        "kind": _kind(group),
        "status": "merged",
        "links": _links(group, component),
        "summary": _summary(group, report, component),
        "ships": _ships(group, report, component, artifact),
        "guards": [_condition(each) for each in _common(group)],
        "dimensions": _dimensions(group),
        "symbols": [f"{component.id}:{name}" for name in _named(symbols, group)],
        "proposed_by": "scan",
    }
    return {key: value for key, value in found.items() if value != []}


def _named(symbols: list[str], group: list[Difference]) -> list[str]:
    """Symbols that a record can name; a class that came or went whole stands for its members."""
    whole = {each.match.symbol.plain for each in group if each.status in {Status.ADDED, Status.REMOVED}}
    known = [name for name in symbols if NAMED.fullmatch(name)]
    return [name for name in known if name not in whole or name.rpartition(".")[0] not in whole]


def _ships_here(change: Change, report: Report, component: Component) -> bool:
    """Whether a record begins to ship after the old release and up to the new one, or does not say."""
    distribution = component.ships_in or component.id
    if parse(report.old) is None or parse(report.new) is None:
        return not change.ships
    before, after = (change.ships_in(distribution, version) for version in (report.old, report.new))
    return (before, after) in {(Ships.NO, Ships.YES), (Ships.YES, Ships.NO), (Ships.NOT_ESTABLISHED,) * 2}


def _id(component: str, version: str, name: str) -> str:
    short = name if "__" in name else name.rpartition(".")[2]
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1-\2", short).lower()
    slug = re.sub(r"[^a-z0-9]+", "-", words).strip("-")
    release = re.sub(r"[^A-Za-z0-9_.+-]+", "-", version)  # a branch has slashes, a diff is said in words
    return f"{component}-{release}-{slug}"[:76].rstrip("-.")


def _title(group: list[Difference], report: Report) -> str:
    first = group[0].match.symbol.plain
    more = f" and {len(group) - 1} more" if len(group) > 1 else ""
    return f"{first}{more} {group[0].status.value} in {report.new} (draft by scan)"[:300]


def _kind(group: list[Difference]) -> str:
    if all(each.status is Status.REMOVED for each in group):
        return "removal"
    if any(re.search(r"(CONNECTOR|PROTOCOL|WIRE)_VERSION$", each.name) for each in group):
        return "protocol"
    return "behaviour"


def _summary(group: list[Difference], report: Report, component: Component) -> str:
    by_status = {status: [each.name for each in group if each.status is status] for status in Status}
    parts = [f"{status.value} {_some(names)}" for status, names in by_status.items() if names]
    between = f"Between {component.ships_in or component.id} {report.old} and {report.new}: "
    return (between + "; ".join(parts) + ". What it does and when it is reached has not been read yet.")[:4000]


def _links(group: list[Difference], component: Component) -> list[str]:
    """Pull requests whose commits touched the symbols, where the repository's addresses are made that way."""
    if not component.repository or "github.com/" not in component.repository:
        return []
    numbers = sorted({number for each in group for commit in each.commits for number in commit.pulls})
    return [f"{component.repository.rstrip('/')}/pull/{number}" for number in numbers[:MOST]]


def _some(names: list[str], most: int = 6) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _ships(group: list[Difference], report: Report, component: Component, artifact: str) -> list[dict[str, Any]]:
    if parse(report.old) is None or parse(report.new) is None:
        return []
    said = {"distribution": component.ships_in or component.id, "artifact": artifact}
    marker = f"{group[0].name} as in {report.new}, compared by syntax tree"
    return [
        {**said, "versions": f"=={version}", "ships": ships, "marker": marker, "checked": [version]}
        for version, ships in ((report.old, "no"), (report.new, "yes"))
    ]


def _common(group: list[Difference]) -> list[Guard]:
    """Guards with a known meaning that hold for every symbol of the group."""
    keyed = [{(each.key, each.op, each.value): each for each in one.guards if each.key} for one in group]
    return [guard for key, guard in keyed[0].items() if all(key in each for each in keyed)] if keyed else []


def _condition(guard: Guard) -> dict[str, Any]:
    value = {"value": guard.value} if guard.value is not None else {}
    return {"key": guard.key, "op": guard.op, **value, "why": f"suggested by scan: the code is below `{guard}`"[:4000]}


_DIMENSIONS: tuple[tuple[str, str], ...] = (
    ("handshake", r"handshake|add_remote_agent"),
    ("compatibility", r"compat|_VERSION$"),
    ("post-thread", r"writer_loop|reader_loop|executor|_thread"),
    ("completion", r"notif|pop_done|get_finished"),
    ("descriptor-count", r"desc"),
    ("descriptor-posting", r"desc|dlist|xfer_handler"),
    ("write-path", r"_write_|push_kv|_xfer_blocks"),
    ("read-path", r"read_blocks|ReadSpec"),
    ("transport-selection", r"backend"),
    ("block-lifetime", r"lease|heartbeat|reap|expire|ttl|evict|timeout"),
    ("failure-handling", r"fail|load_errors|invalid"),
    ("kv-layout", r"layout|cross_layers|packed|register_kv_caches|stride|mamba"),
    ("block-size", r"block_size"),
    ("parallelism", r"tp_map|tp_ratio|pp_|TPMapping|remote_ranks"),
    ("prefix-reuse", r"prefix_cach|matched_tokens"),
    ("cache-tiering", r"offload|tier"),
    ("scheduler", r"^Scheduler\."),
)


def _dimensions(group: list[Difference]) -> list[str]:
    """Suggested by what the symbols are called."""
    names = [each.match.symbol.plain for each in group]
    return [dimension for dimension, words in _DIMENSIONS if any(re.search(words, name) for name in names)]
