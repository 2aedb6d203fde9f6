"""Verdicts as plain values, kept between builds: what was judged on the same records by the same rules stays.

A verdict follows from the evaluation, what is read of later ones that may stand against it (kb.site.aspects), its
signals' states, and every change, component and word; of a deployment's verdict from that deployment, too. The key of
what is kept is made of these and of the program's own files, so that nothing old is ever shown. Bodies are text for
people: no verdict follows from one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from packaging.version import Version

from kb.audit import audit
from kb.audited import Placed, open_at_target
from kb.deployment import Deployment
from kb.evaluation import Evaluation, Translation
from kb.gist import gists
from kb.library import Library
from kb.processes import forks, in_order
from kb.reading import Loaded
from kb.registry import Registry
from kb.setup import Setup
from kb.signals import state
from kb.site.aspects import aspects
from kb.store.kept import Kept, as_text
from kb.target import Target
from kb.verdict import Verdict, grouped
from kb.versions import parse
from kb.vocabulary import UNKNOWN

Judged = dict[str, Any]
"""A verdict with the keys of `kb audit --json`; `table` holds the candidates with neighbours of one answer joined, and
one for a deployment says how many `more` findings decide than the first."""
Progress = Callable[[str, int, int], None]

OWN = ""
"""Name of the target that is each evaluation's own setup, moved to the newest releases."""
RELEASES = "@releases"
"""Name under which verdicts release by release are kept; no deployment is called so."""
STATES = "signals"
"""Name under which the states of all signals are kept."""
JUDGED = "judged "
"""How names begin under which verdicts are kept."""
MOST = 16
"""Releases that a claim is asked at, the newest."""
ENOUGH = 40
"""Claims from which on a second processor is worth its start."""


class Verdicts(Mapping[str, list[Judged]]):
    """Evaluation -> verdicts on its claims; those that were kept are read when somebody asks for them."""

    def __init__(self, kept: Kept, name: str, keys: Mapping[str, str]) -> None:
        self._kept, self._name, self._keys = kept, name, keys
        self._read: dict[str, list[Judged]] = {}

    def __getitem__(self, id_: str) -> list[Judged]:
        if id_ not in self._read:
            self._read[id_] = self._kept.value(self._name, self._keys[id_])
        return self._read[id_]

    def __contains__(self, id_: object) -> bool:
        return id_ in self._keys  # what a Mapping does of its own reads the value

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def digest(self, id_: str) -> str:
        """A digest of the verdicts on one evaluation's claims, without reading them."""
        return self._kept.digests(self._name)[self._keys[id_]]


class Judging(NamedTuple):
    """Everything judged."""

    verdicts: dict[str, Verdicts]
    """By the target's name."""
    world: str
    """A digest of what all of them follow from."""
    states: dict[str, str]
    """Evaluation -> the states of its signals, where it has any."""


def judged(
    library: Library,
    registry: Registry,
    today: str | None,
    kept: Kept,
    stamp: str = "",
    tell: Progress | None = None,
) -> Judging:
    """Verdicts for the own setups, for every deployment, and for the own setups release by release of the engine (each
    with its `release`).

    `stamp` stands for what verdicts follow from beside the records: the tables of symbols.
    """
    said = tell or (lambda _what, _done, _all: None)
    world = f"{_world(library)} {stamp} {today}"
    states = _states(library, registry, world, today, kept)
    common = _keys(library, registry, world, states)
    targets = {name: _digest(_deployment(name, library)) for name in (OWN, RELEASES, *sorted(library.deployments))}
    keys = {name: {id_: _digest(key, of) for id_, key in common.items()} for name, of in targets.items()}
    missing = {
        name: [id_ for id_, key in keys[name].items() if key not in kept.digests(_place(name))] for name in targets
    }
    work = list(_pieces(missing, common))
    for done, verdicts in enumerate(_work(library, registry, work, today), 1):
        said("judging", done, len(work))
        for name, id_, found in verdicts:
            kept.put_text(_place(name), keys[name][id_], found)
    for name in targets:
        kept.only(_place(name), keys[name].values())
    judgements = {
        name: Verdicts(kept, _place(name), {id_: keys[name][id_] for id_ in sorted(common)}) for name in targets
    }
    return Judging(judgements, world, states)


