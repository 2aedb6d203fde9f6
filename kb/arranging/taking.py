"""`kb import RESULTS --into ID`: further results taken into a record that is there. Planned in values, then written.

A point is the same point when arm, metric, definition, statistic and load point agree: then its number is compared, and
nothing changes when it is the number that stands there; another number takes its place only where that is asked for.
Setup facts are said, never written over a person's words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path
from typing import Any

from ruamel.yaml.comments import CommentedMap, CommentedSeq

from kb.arranging.arms import Group, Split
from kb.arranging.attaching import Attachment, attach, attachments, new
from kb.arranging.begin import Wanted, checked, results, split
from kb.arranging.draft import MANY, Arranged, arrange
from kb.arranging.lengths import of_points
from kb.arranging.replaced import Replaced, differ, refusal
from kb.arranging.surroundings import look
from kb.config import Config
from kb.errors import KbError, NotFound, RecordError, WriteRefused
from kb.evaluation import Evaluation
from kb.evidence import Point
from kb.files import alone, write_text
from kb.importers.run import Imported
from kb.library import Library, open_library, read_file
from kb.places import shown_path
from kb.reading import Loaded, Unreadable
from kb.record import from_here, record_path
from kb.results import FILE, columns, rows, table
from kb.rewrite import edited
from kb.suggest import did_you_mean
from kb.vocabulary import Kind

Fields = dict[str, Any]


@dataclass(frozen=True)
class Taken:
    """What taking the results in would change."""

    path: Path
    arranged: Arranged
    got: Imported
    before: str
    after: str
    table_before: str | None
    table_after: str | None
    raw: tuple[Attachment, ...] = ()
    said: tuple[str, ...] = ()
    replaced: tuple[Replaced, ...] = ()
    """Recorded figures that would have another value."""
    points: tuple[Point, ...] = ()
    """The record's points before."""

    def ask(self, replace: bool) -> None:
        """Raises WriteRefused where recorded figures would be replaced and nobody asked for that."""
        if self.replaced and not replace:
            raise refusal(self.replaced, self.points, self.path.stem)

    @property
    def folder(self) -> Path:
        """The record's own folder."""
        return self.path.with_suffix("")

    @property
    def changes(self) -> bool:
        """Whether anything would be written."""
        return self.after != self.before or self.table_after != self.table_before or bool(self.raw)

    def diff(self) -> list[str]:
        """What changes in the record and in its table, line by line, and files that are new."""
        name, own = from_here(self.path), from_here(self.folder / FILE)
        lines = list(_diff(self.before, self.after, name))
        lines += _diff(self.table_before or "", self.table_after or "", own)
        return [*lines, *(f"new file {from_here(self.folder / 'raw' / each.name)}" for each in self.raw)]

    def as_dict(self) -> Fields:
        """The runs as `kb import` gives them, and what became of them."""
        arms = [{"id": group.id, "runs": len(group.runs), "said": group.said} for group in self.arranged.groups]
        return {
            **self.got.as_dict(),
            "path": from_here(self.path),
            "arms": arms,
            "diff": self.diff(),
            "said": list(self.said),
            "replaced": [each.as_dict() for each in self.replaced],
        }


def _diff(before: str, after: str, name: str) -> Iterator[str]:
    yield from (line.rstrip("\n") for line in unified_diff(before.splitlines(), after.splitlines(), name, name, n=1))


def take(config: Config, id_: str, wanted: Wanted, tell: Callable[[int, int], None] | None = None) -> Taken:
    """Plan. Raises NotFound, WriteRefused, RecordError, or KbError where it is not said which arm the runs are of."""
    library = open_library(config)
    path = _path(config, library, id_)
    loaded = _loaded(path, config)
    record = loaded.record
    assert isinstance(record, Evaluation)
    got = results(wanted, tell)
    parts = _split(record, got, wanted)
    around = look(got, parts.groups, library.components)
    arranged = arrange(
        id_, parts, around, wanted.baseline, library.components, beside=True, lengths=of_points(record.points)
    )
    before = path.read_bytes().decode("utf-8")
    own = path.with_suffix("") / FILE
    table_before = own.read_bytes().decode("utf-8") if record.results else None
    plan = _Plan(record, loaded, table_before)
    for each in arranged.points:
        plan.take(each)
    said = [*arranged.said, *plan.arms(arranged), *_facts(record, arranged)]
    after, table_after = plan.texts(before)
    if after != before or table_after != table_before:
        checked(path.name, after, table_after)
    raw = new(path.with_suffix(""), attachments(got)) if wanted.attach else []
    return Taken(
        path,
        arranged,
        got,
        before,
        after,
        table_before,
        table_after,
        tuple(raw),
        tuple(said),
        tuple(plan.replaced),
        record.points,
    )


