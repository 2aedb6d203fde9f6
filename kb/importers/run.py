"""What an importer makes of a file: runs, their points, what it declined, and the JSON that cli.md promises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from kb.finding import Finding
from kb.vocabulary import Statistic

Fact = str | int | float | bool
"""A value as a file states it; `inf` is the text "inf"."""


@dataclass(frozen=True, slots=True)
class RunPoint:
    """One number of a run, in the canonical unit of its metric. Always finite; what is missing has no point."""

    metric: str
    """The tool's own label in canonical spelling (cli.md, "Canonical metrics")."""
    value: float
    unit: str
    stat: Statistic = Statistic.VALUE
    definition: str | None = None
    """What was measured: an id of the vocabulary's definitions; None only where the tool's meaning is not known."""
    n: int | None = None
    """Requests (or samples) behind the number, where the file says so."""

    def as_dict(self) -> dict[str, Any]:
        """The point with the keys cli.md promises."""
        return {
            "metric": self.metric,
            "definition": self.definition,
            "stat": self.stat.value,
            "value": self.value,
            "unit": self.unit,
            "n": self.n,
        }


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A fact that only a file or folder name hints at. Names lie: it is shown, never taken as truth."""

    key: str
    """A dotted setup key, or `where.` and a key of the load point."""
    value: Fact
    origin: str
    """What it was read from, e.g. `file name 1p3d_conc128.json`."""


@dataclass(frozen=True, slots=True)
class Requests:
    """How many requests there were; None where the file does not say."""

    sent: int | None = None
    completed: int | None = None
    failed: int | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """Per-request values of a detailed file, summarised while they were read; the values themselves are not kept."""

    count: int
    """Values that were finite numbers."""
    total: float
    """Their sum, in `unit`."""
    low: float
    high: float
    unit: str


@dataclass(frozen=True, slots=True)
class Run:
    """One measurement: one load point of one tool. A file may hold many."""

    file: str
    """The path as it was given; `-` for standard input."""
    importer: str
    tool: str
    """The load generator by its own name, e.g. `vllm bench serve`."""
    tool_version: str | None = None
    """Its version as the file states it; or what the shape of the file shows, as a range: `>=0.11,<0.19`."""
    record: int = 1
    """Which record of the file, counted from 1 (line, list member, block of a log)."""
    setup: Mapping[str, Fact] = field(default_factory=dict)
    """Dotted keys of kb.setup (`kb.setup.keys()`) that the file states; the load point goes to `where`."""
    where: Mapping[str, Fact] = field(default_factory=dict)
    """The load point: input_tokens, output_tokens, request_rate, concurrency, burstiness, num_prompts, dataset, and the
    tool's own factors of a sweep. As asked for; what was reached is a point."""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    """Further facts under the tool's own names that have no setup key and are no factor (tokenizer, label, seed)."""
    points: tuple[RunPoint, ...] = ()
    requests: Requests = Requests()
    started: str | None = None
    """ISO 8601; without a zone where the file gives local time."""
    ended: str | None = None
    repeat: int | None = None
    """Which repeat of the same load point, counted from 0, where the file says so (`run_number`)."""
    stage: str | None = None
    """The member of a sweep or multi-stage run by the tool's own name (`stage 3`, `throughput`, `summary`)."""
    server_side: bool = False
    """The numbers were taken from the server's own metrics, not by the client."""
    detail: Mapping[str, Series] = field(default_factory=dict)
    """Per-request series that the file holds, by canonical metric."""
    suggestions: tuple[Suggestion, ...] = ()
    not_understood: tuple[str, ...] = ()
    """Sentences: what of this record was not read, and why."""
    findings: tuple[Finding, ...] = ()

    def get(self, metric: str, *stats: Statistic) -> float | None:
        """The value of the first of these statistics that this run has; any order of preference."""
        for stat in stats or (Statistic.VALUE, Statistic.MEAN):
            for point in self.points:
                if point.metric == metric and point.stat is stat:
                    return point.value
        return None

    def as_dict(self) -> dict[str, Any]:
        """The run as `kb import --json` prints it."""
        return {
            "file": self.file,
            "importer": self.importer,
            "tool": self.tool,
            "tool_version": self.tool_version,
            "record": self.record,
            "setup": dict(self.setup),
            "where": dict(self.where),
            "facts": dict(self.facts),
            "points": [point.as_dict() for point in self.points],
            "requests": {
                "sent": self.requests.sent,
                "completed": self.requests.completed,
                "failed": self.requests.failed,
            },
            "started": self.started,
            "ended": self.ended,
            "repeat": self.repeat,
            "stage": self.stage,
            "server_side": self.server_side,
            "detail": {metric: asdict(each) for metric, each in self.detail.items()},
            "suggestions": [{"key": each.key, "value": each.value, "origin": each.origin} for each in self.suggestions],
            "findings": [finding.as_dict() for finding in self.findings],
            "not_understood": list(self.not_understood),
        }


@dataclass(frozen=True, slots=True)
class Declined:
    """A file that gave no runs, and why, in a sentence."""

    file: str
    why: str
    """A sentence; further lines are something to copy, such as a mapping file."""
    tried: tuple[str, ...] = ()
    """Importers that were asked, where none recognised it or several did."""

    def as_dict(self) -> dict[str, Any]:
        """The file with the keys cli.md promises."""
        return {"file": self.file, "why": self.why, "tried": list(self.tried)}


@dataclass(frozen=True, slots=True)
class Imported:
    """What was read from files and folders, in the order they were given."""

    runs: tuple[Run, ...] = ()
    declined: tuple[Declined, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The whole as `kb import --json` prints it."""
        return {"runs": [run.as_dict() for run in self.runs], "declined": [each.as_dict() for each in self.declined]}