Piece = list[tuple[str, list[str]]]
"""Targets by name, each with evaluations."""
Found = list[tuple[str, str, str]]
"""Name of a target, evaluation, and the verdicts as JSON."""


def _pieces(missing: Mapping[str, list[str]], ids: Iterable[str], size: int = 4) -> Iterator[Piece]:
    """Few evaluations at a time with all targets, which share what does not follow from the target."""
    wanted = {name: set(lacking) for name, lacking in missing.items()}
    lacking = [id_ for id_ in ids if any(id_ in each for each in wanted.values())]
    for few in (lacking[n : n + size] for n in range(0, len(lacking), size)):
        piece = ((name, [id_ for id_ in few if id_ in each]) for name, each in wanted.items())
        yield [each for each in piece if each[1]]


def _work(library: Library, registry: Registry, work: list[Piece], today: str | None) -> Iterable[Found]:
    judge = partial(_piece, Placed(library), registry, today)
    claims = sum(len(library.evaluations[id_].claims) for piece in work for _, ids in piece for id_ in ids)
    return map(judge, work) if claims < ENOUGH or not forks() else in_order(judge, work)


def _piece(placed: Placed, registry: Registry, today: str | None, piece: Piece) -> Found:
    """Written as JSON where they are found: that is less to bring back, and the process that asks has enough to do."""
    found = ((name, _judged(placed, registry, today, name, ids)) for name, ids in piece)
    return [(name, id_, as_text(each)) for name, verdicts in found for id_, each in verdicts.items()]


def _judged(
    placed: Placed, registry: Registry, today: str | None, name: str, ids: list[str]
) -> dict[str, list[Judged]]:
    library = placed.library
    if name == RELEASES:
        return {id_: list(_by_release(library.evaluations[id_], library, registry, today)) for id_ in ids}
    target = Target(name, library.deployments[name].setup) if name else Target()
    found: dict[str, list[Judged]] = {id_: [] for id_ in ids}
    own = name == OWN
    for verdict in audit(library, target, ids, None, today, registry, brief=not own, held=own).verdicts:
        found[verdict.evaluation].append(_whole(placed, verdict) if own else _first(placed, verdict))
    return found


def _whole(placed: Placed, verdict: Verdict) -> Judged:
    return placed.as_dict(verdict) | {"table": [each.as_dict() for each in grouped(verdict.candidates)]}


def _first(placed: Placed, verdict: Verdict) -> Judged:
    """For a deployment only the first that decides is shown, how many `more` do, and what it leaves `open` of itself:
    the rest is not kept."""
    deciding = [each for each in verdict.rulings if each.outcome is verdict.outcome]
    shown = replace(verdict, rulings=tuple(deciding[:1]), candidates=(), quiet=tuple)
    return placed.as_dict(shown) | {"more": len(deciding[1:]), "open": open_at_target(verdict)}


def _by_release(evaluation: Evaluation, library: Library, registry: Registry, today: str | None) -> Iterator[Judged]:
    """Verdicts at every release of the engine from the one it pins on; none where no release is pinned."""
    engine = _engine(evaluation)
    if engine is None:
        return
    component, pinned = engine
    releases = [each.version for each in registry.releases(component) if (parse(each.version) or pinned) >= pinned]
    for release in releases[-MOST:]:
        target = Target(at={(None, registry.distribution(component)): release})
        for each in gists(library, target, [evaluation.id], today, registry):
            yield {
                "evaluation": each.evaluation,
                "claim": each.claim,
                "outcome": each.outcome.value,
                "confirm": each.confirm,
                "findings": [{"message": each.because, "outcome": each.outcome.value}] if each.because else [],
                "release": release,
                "component": component,
            }


def _engine(evaluation: Evaluation) -> tuple[str, Version] | None:
    """The engine that all arms share, and the oldest release of it that they pin."""
    setups = [evaluation.arm_setup(arm) for arm in evaluation.arms] or [evaluation.setup or Setup()]
    pins = [pin for setup in setups for key, pin in setup.pins().items() if key.endswith("engine")]
    found = {pin.component for pin in pins}
    versions = [parse(pin.version or UNKNOWN) for pin in pins]
    known = [each for each in versions if each is not None]
    component = next(iter(found), None)
    return (component, min(known)) if component and len(found) == 1 and len(known) == len(versions) else None