def write(taken: Taken, replace: bool = False) -> None:
    """Write what was planned, the record last. Raises WriteRefused when it has changed meanwhile, and for recorded
    figures with another value without `replace`.
    """
    taken.ask(replace)
    with alone(taken.path.parent):
        table = _table(taken.folder) if taken.table_before is not None else None
        if taken.path.read_bytes().decode("utf-8") != taken.before or table != taken.table_before:
            raise WriteRefused(f"{from_here(taken.path)} has changed meanwhile", "run the command again")
        if taken.table_after is not None and taken.table_after != taken.table_before:
            write_text(taken.folder / FILE, taken.table_after)
        attach(taken.folder, taken.raw)
        if taken.after != taken.before:
            write_text(taken.path, taken.after)


def _table(folder: Path) -> str | None:
    """The table of points as it stands now; None where it has gone."""
    try:
        return (folder / FILE).read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None


def _path(config: Config, library: Library, id_: str) -> Path:
    path = record_path(config.base, Kind.EVALUATION, id_)
    if path.is_file():
        return path
    if id_ in library.evaluations:
        raise WriteRefused(f"{id_} lies in a mounted base, which is read-only", "make an evaluation of your own")
    own = [each.stem for each in path.parent.glob("*.md")]
    hint = did_you_mean(id_, own) or f"`kb new evaluation {id_} --from RESULTS` makes one"
    raise NotFound(f'no evaluation is called "{id_}"', hint)


def _loaded(path: Path, config: Config) -> Loaded:
    try:
        return read_file(path, shown_path(path, config.base))
    except Unreadable as error:
        first = error.findings[0]
        raise RecordError(first.code, first.path, first.line, first.message, first.hint) from None


def _split(record: Evaluation, got: Imported, wanted: Wanted) -> Split:
    """Runs by arm of the record; which arm they are of is said, or there is only one."""
    known = [arm.id for arm in record.arms]
    if wanted.arms or wanted.arm_by:
        return split(got.runs, wanted)
    if len(known) == 1:
        return Split((Group(known[0], got.runs, "the record's only arm"),))
    found = split(got.runs, wanted)
    if known and not {group.id for group in found.groups} <= set(known):
        raise KbError(
            "it is not said which arm the runs are of", f"--arm NAME=PATH; arms of the record: {', '.join(known)}"
        )
    return found


def _key(point: Point, definition: bool = True) -> tuple[str, ...]:
    """What makes two points one."""
    where = json.dumps(point.where.stored() if point.where else {}, sort_keys=True)
    return (point.arm or "", point.metric, (point.definition or "") if definition else "", point.stat.value, where)


def _number(point: Point) -> Fields:
    """What is compared of two that are one."""
    return {
        key: value for key, value in point.stored().items() if key in {"value", "low", "high", "unit", "n", "spread"}
    }


