"""The table of a component's symbols over releases: in which releases a symbol's code is the same, and what it became.

A table is kept beside the component's record (`<id>.symbols.tsv`), so that a base can say "unchanged between these
releases" without the sources. A row is one run of releases in which a symbol has one digest; a symbol that goes on
under another name says which name it had. Only releases that were scanned are spoken of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from urllib.parse import quote, unquote

from kb.errors import KbError
from kb.once import once
from kb.versions import parse

SUFFIX = ".symbols.tsv"
"""How the name of a table's file ends."""
FORMAT = 1
"""Version of the table's layout; a reader refuses only what lacks the columns it needs."""
COLUMNS = ("symbol", "digest", "first", "last", "how", "was", "stands_on", "gone", "file")
NEEDED = COLUMNS[:4]

LONGEST = 1000
"""Characters of a symbol's name; every beginning of a name is looked up, so one that is a file long has too many."""

BEHAVIOUR = "behaviour"
"""`how` of a run that behaves differently from the one before; other words are quieter kinds (refactor, logging)."""
ALIAS = "="


@dataclass(frozen=True, slots=True)
class Run:
    """One symbol over a run of scanned releases in which its code is the same."""

    symbol: str
    digest: str
    first: str
    last: str
    how: str = ""
    """Kind of difference that began the run; empty in the first scanned release, and where the code only moved."""
    was: tuple[str, ...] = ()
    """Names it had in the scanned release before, when it came from other names."""
    stands_on: tuple[str, ...] = ()
    """Of a class: its bases among the component's own; of an alias: `=` and the name it stands for."""
    gone: str = ""
    """Kind of difference that its absence from the next scanned release is; empty where it goes on under any name."""
    file: str = ""
    """Where it is in the last release of the run."""

    @property
    def alias_of(self) -> str | None:
        """What the name really is."""
        return self.stands_on[0][1:] if self.stands_on and self.stands_on[0].startswith(ALIAS) else None