# Keys


def _world(library: Library) -> str:
    """A digest of everything that any evaluation's verdict may follow from, evaluations aside."""
    digest = hashlib.sha256(program(BESIDE).encode())
    for each in library.loaded:
        if not isinstance(each.record, Evaluation | Translation | Deployment):
            digest.update(text(each))
    return digest.hexdigest()


BESIDE = frozenset({"arranging", "cli", "importers", "present", "scan", "search", "setups", "site", "store"})
"""Folders of the program that no verdict follows from."""


@lru_cache(maxsize=1)
def form() -> str:
    """A digest of the file that says in which form verdicts are kept: this one."""
    at = Path(__file__).stat()
    return f"{at.st_size} {at.st_mtime_ns}"


@lru_cache(maxsize=4)
def program(beside: frozenset[str] = frozenset()) -> str:
    """A digest of the program's own files, without some folders: sizes and times, as for records."""
    folder = Path(__file__).parent.parent
    paths = sorted(path.relative_to(folder) for path in folder.rglob("*.py"))
    stamps = [(str(path), (folder / path).stat()) for path in paths if path.parts[0] not in beside]
    return hashlib.sha256(repr([(name, at.st_size, at.st_mtime_ns) for name, at in stamps]).encode()).hexdigest()


def _keys(library: Library, registry: Registry, world: str, states: Mapping[str, str]) -> dict[str, str]:
    """Evaluation -> a digest of what its verdicts follow from, the target aside."""
    every = reversed(library.loaded)  # of two with one id the first counts
    loaded = {each.record.id: each for each in every if isinstance(each.record, Evaluation)}
    dates: dict[str | None, str] = {}
    for each in library.evaluations.values():  # of those that compare other things only this is looked at
        dates[each.question] = f"{dates.get(each.question, '')}{each.id} {each.date}\0"
    found = {}
    says = {id_: aspects(each) for id_, each in loaded.items()}
    for id_, evaluation in library.evaluations.items():
        digest = hashlib.sha256(f"{world}\0{dates[evaluation.question]}".encode())
        digest.update(text(loaded[id_]))
        for each in registry.rivalry.of(evaluation):
            if not _is_past(each, evaluation):
                digest.update(f"{loaded[each.id].path} {says[each.id].heard_by(says[id_])}\0".encode())
        digest.update(states.get(id_, "").encode())
        found[id_] = digest.hexdigest()[:32]
    return found


def _is_past(rival: Evaluation, evaluation: Evaluation) -> bool:
    """Whether both have a date, and that of the rival is not later: then nothing of it is read."""
    days = [str(each.date) for each in (rival, evaluation) if each.date and each.date != UNKNOWN]
    return len(days) == 2 and days[0] <= days[1]


def _states(library: Library, registry: Registry, world: str, today: str | None, kept: Kept) -> dict[str, str]:
    """Evaluation -> the states of its signals, which may follow from any other record, but from no points."""
    frames = (aspects(each).frame for each in library.loaded if isinstance(each.record, Evaluation))
    key = _digest(world, *frames)
    if key not in kept.digests(STATES):
        found = {
            id_: repr([state(signal, each, registry, today) for signal in each.signals])
            for id_, each in library.evaluations.items()
            if each.signals
        }
        kept.put(STATES, key, found)
    kept.only(STATES, [key])
    return dict(kept.value(STATES, key))


def _deployment(name: str, library: Library) -> str:
    return library.deployments[name].stored_json() if name in library.deployments else name


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def text(loaded: Loaded) -> bytes:
    """A record's fields as they were read, with their lines: all of it but the body."""
    table = loaded.record.stored_json() if loaded.sheet else ""
    return f"{loaded.path}\0{loaded.front}\0{table}\0".encode()


def _place(name: str) -> str:
    """Under which name verdicts for a target are kept."""
    return f"{JUDGED}{name}"
