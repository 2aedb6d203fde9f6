"""The table of an open pin in few rows: what each build that it can be would mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from packaging.version import Version

from kb.verdict import ORDER, Candidate
from kb.versions import parse
from kb.vocabulary import Outcome

FEW = 2
"""Changes that are named in a row; the rest is counted."""

_WORDS = {Outcome.HOLDS: "nothing speaks against the claim"}
"""A build of one pin is no verdict: that it holds would promise too much."""


class Row(NamedTuple):
    """Neighbouring builds with one answer."""

    first: str
    last: str
    outcomes: tuple[Outcome, ...]
    """More than one where the other side of the pin is open, too, and matters."""
    changes: tuple[str, ...]
    """Ids of what decides; none where it is no change."""
    because: str

    @property
    def builds(self) -> str:
        """`0.24.0..0.27.1`."""
        return self.first if self.first == self.last else f"{self.first}..{self.last}"

    @property
    def answer(self) -> str:
        """Outcome and what decides: `recheck: vllm-45237-padding`."""
        either = ", by the build that was measured" if len(self.outcomes) > 1 else ""
        return (
            " or ".join(_WORDS.get(each, each.value) for each in self.outcomes)
            + either
            + (f": {self._decides}" if self.changes else "")
        )

    @property
    def _decides(self) -> str:
        left = len(self.changes) - FEW
        return ", ".join(self.changes[:FEW]) + (f" and {left} more" if left > 0 else "")

    def __str__(self) -> str:
        return f"{self.builds} -> {self.answer}"


class Table(NamedTuple):
    """What one open pin would mean, build by build."""

    names: str
    asked: bool
    """Whether the builds are those of the target; else those that were measured."""
    rows: tuple[Row, ...]

    @property
    def what(self) -> str:
        """Whose version is open."""
        return f"{self.names} at the target" if self.asked else self.names

    @property
    def which(self) -> str:
        """The same as a question."""
        return f"which {self.names} {'the target runs' if self.asked else 'ran'}"

    @property
    def disagrees(self) -> bool:
        """Whether the outcome depends on it."""
        return len({outcome for row in self.rows for outcome in row.outcomes}) > 1

    def brief(self) -> Table:
        """Neighbours with one outcome as one row, whatever decides it."""
        groups = groupby(self.rows, key=lambda row: row.outcomes)
        return self._replace(rows=tuple(_joined(list(rows)) for _, rows in groups))


def in_tables(candidates: Iterable[Candidate]) -> tuple[Table, ...]:
    """A table for each open pin, in the order of the candidates. Where the target's build is open, it is asked about
    that one, which the reader can state; and about the one that was measured where only that matters."""
    named: dict[str, list[Candidate]] = {}
    for each in candidates:
        named.setdefault(each.build.names, []).append(each)
    return tuple(_table(names, rows) for names, rows in named.items())


def _table(names: str, rows: list[Candidate]) -> Table:
    ran = Table(names, False, tuple(_rows((each.build.was, each) for each in rows if each.build.was)))
    runs = Table(names, True, tuple(_rows((each.build.now, each) for each in rows if each.build.now)))
    if not runs.rows:
        return ran
    idle = len({row.outcomes for row in runs.rows}) == 1
    return ran if idle and len({row.outcomes for row in ran.rows}) > 1 else runs


def _rows(found: Iterable[tuple[str | None, Candidate]]) -> Iterator[Row]:
    by_version: dict[str, dict[tuple[Outcome, str | None, str], Candidate]] = {}
    for version, each in found:
        by_version.setdefault(version or "", {}).setdefault((each.outcome, each.change, each.rule), each)
    ordered = sorted(by_version.items(), key=lambda pair: _order(pair[0]))
    for _, group in groupby(ordered, key=lambda pair: frozenset(pair[1])):
        alike = list(group)
        answers = sorted(alike[0][1].values(), key=lambda each: ORDER.index(each.outcome))
        yield Row(
            alike[0][0],
            alike[-1][0],
            tuple(dict.fromkeys(each.outcome for each in answers)),
            tuple(dict.fromkeys(each.change for each in answers if each.change)),
            answers[0].because,
        )


def _joined(rows: list[Row]) -> Row:
    changes = tuple(dict.fromkeys(change for row in rows for change in row.changes))
    return rows[0]._replace(last=rows[-1].last, changes=changes)


def _order(version: str) -> Version:
    return parse(version) or Version("0")


def span(names: str, builds: Iterable[tuple[str | None, str | None]], asked: bool) -> str:
    """The builds for which something is so, of pairs of measured and asked: those of the one side, oldest to newest."""
    versions = sorted({(now if asked else was) or "" for was, now in builds}, key=_order)
    first, last = versions[0], versions[-1]
    which = f"{names} {first}" if first == last else f"{names} {first}..{last}"
    return f"{which} at the target" if asked else which