class Outcome(StrEnum):
    """What became of a symbol between two releases."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    MOVED = "moved"
    ABSENT_AT_FIRST = "absent at the first"
    ABSENT_AT_SECOND = "absent at the second"
    NOT_SCANNED = "not scanned"


@dataclass(frozen=True, slots=True)
class Between:
    """A symbol in two releases."""

    outcome: Outcome
    """`changed` means other behaviour as far as a syntax tree tells; `moved`: the same code under another name."""
    first_name: str | None = None
    """Its name in the first release."""
    second_name: str | None = None
    """Its name in the second."""
    changed_in: tuple[str, ...] = ()
    """Releases after the older one in which it behaves differently from the scanned release before."""
    touched_in: tuple[str, ...] = ()
    """Releases in which its code differs and its behaviour does not, as far as a tree tells (logging, refactor)."""


@dataclass(frozen=True, slots=True)
class Differing:
    """A symbol that behaves differently in a scanned release than in the one before."""

    symbol: str
    release: str
    after: str
    """The scanned release before."""
    status: str
    """changed, added or removed."""
    names: tuple[str, ...]
    """Its name and those it had."""
    file: str = ""


@dataclass(frozen=True)
class Table:
    """The symbols of one component over the releases that were scanned."""

    component: str
    distribution: str
    releases: tuple[str, ...]
    """Scanned releases, oldest first."""
    runs: tuple[Run, ...]
    artifacts: str = ""
    """Which kind of artifact was read, in words."""
    form: str = ""
    """Which normal form the digests are of; those of two forms are not compared."""
    date: str = ""
    """Day of the last scan."""
    partial: bool = False
    """Whether the component has code in other languages, which no row speaks of."""

    @cached_property
    def _runs(self) -> Mapping[str, tuple[tuple[int, int, Run], ...]]:
        """Symbol -> (position of its first release, of its last, run)."""
        place = {version: number for number, version in enumerate(self.releases)}
        found: dict[str, list[tuple[int, int, Run]]] = defaultdict(list)
        for each in self.runs:
            found[each.symbol].append((place[each.first], place[each.last], each))
        return {symbol: tuple(sorted(runs, key=lambda run: run[:2])) for symbol, runs in found.items()}

    @cached_property
    def _members(self) -> Mapping[str, tuple[str, ...]]:
        """Class -> names of what it defined in any release."""
        found: dict[str, list[str]] = defaultdict(list)
        for symbol in self._runs:
            parts = symbol.split(".")
            for length in range(1, len(parts)):
                found[".".join(parts[:length])].append(symbol)
        return {owner: tuple(names) for owner, names in found.items()}

    @cached_property
    def _heirs(self) -> Mapping[tuple[str, int], str]:
        """(Name, position of a release) -> the name it has from that release on."""
        place = {version: number for number, version in enumerate(self.releases)}
        return {(was, place[each.first]): each.symbol for each in self.runs for was in each.was}

    def position(self, version: str) -> int | None:
        """Where a release stands among the scanned ones; None when it was not scanned."""
        return self._positions.get(parse(version) or version)

    @cached_property
    def _positions(self) -> Mapping[object, int]:
        return {parse(version) or version: number for number, version in enumerate(self.releases)}

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name of any scanned release, inherited members left out."""
        return frozenset(self._runs)

    def run(self, symbol: str, position: int) -> Run | None:
        """The run of a name in a release, aliases not followed."""
        return next((run for first, last, run in self._runs.get(symbol, ()) if first <= position <= last), None)

    def defining(self, symbol: str, position: int) -> str | None:
        """The name under which a symbol is defined in a release: through aliases of classes, and in their bases.

        Depth first, each name once: classes that share their bases are not walked once for every way that leads there.
        """
        seen: set[str] = set()
        waiting: list[str] = []
        each: str | None = symbol
        while each is not None:
            if each not in seen:
                seen.add(each)
                if (run := self.run(each, position)) is not None and not run.alias_of:
                    return each
                waiting.extend(self._beyond(each, run, position))
            each = waiting.pop() if waiting else None
        return None

    def _beyond(self, symbol: str, run: Run | None, position: int) -> Sequence[str]:
        """Names to look under for what is not defined under its own; the last of them goes first."""
        if run is not None:
            return (run.alias_of,) if run.alias_of else ()
        owner, _, last = symbol.rpartition(".")
        bases = self._stands_on(owner, position) if owner else ()
        return [f"{base}.{last}" for base in reversed(bases)] if bases else ()

    def _stands_on(self, owner: str, position: int) -> tuple[str, ...]:
        run = self.run(owner, position)
        return tuple(each.removeprefix(ALIAS) for each in run.stands_on) if run else ()

    def exists(self, symbol: str) -> bool:
        """Whether any scanned release has the symbol, inherited members included."""
        return symbol in self._runs or any(self.defining(symbol, n) for n in range(len(self.releases)))

    def named_at(self, symbol: str, version: str) -> str | None:
        """The name of a symbol in a release, followed through moves from the nearest release that has it."""
        position = self.position(version)
        return self.trail(symbol, position)[position] if position is not None else None

    @once
    def trail(self, symbol: str, around: int | None = None) -> tuple[str | None, ...]:
        """Its name in every scanned release, followed from the release at or before `around` that has it, else after.

        Without `around` it is followed from the newest release that has it.
        """
        names: list[str | None] = [None] * len(self.releases)
        start = self._start(symbol, len(names) - 1 if around is None else around)
        if start is None:
            return tuple(names)
        names[start] = symbol
        for steps, follow in ((range(start + 1, len(names)), self._after), (range(start - 1, -1, -1), self._before)):
            here = symbol
            for position in steps:
                names[position] = follow(here, position)
                here = names[position] or here
        return tuple(names)

    def _start(self, symbol: str, around: int) -> int | None:
        order = (*range(around, -1, -1), *range(around + 1, len(self.releases)))
        return next((position for position in order if self.defining(symbol, position)), None)

    def _after(self, name: str, position: int) -> str | None:
        """The name in a release of what had a name in the one before."""
        owner, _, last = name.rpartition(".")
        moved = self._heirs.get((name, position))
        heir = self._heirs.get((owner, position)) if owner else None
        kept = f"{heir}.{last}" if heir else name if owner or moved is None else None
        if kept and self.defining(kept, position):
            return kept
        below = self.defining(name, position - 1)
        moved = moved or self._heirs.get((below or "", position))
        return moved if moved and self.defining(moved, position) else self.defining(name, position) and name

    def _before(self, name: str, position: int) -> str | None:
        """The name in a release of what has a name in the one after."""
        if self.defining(name, position):
            return name
        owner, _, last = name.rpartition(".")
        below = self.defining(name, position + 1)
        named = [*self._origins(name, position + 1), *(self._origins(below, position + 1) if below else ())]
        owners = self._origins(owner, position + 1) if owner else ()
        candidates = (*(f"{each}.{last}" for each in owners), *named)
        return next((each for each in candidates if self.defining(each, position)), None)

    def _origins(self, name: str, position: int) -> tuple[str, ...]:
        run = self.run(name, position)
        return run.was if run and self.position(run.first) == position else ()

    def between(self, symbol: str, first: str, second: str) -> Between:
        """A symbol in two releases; the second may be the older one."""
        a, b = self.position(first), self.position(second)
        if a is None or b is None:
            return Between(Outcome.NOT_SCANNED)
        names = self.trail(symbol, a)
        steps = list(self._steps(names, min(a, b), max(a, b)))
        changed = tuple(self.releases[position] for position, how in steps if how == BEHAVIOUR)
        touched = tuple(self.releases[position] for position, how in steps if how != BEHAVIOUR)
        return Between(self._outcome(names, a, b, bool(changed)), names[a], names[b], changed, touched)

    def _outcome(self, names: tuple[str | None, ...], a: int, b: int, changed: bool) -> Outcome:
        one, other = names[a], names[b]
        if one is None:
            return Outcome.ABSENT_AT_FIRST
        if other is None:
            return Outcome.ABSENT_AT_SECOND
        if changed and _digests(self.body(one, a)) != _digests(self.body(other, b)):
            return Outcome.CHANGED
        return Outcome.UNCHANGED if one == other else Outcome.MOVED

    def changes(self, symbol: str, around: int | None = None) -> tuple[tuple[str, str], ...]:
        """(Release, how) wherever its code differs from the scanned release before, oldest first; `around` as in
        trail."""
        steps = self._steps(self.trail(symbol, around), 0, len(self.releases) - 1)
        return tuple((self.releases[position], how) for position, how in steps)

    def span(self, symbol: str) -> tuple[str, str] | None:
        """The first and the last scanned release that have it, under any of its names."""
        having = [self.releases[position] for position, name in enumerate(self.trail(symbol)) if name]
        return (having[0], having[-1]) if having else None

    def last_changed(self, symbol: str) -> str | None:
        """The last scanned release in which it behaves differently from the one before; None when it never did."""
        return next((version for version, how in reversed(self.changes(symbol)) if how == BEHAVIOUR), None)

    @cached_property
    def everything(self) -> tuple[tuple[int, Differing], ...]:
        """What behaves differently from the scanned release before, as far as a tree tells, with the position of the
        release, in order. A member of a class that came or went whole is told with the class.
        """
        found = sorted(self._differing(), key=lambda pair: (pair[0], pair[1].symbol))
        whole = {(position, each.symbol, each.status) for position, each in found if each.status != "changed"}
        return tuple(
            (position, each)
            for position, each in found
            if (position, each.symbol.rpartition(".")[0], each.status) not in whole
        )

    def _differing(self) -> Iterator[tuple[int, Differing]]:
        for symbol, runs in self._runs.items():
            for first, last, run in runs:
                if first and run.how == BEHAVIOUR:
                    status = "changed" if self.run(symbol, first - 1) or run.was else "added"
                    names = (symbol, *run.was)
                    yield first, Differing(symbol, run.first, self.releases[first - 1], status, names, run.file)
                if run.gone == BEHAVIOUR and last + 1 < len(self.releases):
                    yield (
                        last + 1,
                        Differing(symbol, self.releases[last + 1], run.last, "removed", (symbol,), run.file),
                    )

    def with_removals(self) -> Table:
        """With every end of a name that nothing goes on from as a removal: tables of the first tools did not say."""
        return replace(self, runs=tuple(replace(run, gone=BEHAVIOUR) if self._ends(run) else run for run in self.runs))

    def _ends(self, run: Run) -> bool:
        position = (self.position(run.last) or 0) + 1
        goes_on = self.run(run.symbol, position) is not None or (run.symbol, position) in self._heirs
        return position < len(self.releases) and not goes_on

    def _steps(self, names: Sequence[str | None], low: int, high: int) -> Iterator[tuple[int, str]]:
        before: dict[str, Run] | None = None
        for position in range(low, high + 1):
            name = names[position]
            if name is None:
                continue
            now = self.body(name, position)
            if before is not None and (how := _how(before, now, self.releases[position])):
                yield position, how
            before = now

    def body(self, name: str, position: int) -> dict[str, Run]:
        """The code behind a name in a release: of a function itself, of a class its members, inherited ones too.

        Keys are names within the class, empty for itself.
        """
        top = self.defining(name, position)
        found: dict[str, Run] = {}
        for owner in self._lineage(top, position) if top else ():
            for each in (owner, *self._members.get(owner, ())):
                if (run := self.run(each, position)) is not None:
                    found.setdefault(each[len(owner) + 1 :], run)
        return found

    def _lineage(self, name: str, position: int) -> tuple[str, ...]:
        """A name and all it inherits from, nearest first."""
        found: dict[str, None] = {}
        waiting = [name]
        while waiting:
            each = waiting.pop(0)
            if each not in found:
                found[each] = None
                tops = (self.defining(base, position) for base in self._stands_on(each, position))
                waiting += [top for top in tops if top]
        return tuple(found)