@dataclass
class _Plan:
    """Points of a record while others are taken in."""

    record: Evaluation
    loaded: Loaded
    table: str | None
    changed: dict[int, Fields] = field(default_factory=dict)
    """Position among the record's points -> the point as it will be."""
    added: list[Fields] = field(default_factory=list)
    replaced: list[Replaced] = field(default_factory=list)
    new_arms: list[Fields] = field(default_factory=list)
    counted: dict[str, dict[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.by_key = {_key(point): n for n, point in enumerate(self.record.points)}
        loose = [n for n, point in enumerate(self.record.points) if point.definition is None]
        self.loose = {_key(self.record.points[n], False): n for n in loose}
        self.ids = {point.id for point in self.record.points if point.id}

    def take(self, fields: Fields) -> None:
        """One point: known and the same, known and another number, or new."""
        point = Point.model_validate(fields)
        position = self.by_key.get(_key(point))
        if position is None:
            position = self.loose.get(_key(point, False))
        if position is None:
            self.added.append(fields | {"id": self._free(fields["id"])})
            return
        there = self.record.points[position]
        if _number(there) != _number(point):
            self.changed[position] = fields | ({"id": there.id} if there.id else {})
            if differ(there, point):
                self.replaced.append(Replaced(there, point))

    def _free(self, name: str) -> str:
        free = next(each for each in (name, *(f"{name[:56]}-{n}" for n in range(2, 10_000))) if each not in self.ids)
        self.ids.add(free)
        return free

    def arms(self, arranged: Arranged) -> Iterator[str]:
        """Arms that are new, and counts of requests where there are none."""
        known = self.record.arm_table()
        for group in arranged.groups:
            counts = arranged.requests.get(group.id) or {}
            if group.id not in known:
                self.new_arms.append({"id": group.id, **({"requests": counts} if counts else {})})
                yield f"arm {group.id} is new: say in its setup what it is"
            elif counts and known[group.id].requests is None:
                self.counted[group.id] = counts
            elif counts and (stated := known[group.id].requests) is not None:
                stored = {key: str(value) for key, value in stated.stored().items()}
                if any(stored.get(key) != value for key, value in counts.items()):
                    yield f"requests of {group.id}: the record says {_said(stored)}, these files {_said(counts)}"

    @property
    def _to_table(self) -> bool:
        """Whether new points go to the table: it is there, or they are too many for the record."""
        return self.table is not None or len(self.record.points) + len(self.added) > MANY

    def texts(self, before: str) -> tuple[str, str | None]:
        """The record and its table as they will be."""
        first = self.loaded.sheet.first if self.loaded.sheet else len(self.record.points)
        in_front = {n: each for n, each in self.changed.items() if n < first}
        in_table = {n - first: each for n, each in self.changed.items() if n >= first}
        to_table = self._to_table and bool(self.added)
        after = self._front(before, in_front, [] if self._to_table else self.added, to_table and self.table is None)
        if not in_table and not to_table:
            return after, self.table
        points = [point for _, point in rows(self.table)] if self.table else []
        for n, each in in_table.items():
            points[n] = each
        return after, table([*points, *(self.added if to_table else [])], columns(self.table or ""))

    def _front(self, before: str, changed: Mapping[int, Fields], added: Sequence[Fields], begins_table: bool) -> str:
        if not (changed or added or begins_table or self.new_arms or self.counted):
            return before

        def edit(front: Any) -> None:
            for n, each in changed.items():
                _put(front["points"][n], each)
            for each in added:
                front.setdefault("points", CommentedSeq()).append(_flow(each))
            if begins_table:
                front["results"] = FILE
            for arm in front.get("arms") or []:
                if str(arm["id"]) in self.counted:
                    arm["requests"] = _flow(self.counted[str(arm["id"])])
            for each in self.new_arms:
                front.setdefault("arms", CommentedSeq()).append(_flow(each))

        return edited(before, edit)


def _said(counts: Mapping[str, str]) -> str:
    return ", ".join(f"{value} {key}" for key, value in counts.items())


def _put(there: Any, fields: Fields) -> None:
    """The number of a point replaced; what a person added beside stays."""
    for key in ("value", "low", "high", "unit", "n", "spread", "definition"):
        if key in fields:
            there[key] = _flow(fields[key]) if isinstance(fields[key], dict) else fields[key]
        elif key in there and key != "definition":
            del there[key]


def _flow(fields: Mapping[str, Any]) -> Any:
    """A table on one line."""
    made = CommentedMap({key: _flow(each) if isinstance(each, Mapping) else each for key, each in fields.items()})
    made.fa.set_flow_style()
    return made


def _facts(record: Evaluation, arranged: Arranged) -> Iterator[str]:
    """Facts that the files state and the record leaves open, or states otherwise."""
    arms = record.arm_table()
    for group in arranged.groups:
        arm = arms.get(group.id)
        if arm is None:
            continue
        known = record.arm_setup(arm).flat()
        for key, value in {**arranged.setup, **arranged.arms.get(group.id, {})}.items():
            if key.startswith("workload."):
                continue
            here = known.get(key)
            if here in (None, "unknown"):
                yield f"{group.id}: the files say {key} is {value}, the record leaves it open"
            elif str(here).lower() != str(value).lower():
                yield f"{group.id}: the files say {key} is {value}, the record {here}"
