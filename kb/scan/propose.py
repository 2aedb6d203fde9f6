"""Drafts of change records from what a scan found, and the existing records that already speak of the same change.

A draft says which artifacts carry it and which symbols differ, nothing of an effect. Its dimensions and guards are
suggestions read off names and conditions of the code: a person sets them before the draft counts for anything.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kb.change import Change
from kb.component import Component
from kb.scan.guards import Guard
from kb.scan.match import Status
from kb.scan.report import Difference, Report
from kb.scan.symbols import FUNCTION, STATEMENT
from kb.versions import parse
from kb.vocabulary import Ships

MOST = 12
"""Symbols that a draft names; the rest is counted."""


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
    """Drafts for what behaves differently, one for each group of symbols that came, went or changed together."""
    mine = [each for each in changes if component.id in {each.component, *each.also}]
    renamed = {
        (each.old_name or "").split("#")[0]: each.name for each in report.symbols if each.old_name and each.new_path
    }
    found = [_proposal(group, report, component, mine, renamed, artifact) for group in _groups(report.behaviour())]
    return tuple(_unique(found))


def _unique(found: list[Proposal]) -> Iterator[Proposal]:
    seen: dict[str, int] = defaultdict(int)
    for each in found:
        seen[each.draft["id"]] += 1
        number = seen[each.draft["id"]]
        yield (
            each
            if number == 1
            else Proposal({**each.draft, "id": f"{each.draft['id']}-{number}"}, each.same_as, each.shared)
        )


def _groups(found: list[Difference]) -> list[list[Difference]]:
    """Symbols tied by a class that came or went, or by a name that came or went and that the others' hunks speak of."""
    leader: dict[int, int] = {number: number for number in range(len(found))}

    def lead(number: int) -> int:
        while leader[number] != number:
            number = leader[number]
        return number

    for a, b in _ties(found):
        leader[max(lead(a), lead(b))] = min(lead(a), lead(b))
    groups: dict[int, list[Difference]] = defaultdict(list)
    for number, each in enumerate(found):
        groups[lead(number)].append(each)
    return [sorted(group, key=_weight) for group in groups.values()]


def _ties(found: list[Difference]) -> Iterator[tuple[int, int]]:
    """Pairs of numbers: who speaks of whom in the lines that differ."""
    fresh: dict[str, list[int]] = defaultdict(list)
    for number, each in enumerate(found):
        symbol = each.match.symbol
        if (
            each.status in {Status.ADDED, Status.REMOVED}
            and symbol.kind != STATEMENT
            and not symbol.last.startswith("__")
        ):
            fresh[symbol.last].append(number)
    classes = {
        each.match.symbol.plain: number for number, each in enumerate(found) if each.match.symbol.kind == "class"
    }
    for number, each in enumerate(found):
        owner = classes.get(each.match.symbol.owner)
        if owner is not None and found[owner].status is each.status:
            yield owner, number
        for word in set(re.findall(r"\w+", _differing(each))) & fresh.keys():
            if len(fresh[word]) == 1:
                yield fresh[word][0], number


def _differing(each: Difference) -> str:
    return "\n".join(
        line[1:] for line in (each.hunk or "").splitlines() if line[:1] in "+-" and line[:3] not in {"+++", "---"}
    )


def _weight(each: Difference) -> tuple[int, int, str]:
    """Changed functions first, then those that came or went, then classes and constants; larger hunks first."""
    rank = (each.match.symbol.kind != FUNCTION) * 2 + (each.status is not Status.CHANGED)
    return rank, -len(each.hunk or ""), each.name


def _proposal(
    group: list[Difference],
    report: Report,
    component: Component,
    changes: list[Change],
    renamed: Mapping[str, str],
    artifact: str,
) -> Proposal:
    shared = _known(group, report, component, changes, renamed)
    symbols = list(dict.fromkeys(each.match.symbol.plain for each in group if each.match.symbol.kind != STATEMENT))
    draft = {
        "schema_version": 1,
        "id": _id(component.id, report.new, group[0].match.symbol.plain),
        "title": _title(group, report),
        "component": component.id,
        "kind": _kind(group),
        "status": "merged",
        "summary": _summary(group, report, component),
        "ships": _ships(group, report, component, artifact),
        "guards": [_condition(each) for each in _common(group)],
        "dimensions": _dimensions(group),
        "symbols": [f"{component.id}:{name}" for name in symbols[:MOST] if re.fullmatch(r"[A-Za-z_][\w.]*", name)],
        "proposed_by": "scan",
    }
    return Proposal({key: value for key, value in draft.items() if value != []}, *shared)


def _known(
    group: list[Difference], report: Report, component: Component, changes: list[Change], renamed: Mapping[str, str]
) -> tuple[str | None, tuple[str, ...]]:
    """The record that shares most symbols, and which."""
    names = {name.split("#")[0] for each in group for name in (each.name, each.old_name) if name}
    best: tuple[str | None, tuple[str, ...]] = (None, ())
    for change in changes:
        anchors = {
            symbol.partition(":")[2]
            for symbol in change.symbols
            if symbol.startswith(f"{component.id}:") or change.also
        }
        anchors |= {renamed[name] for name in anchors if name in renamed}
        common = tuple(sorted(names & anchors))
        if len(common) > len(best[1]) and _ships_here(change, report, component):
            best = (change.id, common)
    return best


def _ships_here(change: Change, report: Report, component: Component) -> bool:
    """Whether a record begins to ship after the old release and up to the new one, or does not say."""
    distribution = component.ships_in or component.id
    if parse(report.old) is None or parse(report.new) is None:
        return not change.ships
    before, after = (change.ships_in(distribution, version) for version in (report.old, report.new))
    return (before, after) in {(Ships.NO, Ships.YES), (Ships.YES, Ships.NO), (Ships.NOT_ESTABLISHED,) * 2}


def _id(component: str, version: str, name: str) -> str:
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1-\2", name.rpartition(".")[2] if "__" not in name else name).lower()
    slug = re.sub(r"[^a-z0-9.]+", "-", words).strip("-.")
    return f"{component}-{version}-{slug}"[:76].rstrip("-.")


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
    ("descriptors", r"desc|dlist|xfer_handler"),
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