def _digests(body: Mapping[str, Run]) -> dict[str, str]:
    return {name: run.digest for name, run in body.items()}


def _how(before: Mapping[str, Run], now: Mapping[str, Run], version: str) -> str:
    """The kind of the gravest difference between the code of two releases; empty when there is none."""
    if before.keys() - now.keys():
        return BEHAVIOUR
    differing = [run for name, run in now.items() if name not in before or before[name].digest != run.digest]
    kinds = {_kind(run, version) for run in differing}
    return BEHAVIOUR if BEHAVIOUR in kinds else min(kinds, default="")


def _kind(run: Run, version: str) -> str:
    """A run that did not begin here is other code in the symbol's place."""
    return run.how or BEHAVIOUR if run.first == version else BEHAVIOUR


@dataclass(frozen=True)
class Digests:
    """The tables of a base, each read when it is first asked for."""

    read: Callable[[str], Table | None] = field(default=lambda _component: None)
    """The table of a component, or None. Raises KbError when there is one that cannot be read."""
    _known: dict[str, Table | None] = field(default_factory=dict, compare=False, repr=False)

    def table(self, component: str) -> Table | None:
        """A component's table; none when there is none, or none that can be read."""
        if component not in self._known:
            try:
                self._known[component] = self.read(component)
            except KbError:
                self._known[component] = None
        return self._known[component]

    def between(self, component: str, symbol: str, first: str, second: str) -> Between:
        """What became of a component's symbol between two releases."""
        table = self.table(component)
        return table.between(symbol, first, second) if table else Between(Outcome.NOT_SCANNED)


