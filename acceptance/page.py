"""docs/scan-acceptance.md out of what was measured."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from acceptance.by_hand import READINGS
from kb.scan.match import Status

if TYPE_CHECKING:
    from acceptance.scan import Check, Interval

HEAD = """# `kb scan` on real releases

Written by `make acceptance` on {day}: the vLLM sdists of the package index, whole, scanned with the components of this
base. What a person read is kept in `acceptance/by_hand.py`; the rest is measured.

## What was found

`changed` counts behaviour and, after the plus sign, what a syntax tree shows to be quiet (logging, types, refactor).
`time` is the scan's in units of `ast.parse` of the Python files it looks at, own and neighbouring, of both releases:
the best of three runs in turns, with the sdists already in memory ({unit}).
Where names left the component's files the rest of the package is looked through for them, which is in it.

"""

WATCHER = """
## A watcher of file hashes beside it

The watcher knows the files that the component had in the old release: its own, and modules beside them that only pass
names on. It alarms for a file that is gone or whose bytes differ. Files that are new it cannot know.

- **False alarm**: a symbol that behaves as before (unchanged, moved, or differing in docs, types, logging or form only)
  in a file with an alarm. Of files, one in which no symbol behaves differently.
- **Miss**: a name that a file without an alarm gives to others, and behind which something behaves differently: a
  re-export of a class, or a class that inherits from one, that changed in another file.

Which symbols behave differently is the scan's own word. To keep it honest, each function is compared a second time by
other means: `ast.dump` of the whole function, docstring and annotations of arguments left out, without normal form or
matching (`acceptance/oracle.py`). **Ours, false** counts functions reported as behaving differently whose dump is
equal; **ours, missed** those whose dump differs and that were reported as untouched. Those whose dump differs and that
were reported as changed but quiet were read by hand, below.

What this leaves open: a change of form that no rule recognises is reported as behaviour, so that column is an upper
bound, and was read by hand for one interval only. And a watcher of every file is told of something in every interval;
what it cannot say is which claims that concerns.

"""

HAND = """
## Read by hand, in the full sdists

Between 0.18.0 and 0.20.0, and between 0.20.0 and 0.24.0, nothing is reported as removed. Two statements outside of any
function once were, in the first; they are followed now to the file from which their names are imported.

