"""Runs read from result files, for people: one line each, then what is to be said of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import groupby

from kb.importers.measured import DECODE
from kb.importers.run import Declined, Imported, Run, RunPoint
from kb.present.findings import text
from kb.present.numbers import plain, rounded
from kb.present.text import Page, bullets, cut, heading, table, width, wrap
from kb.vocabulary import Statistic

MOST = 60
"""Rows, findings or files shown of a kind; the rest is counted."""
FEW = 3
"""Findings of one code that are spelt out."""
_LOAD = {"request_rate": "rate", "concurrency": "conc", "input_tokens": "in", "output_tokens": "out"}
_COMMON = {"burstiness", "num_prompts"}
_COLUMNS = ("TTFT ms", "p99", "ms/token", "E2EL ms", "req/s", "out tok/s")


def imported(got: Imported, page: Page) -> list[str]:
    """Everything that was read, what it means, what was declined."""
    lines: list[str] = []
    numbered = list(enumerate(got.runs, 1))
    shared = _folder(run.file for run in got.runs)
    for title, group in groupby(numbered, key=lambda each: _title(each[1])):
        members = list(group)
        lines += heading(f"{title}: {len(members)} run{'s' * (len(members) > 1)}", page)[not lines :]
        lines += _table(members[:MOST], shared, page) if len(got.runs) > 1 else _points(members[0][1], page)
        lines += _more(len(members) - MOST, "runs")
        lines += _names([run for _, run in members], page)
    return [*lines, *_findings(got.runs, page), *_not_understood(got.runs, page), *_declined(got.declined, page)]


def summary(got: Imported) -> str:
    """`14 runs of 14 files, 2 files declined, 3 findings`."""
    files = len({run.file for run in got.runs})
    parts = [f"{_count(len(got.runs), 'run')} of {_count(files, 'file')}"]
    parts += [f"{_count(len(got.declined), 'file')} declined"] if got.declined else []
    parts += [_count(sum(len(run.findings) for run in got.runs), "finding")]
    return ", ".join(parts)


def _count(number: int, name: str) -> str:
    return f"{number or 'no'} {name}{'' if number == 1 else 's'}"


def _more(hidden: int, what: str) -> list[str]:
    return [f"  … and {hidden} more {what} (--json has all)"] if hidden > 0 else []


def _title(run: Run) -> str:
    version = f" {run.tool_version}" if run.tool_version else ""
    side = ", the server's own metrics" if run.server_side else ""
    model = run.setup.get("model")
    return f"{run.tool}{version}{side}{f', {model}' if model else ''}"


def _table(runs: Sequence[tuple[int, Run]], shared: str, page: Page) -> list[str]:
    """The columns that any of the runs fills, the file last in what room is left."""
    head = ["", "load", "done", *_COLUMNS]
    rows = [[str(number), load(run), _done(run), *_usual(run)] for number, run in runs]
    if not any(any(row[3:]) for row in rows):
        first = list(dict.fromkeys((p.metric, p.stat) for _, run in runs for p in run.points))[:4]
        head[3:] = [_column(runs, metric, stat) for metric, stat in first]
        rows = [
            [*row[:3], *(_number(run.get(*each)) for each in first)] for row, (_, run) in zip(rows, runs, strict=True)
        ]
    filled = [n for n in range(len(head)) if n < 2 or any(row[n] for row in rows)]
    head, rows = [head[n] for n in filled], [[row[n] for n in filled] for row in rows]
    used = 2 + sum(max(width(row[n]) for row in [head, *rows]) + 2 for n in range(len(head)))
    room = page.width - used if page.terminal else 1000
    files = [os.path.relpath(run.file, shared) if shared and run.file != "-" else run.file for _, run in runs]
    named = [f"{file}{_place(run)}" for file, (_, run) in zip(files, runs, strict=True)]
    if room >= 12:
        head.append("file")
        rows = [[*row, _tail(name, room)] for row, name in zip(rows, named, strict=True)]
    right = [n for n, name in enumerate(head) if name not in {"load", "file"}]
    return table(rows, page.width if page.terminal else 1000, head, right, page=page)


def _usual(run: Run) -> list[str]:
    """What serving benchmarks have in common, in the order of _COLUMNS."""
    per_token = next((p.value for p in run.points if p.definition in DECODE and p.stat is Statistic.MEAN), None)
    values = (
        run.get("ttft", Statistic.MEAN, Statistic.P50, Statistic.UNKNOWN),
        run.get("ttft", Statistic.P99),
        per_token if per_token is not None else run.get("tpot", Statistic.MEAN),
        run.get("e2el", Statistic.MEAN, Statistic.P50, Statistic.UNKNOWN),
        run.get("request_throughput"),
        run.get("output_throughput"),
    )
    return [_number(value) for value in values]


def _column(runs: Sequence[tuple[int, Run]], metric: str, stat: Statistic) -> str:
    unit = next(p.unit for _, run in runs for p in run.points if p.metric == metric and p.stat is stat)
    return f"{metric} {unit}" if stat is Statistic.VALUE else f"{metric} {stat.value} {unit}"


def _number(value: float | None) -> str:
    return "" if value is None else rounded(value)


def load(run: Run) -> str:
    """The load point of a run in a few words; a stage by its name."""
    parts = [f"{short} {_plain(run.where[key])}" for key, short in _LOAD.items() if key in run.where]
    parts += [f"{key} {value}" for key, value in run.where.items() if key not in _LOAD and key not in _COMMON][:3]
    return ", ".join([*([run.stage] if run.stage else []), *parts])


def _plain(value: object) -> str:
    return plain(value) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _done(run: Run) -> str:
    sent, completed = run.requests.sent, run.requests.completed
    if completed is None:
        return ""
    return str(completed) if sent is None else f"{completed}/{sent}"


def _place(run: Run) -> str:
    repeat = f" repeat {run.repeat}" if run.repeat is not None else ""
    return f" #{run.record}{repeat}" if run.record > 1 else repeat


def _tail(name: str, room: int) -> str:
    return name if width(name) <= room else "…" + name[-(room - 1) :]


def _folder(files: Iterable[str]) -> str:
    """The folder that all files lie in."""
    given = [os.path.dirname(file) for file in files if file != "-"]  # noqa: PTH120  text as it was given
    try:
        return os.path.commonpath(given) if given else ""
    except ValueError:
        return ""


def _points(run: Run, page: Page) -> list[str]:
    """All numbers of one run: statistics beside each other, then what has one value, then what was measured."""
    spread = [point for point in run.points if point.stat is not Statistic.VALUE]
    single = [point for point in run.points if point.stat is Statistic.VALUE]
    lines = [f"  {load(run)}", ""] if load(run) else []
    lines += _statistics(spread, page) if spread else []
    lines += ["", *table([[p.metric, _cell(p), p.unit] for p in single], page.width, right=(1,))] if single else []
    meanings = dict.fromkeys(f"{p.metric} {p.definition or 'of a meaning not known'}" for p in spread)
    return [*lines, "", *wrap(f"definitions: {', '.join(meanings)}", page.width, "  ")] if meanings else lines


def _statistics(points: Sequence[RunPoint], page: Page) -> list[str]:
    stats = [stat for stat in Statistic if any(p.stat is stat for p in points)]
    found = {(p.metric, p.unit, p.definition, p.stat): p for p in points}
    rows = [
        [f"{metric} {unit}", *(_cell(found.get((metric, unit, definition, stat))) for stat in stats)]
        for metric, unit, definition in dict.fromkeys((p.metric, p.unit, p.definition) for p in points)
    ]
    return table(rows, page.width, ["", *(stat.value for stat in stats)], range(1, len(stats) + 1), page=page)


def _cell(point: RunPoint | None) -> str:
    if point is None:
        return ""
    return plain(round(point.value, 3)) if abs(point.value) >= 0.1 or not point.value else f"{point.value:.3g}"


def _names(runs: Sequence[Run], page: Page) -> list[str]:
    """What only names say, once."""
    keys = dict.fromkeys(each.key for run in runs for each in run.suggestions)
    if not keys:
        return []
    shown = [f"{each.key} {each.value}" for each in runs[0].suggestions] if len(runs) == 1 else list(keys)
    return wrap(f"by file and folder names only, not taken as facts: {', '.join(shown)}", page.width, "  ")


def _findings(runs: Sequence[Run], page: Page) -> list[str]:
    """Worst first; one that holds of many runs is said once with their number."""
    found = [(finding, n) for n, run in enumerate(runs) for finding in run.findings]
    order = {"error": 0, "warning": 1, "info": 2}
    found.sort(key=lambda each: (order[each[0].severity.value], each[0].code))
    lines: list[str] = []
    for code, group in groupby(found, key=lambda each: each[0].code):
        members = list(group)
        lines += text([finding for finding, _ in members[:FEW]], page)
        in_all = len({n for _, n in members})  # one run may have several of a kind
        more = f"    … and {len(members) - FEW} more {code}, in {_count(in_all, 'run')} altogether"
        lines += [more] if len(members) > FEW else []
    return ["", *lines] if lines else []


def _not_understood(runs: Sequence[Run], page: Page) -> list[str]:
    said = dict.fromkeys(each for run in runs for each in run.not_understood)
    shown = list(said)[:MOST]
    more = _more(len(said) - len(shown), "of these")
    return [*heading("Not understood", page), *bullets(shown, page.width), *more] if said else []


def _declined(declined: Sequence[Declined], page: Page) -> list[str]:
    if not declined:
        return []
    shown = [f"{cut(each.file, 200)}: {each.why}" for each in declined[:MOST]]
    return [*heading("Declined", page), *bullets(shown, page.width), *_more(len(declined) - MOST, "files")]


def bar(done: int, total: int, columns: int) -> str:
    """A progress bar of one line."""
    room = max(10, min(40, columns - 30))
    filled = room * done // max(1, total)
    return f"reading [{'#' * filled}{'.' * (room - filled)}] {done}/{total}"