def read(text: str, name: str) -> Table:
    """A table from its text; keys and columns that are not known are passed over. Raises KbError."""
    lines = text.removeprefix("\ufeff").splitlines()
    head = dict(_keys(line for line in lines if line.startswith("#")))
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    columns = {title: number for number, title in enumerate(rows[0])} if rows else {}
    lacking = [*(key for key in ("component", "releases") if key not in head), *(t for t in NEEDED if t not in columns)]
    if lacking:
        raise KbError(f"{name} is no table of symbols that can be read: {', '.join(lacking)} missing", _advice(head))
    releases = tuple(head["releases"].split())
    files = tuple(unquote(each) for each in head.get("files", "").split())
    known, places = frozenset(releases), [columns.get(title, -1) for title in COLUMNS]
    runs: list[Run] = []
    try:
        for row in rows[1:]:
            runs.append(_run(row, places, known, files))  # one by one: how many were read says which is damaged
    except (IndexError, ValueError) as error:
        line = [n for n, line in enumerate(lines, 1) if line and not line.startswith("#")][len(runs) + 1]
        raise KbError(f"{name}:{line}: the table of symbols is damaged: {error}", _advice(head)) from None
    said = {key: head.get(key, "") for key in ("distribution", "artifacts", "form", "date")}
    partial = head.get("languages", "") != "python"
    found = Table(head["component"], releases=releases, runs=tuple(runs), partial=partial, **said)
    return found if "gone" in columns else found.with_removals()


