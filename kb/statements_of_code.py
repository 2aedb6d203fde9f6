"""Statements about code that was read between two releases: what one claim loses by the difference, if anything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kb.component import Component
from kb.digests import Table
from kb.errors import KbError, NotFound
from kb.evaluation import Claim, Evaluation, Impact
from kb.named import component_of
from kb.registry import Registry
from kb.scene import scene
from kb.statements import Signed, Statement, justified, made, status_of, verdicts_of
from kb.suggest import nearest, nearest_version
from kb.target import Target
from kb.turns import Turn, turns
from kb.versions import parse


def is_code(name: str) -> bool:
    """Whether a word of the command line is `component:symbol`, and no address."""
    component, colon, symbol = name.partition(":")
    return bool(colon and component) and not symbol.startswith("//")


@dataclass(frozen=True, slots=True)
class Interval:
    """Between which releases code was read."""

    since: str
    until: str
    before: str | None = None
    """A later release before which the reading ends, knowingly."""


def state_code(
    names: Iterable[str],
    between: Interval,
    evaluation: Evaluation,
    claim: Claim,
    status: str,
    justification: str | None,
    signed: Signed,
    registry: Registry,
) -> Statement:
    """A person's finding about code that differs between two releases, and one claim.

    Raises KbError for what is not on the closed lists, for code that does not differ there, and for code of which a
    known later release has another difference that the reading does not reach.
    """
    found = status_of(status)
    why = justified(found, justification)
    stored = signed.stored()
    symbols = [_symbol(name, registry) for name in dict.fromkeys(names)]
    for component, symbol, _ in symbols:
        _run_by(evaluation, claim, component, symbol, registry)
    told = {f"{c.id}:{symbol}": _told(c, symbol, table, between) for c, symbol, table in symbols}
    record = {"symbols": list(told), "since": _bare(between.since), "until": _bare(between.until)}
    record |= {"claim": claim.id, "status": found.value} | why | stored
    statement = made(Impact, record)
    changed = evaluation.model_copy(update={"impacts": (*evaluation.impacts, statement)})
    return Statement(
        evaluation,
        (claim,),
        "impacts",
        record,
        (),
        (),
        verdicts_of(evaluation, changed, (claim,), Target(), registry),
        _younger(statement, evaluation),
        told,
    )


def _bare(version: str) -> str:
    return version.removeprefix("v")


def _symbol(name: str, registry: Registry) -> tuple[Component, str, Table]:
    """The component, the symbol and the table it stands in. Raises KbError."""
    owner, _, symbol = name.partition(":")
    component = component_of(owner, registry.library)
    if component is None:
        near = nearest(owner, registry.library.components)
        raise NotFound(f'no component is called "{owner}"', f"did you mean {near}:{symbol}?" if near else None)
    table = registry.library.digests.table(component.id)
    if table is None:
        scan = f"`kb scan {component.id} --from A --to B --index --write` makes one"
        raise KbError(f"{component.id} has no table of symbols, by which code is followed", scan)
    if not table.exists(symbol):
        near = nearest(symbol, table.names)
        span = f"{table.releases[0]} to {table.releases[-1]}"
        hint = f"did you mean {component.id}:{near}?" if near else "`kb scan` lists the symbols of two releases"
        raise NotFound(f"{component.id} has no {symbol} in any scanned release ({span})", hint)
    return component, symbol, table


def _run_by(evaluation: Evaluation, claim: Claim, component: Component, symbol: str, registry: Registry) -> None:
    """Raises KbError where no arm that counts for the claim runs the component."""
    lines = [line for arm in scene(evaluation, claim, Target(), registry).arms for line in arm.lines]
    run = dict.fromkeys(name for line in lines for name in (*line.components, line.distribution))
    if component.id not in run:
        arms = f"what {evaluation.id}/{claim.id} compares runs no {component.id}"
        raise KbError(f"{arms}: {symbol} cannot matter to it", f"it runs {', '.join(run) or 'nothing that is known'}")


def _told(component: Component, symbol: str, table: Table, between: Interval) -> tuple[str, ...]:
    """The releases of the interval in which the symbol differs. Raises KbError."""
    name = f"{component.id}:{symbol}"
    for version in (between.since, between.until):
        if table.position(version) is None:
            raise NotFound(f'"{version}" is no release of {component.id} that was scanned', _scanned(version, table))
    since, until = parse(between.since), parse(between.until)
    if since is None or until is None or since >= until:
        raise KbError(f"{between.until} is not after {between.since}", "--from the older release --to the newer one")
    every = turns(table, symbol, between.since, table.releases[-1])
    inside = [each for each in every if _is_up_to(each, between.until)]
    if not inside:
        raise KbError(f"{name} is the same in {between.since} and {between.until}", _elsewhere(table, symbol))
    _refuse_short(name, every, between)
    return tuple(each.release for each in inside)


def _scanned(version: str, table: Table) -> str:
    near = nearest_version(version, table.releases)
    listed = f"scanned are {', '.join(table.releases)}"
    return f"did you mean {near}? {listed}" if near else listed


def _is_up_to(turn: Turn, version: str) -> bool:
    release, last = parse(turn.release), parse(version)
    return release is not None and last is not None and release <= last


def _elsewhere(table: Table, symbol: str) -> str:
    found = [each.release for each in turns(table, symbol, table.releases[0], table.releases[-1])]
    return f"it differs in {', '.join(found)}" if found else "it is the same in every scanned release"


def _refuse_short(name: str, every: Iterable[Turn], between: Interval) -> None:
    """Raises KbError where a later difference is known that the reading does not reach, and nobody said so."""
    after = [each for each in every if not _is_up_to(each, between.until)]
    stop = parse(between.before or "")
    passed = [each for each in after if stop is None or (parse(each.release) or stop) < stop]
    if passed:
        first, last = passed[0].release, passed[-1].release
        raise KbError(
            f"{first} changes {name} again; the reading stops at {between.until}",
            f"read up to there and say --to {last}; or say that it ends before: --before {first}",
        )


def _younger(statement: Impact, evaluation: Evaluation) -> str | None:
    """Day of a younger statement about some of the same code and the same claim."""
    mine = set(statement.symbols)
    days = (e.date for e in evaluation.impacts if mine & set(e.symbols) and e.claim == statement.claim)
    return max((day for day in days if day > statement.date), default=None)