"""


def page(found: Iterable[Interval], day: str) -> str:
    """The page as Markdown."""
    found = list(found)
    there = [each for each in found if each.report.symbols]
    absent = [each for each in found if not each.report.symbols]
    parts = [
        HEAD.format(day=day, unit=_unit(there)),
        _counts(there),
        "\n",
        *_absent(absent),
        WATCHER,
        "\n",
        _watched(there),
        _sum(there),
    ]
    parts += [_missed(there), HAND, _hand(), *_removed(there), "\n## What must hold\n\n", _checks(there)]
    return "".join(parts)


def _table(head: list[str], rows: Iterable[Iterable[object]]) -> str:
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return "\n".join([*lines, *(f"| {' | '.join(str(each) for each in row)} |" for row in rows)]) + "\n"


def _counts(found: list[Interval]) -> str:
    rows = []
    for each in found:
        by_status = Counter(one.status for one in each.report.symbols)
        changed = [one for one in each.report.symbols if one.status is Status.CHANGED]
        real = sum(one.behaves_differently for one in changed)
        quiet = f" + {len(changed) - real}" if len(changed) > real else ""
        kept = (by_status[Status.UNCHANGED], by_status[Status.MOVED], f"{real}{quiet}")
        around = sum(one.neighbour for one in each.report.files)
        rows.append(
            [
                each.component,
                each.label,
                *kept,
                by_status[Status.ADDED],
                by_status[Status.REMOVED],
                around,
                f"{each.ratio:.1f}",
            ]
        )
    head = ["component", "interval", "unchanged", "moved", "changed", "added", "removed", "neighbours", "time"]
    return _table(head, rows)


def _unit(found: list[Interval]) -> str:
    units = [each.milliseconds for each in found]
    return f"one unit was {min(units):.0f} to {max(units):.0f} ms on two shared cores"


def _absent(found: list[Interval]) -> list[str]:
    """A component that is in neither release."""
    return [f"\n{each.component} is in neither release of {each.label}.\n" for each in found]


def _watched(found: list[Interval]) -> str:
    rows = []
    for each in found:
        seen = each.watched
        if not seen.flagged and not seen.missed:
            continue
        alarms, misses, _ = each.misjudged
        quiet = {one.name for one in each.report.symbols if one.kind}
        rows.append(
            [
                each.component,
                each.label,
                seen.files,
                f"{len(seen.alarms)} ({len(seen.false_files)} false)",
                f"{seen.false} of {seen.flagged}",
                len(seen.missed),
                len(alarms),
                sum(name not in quiet for name in misses),
            ]
        )
    head = ["component", "interval", "files", "alarms", "symbols, false", "missed names", "ours, false", "ours, missed"]
    return _table(head, rows)


def _sum(found: list[Interval]) -> str:
    false, flagged = sum(each.watched.false for each in found), sum(each.watched.flagged for each in found)
    missed = [name for each in found for name in each.watched.missed]
    package = sum(name.startswith("__init__.py") for name in missed)
    shims = sum(name.startswith(("worker.py", "scheduler.py")) for name in missed)
    share = f"{false / flagged:.0%}" if flagged else "none"
    told = (
        f"Together: {false} of {flagged} flagged symbols are false alarms ({share}). {len(missed)} names are missed: "
    )
    inherited = len(missed) - package - shims
    rest = f"{package} in the package's own list of names, {shims} in the shims, {inherited} by inheritance"
    return f"\n{told}{rest}.\n"


def _missed(found: list[Interval]) -> str:
    lines = [
        f"- {each.component} {each.label}: {_by_file(each.watched.missed)}" for each in found if each.watched.missed
    ]
    return (
        "\nNames the watcher misses, by the file that stayed the same:\n\n" + "\n".join(lines) + "\n" if lines else ""
    )


def _by_file(missed: list[str]) -> str:
    by_file: dict[str, list[str]] = defaultdict(list)
    for each in missed:
        file, _, name = each.partition(": ")
        by_file[file].append(f"`{name}`")
    return "; ".join(f"`{file}`: {', '.join(names)}" for file, names in sorted(by_file.items()))


def _hand() -> str:
    rows = ([each.interval, f"`{each.symbol}`", "yes" if each.agrees else "no", each.what] for each in READINGS)
    return _table(["interval", "symbol", "bears it out", "what was read"], rows)


def _removed(found: list[Interval]) -> list[str]:
    """Every symbol reported as removed, and where its last name still stands in the whole new sdist."""
    rows = [[each.component, each.label, f"`{name}`", count] for each in found for name, count in each.mentions.items()]
    if not rows:
        return []
    told = "\nReported as removed, and the Python files of the whole new sdist in which the last name still stands:\n\n"
    return [told, _table(["component", "interval", "symbol", "files"], rows)]


def _checks(found: list[Interval]) -> str:
    """What must hold, each with where it holds; an interval in which it does not stands out."""
    by_name: dict[str, list[tuple[Interval, Check]]] = defaultdict(list)
    for each in found:
        for check in each.checks:
            by_name[check.name].append((each, check))
    return _table(["what", "holds in", "does not hold in"], [_row(name, pairs) for name, pairs in by_name.items()])


def _row(name: str, pairs: list[tuple[Interval, Check]]) -> list[str]:
    held = [check.note for _, check in pairs if check.holds]
    broken = [f"**{each.component} {each.label}**: {check.note}" for each, check in pairs if not check.holds]
    note = f" ({held[0]})" if len(pairs) == 1 and held else ""
    return [name, f"{len(held)} of {len(pairs)}{note}", "; ".join(broken)]