def _keys(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        key, colon, value = line[1:].partition(":")
        if colon:
            yield key.strip(), value.strip()


def _advice(head: Mapping[str, str]) -> str:
    written = head.get("table", "")
    if _is_number(written) and int(written) > FORMAT:
        return f"it is of layout {written}, this tool reads {FORMAT}: use a newer one"
    command = f"kb scan {head.get('component', 'COMPONENT')} --from A --to B --index --write"
    return f"take it back from version control, or delete it and begin a new one with `{command}`"


def _run(row: list[str], places: Sequence[int], releases: frozenset[str], files: tuple[str, ...]) -> Run:
    """A row's run; `places` are those of COLUMNS in it. Raises IndexError, ValueError."""
    if len(row) <= max(places[: len(NEEDED)]):
        raise IndexError("a row is too short")
    row = [*row, *[""] * (max(places) + 1 - len(row)), ""]  # what a row leaves out, and a column that is not there (-1)
    symbol, digest, first, last, how, was, stands_on, gone, number = (row[place] for place in places)
    if first not in releases or last not in releases:
        raise ValueError(f"{first} to {last} are no releases of the header")
    if number and not (_is_number(number) and int(number) < len(files)):
        raise ValueError(f"there is no file {number[:20]} in the header")
    if len(symbol) > LONGEST:
        raise ValueError(f"the name of a symbol has {len(symbol)} characters")
    file = files[int(number)] if number else ""
    return Run(symbol, digest, first, last, how, _names(was), _names(stands_on), gone, file)


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) < 10


def _names(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(","))) if text else ()


def write(table: Table) -> str:
    """The text of a table: rows by symbol, then by release; the same table is the same text."""
    files = sorted({each.file for each in table.runs if each.file})
    number = {path: str(n) for n, path in enumerate(files)} | {"": ""}
    head = {
        "table": str(FORMAT),
        "component": table.component,
        "distribution": table.distribution,
        "artifacts": table.artifacts,
        "languages": "python, others not listed" if table.partial else "python",
        "form": table.form,
        "date": table.date,
        "releases": " ".join(table.releases),
        "files": " ".join(map(quote, files)),
    }
    place = {version: number for number, version in enumerate(table.releases)}
    ordered = sorted(table.runs, key=lambda each: (each.symbol, place[each.first]))
    lines = [f"# Digests of {table.component}'s symbols over releases, written by `kb scan`; not to be edited."]
    lines += [f"# {key}: {value}" for key, value in head.items() if value or key != "files"]
    lines += ["\t".join(COLUMNS), *(_row(each, number[each.file]) for each in ordered)]
    return "\n".join(lines) + "\n"


def _row(run: Run, file: str) -> str:
    cells = (run.symbol, run.digest, run.first, run.last, run.how, ",".join(run.was), ",".join(run.stands_on))
    return "\t".join((*cells, run.gone, file)).rstrip("\t")
