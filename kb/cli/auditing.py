"""`kb audit`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kb.cli.options import At, For, Format, Json, Quiet, Root, print_json, reading, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from kb.audit import Audit, FlippedClaim
    from kb.library import Library
    from kb.target import Target
    from kb.vocabulary import Outcome


def audit(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID]...", help="Evaluations, or ID/CLAIM; without one, all.")
    ] = None,
    for_: For = None,
    at: At = None,
    against: Annotated[
        list[str] | None,
        typer.Option("--against", metavar="[SIDE:]COMPONENT=VERSION", help="Versions considered: what would flip?"),
    ] = None,
    change: Annotated[list[str] | None, typer.Option("--change", metavar="ID", help="Judge only this change.")] = None,
    owner: Annotated[str | None, typer.Option("--owner", metavar="NAME", help="Only this owner's evaluations.")] = None,
    fail_on: Annotated[
        str | None,
        typer.Option("--fail-on", metavar="OUTCOME,...", help="Outcomes that exit with 1; `none` for no outcome."),
    ] = None,
    today: Annotated[
        str | None, typer.Option("--today", metavar="DATE", help="Day for the horizons of signals (2026-11-29).")
    ] = None,
    format_: Annotated[Format, typer.Option("--format", help="How verdicts are printed.")] = "text",
    everything: Annotated[bool, typer.Option("--all", help="Every claim, with every reason.")] = False,
    json_out: Json = False,
    quiet: Quiet = False,
    root: Root = None,
) -> int:
    """Which conclusions still hold, here and now, and why?

    Without options each evaluation's own setup is moved to the newest known releases; a library or an engine whose
    version the newest engine or stack requires, or the one named with --at, to that. Every claim gets one of: holds,
    recheck, narrowed, superseded, not-applicable, unknown. What led to that is listed, with its claims, the same in a
    terminal and in a pipe; evaluations that are named, and with --all every one, are listed claim by claim. Exit 1
    when an outcome of --fail-on occurs (recheck, superseded and not-applicable unless told otherwise).

    \b
    Examples:
      kb audit
      kb audit my-test/heavy-load
      kb audit --for our-cluster --at vllm=0.33.0
      kb audit --at vllm=1a2b3c4 --at nixl=image:sha256:DIGEST
      kb audit --for our-cluster --against vllm=0.33.0
      kb audit --for prefill=prefill.sh --for decode=decode.sh
      kb audit --for "vllm serve MODEL --tensor-parallel-size 8" --at vllm=0.33.0
    """
    from kb.asked import target
    from kb.audit import audit as judge
    from kb.audit import flips
    from kb.registry import Registry

    library = opened(root, quiet)
    wanted, changes, day = named_claims(ids, library), _changes(change, library), _day(today)
    failing = _outcomes(fail_on)
    asked = target(for_ or (), at or (), library)
    told(asked, quiet)
    registry = Registry(library)
    as_json = json_out or format_ == "json"
    brief = not as_json and (bool(against) or not (wanted or everything or owner))  # of many only what decides is shown
    here = _owned(judge(library, asked, wanted, changes, day, registry, brief), owner, library)
    there = None
    if against:
        considered = target(for_ or (), at or (), library, against)
        told(considered, quiet, asked)
        there = _owned(judge(library, considered, wanted, changes, day, registry, brief=True), owner, library)
    found = flips(here, there) if there else ()
    if as_json:
        _as_json(here, found, library)
    elif format_ == "github":
        _as_github(here, library)
    else:
        nothing = _no_owner(owner, library) if owner and not here.verdicts else without_claims(wanted, library)
        _as_text(here, there, found, library, bool(wanted or everything), everything, nothing)
    last = there or here
    return 1 if any(each.outcome in failing for each in last.verdicts) else 0


def opened(root: Path | None, quiet: bool) -> Library:
    """Every record of the base to read; those that cannot be read are said, and judged as if they were not there."""
    from kb.library import open_library

    library = open_library(reading(root, quiet).config)
    broken = sorted({each.path for each in library.findings})
    if broken:
        few = ", ".join(broken[:3]) + (f" and {len(broken) - 3} more" if len(broken) > 3 else "")
        say(f"kb: not judged, because they cannot be read: {few} (`kb lint` says why)")
    return library


def told(target: Target, quiet: bool, before: Target | None = None) -> None:
    """Say what has to be known of the versions that are asked about, each once."""
    for note in target.notes if not quiet else ():
        if before is None or note not in before.notes:
            say(f"kb: {note}")


def named_claims(ids: Iterable[str] | None, library: Library) -> list[str] | None:
    """Evaluations, or ID/CLAIM, by id; aliases and paths are taken. Raises NotFound with the nearest name."""
    from kb.vocabulary import Kind

    if not ids:
        return None
    found = []
    for name in ids:
        wanted, _, claim = name.partition("/") if "/" in name and not name.endswith(".md") else (name, "", "")
        id_ = _evaluation(wanted, library.answering[Kind.EVALUATION], library)
        found.append(f"{id_}/{_claim(claim, id_, library)}" if claim else id_)
    return found


def without_claims(ids: Iterable[str] | None, library: Library) -> list[str]:
    """A line for each of these evaluations that claims nothing: nothing of it can be judged."""
    from kb.vocabulary import Kind

    empty = [id_ for id_ in ids or () if id_ in library.evaluations and not library.evaluations[id_].claims]
    return [f"{id_} has no claims: add `claims:` to {library.paths_of[Kind.EVALUATION, id_][0]}" for id_ in empty]


def _evaluation(name: str, answering: Mapping[str, frozenset[str]], library: Library) -> str:
    from kb.errors import NotFound, RecordError
    from kb.places import named_by
    from kb.suggest import nearest

    wanted = named_by(name)[0].casefold()
    known = answering.get(name.casefold()) or answering.get(wanted)
    if known:
        return min(known)
    for each in library.findings:
        if named_by(each.path)[0].casefold() == wanted:
            raise RecordError(each.code, each.path, each.line, each.message, each.hint)
    near = nearest(name, library.evaluations)
    raise NotFound(
        f'no evaluation is called "{name}"',
        f"did you mean {near}?" if near else "`kb search --kind evaluation ''` lists them",
    )


def _claim(name: str, id_: str, library: Library) -> str:
    from kb.errors import NotFound
    from kb.suggest import nearest

    claims = [claim.id for claim in library.evaluations[id_].claims]
    if name in claims:
        return name
    near = nearest(name, claims)
    raise NotFound(
        f'{id_} has no claim "{name}"', f"did you mean {near}?" if near else f"its claims: {', '.join(claims)}"
    )


def _changes(names: Iterable[str] | None, library: Library) -> list[str] | None:
    """Changes by id, alias or address. Raises NotFound with the nearest name."""
    from kb.errors import NotFound
    from kb.suggest import nearest
    from kb.vocabulary import Kind

    if not names:
        return None
    found = []
    for name in names:
        known = library.answering[Kind.CHANGE].get(name.casefold())
        if not known:
            near = nearest(name, library.changes)
            raise NotFound(f'no change is called "{name}"', f"did you mean {near}?" if near else None)
        found.append(min(known))
    return found


def _day(text: str | None) -> str | None:
    """A day as it is written in records. Raises KbError."""
    from datetime import date

    from kb.errors import KbError

    if text is None:
        return None
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise KbError(f'"{text}" is no day', "written like 2026-11-29") from None


def _outcomes(text: str | None) -> frozenset[Outcome]:
    """Outcomes that make the command fail. Raises KbError."""
    from kb.audited import FAIL_ON
    from kb.errors import KbError
    from kb.suggest import nearest
    from kb.vocabulary import Outcome

    if text is None:
        return frozenset(FAIL_ON)
    words = [word.strip() for word in text.split(",") if word.strip() and word.strip() != "none"]
    known = [each.value for each in Outcome]
    for word in words:
        if word not in known:
            near = nearest(word, known)
            raise KbError(
                f'"{word}" is no outcome', f"did you mean {near}?" if near else f"one of {', '.join(known)}, or none"
            )
    return frozenset(map(Outcome, words))


def _owned(audit: Audit, owner: str | None, library: Library) -> Audit:
    from kb.audited import owned

    return owned(audit, library, owner) if owner else audit


def _no_owner(owner: str, library: Library) -> list[str]:
    """That somebody owns nothing here, and who does."""
    owners = sorted({each.owner for each in library.evaluations.values() if each.owner})
    known = f"owners: {', '.join(owners)}" if owners else "no evaluation says `owner:`"
    return [f'No evaluation with claims has the owner "{owner}"; {known}.']


def _as_json(here: Audit, found: Iterable[FlippedClaim], library: Library) -> None:
    from kb.audited import Placed, flipped

    placed = Placed(library)
    print_json(
        {
            "target": here.target.as_dict(),
            "counts": here.counts,
            "verdicts": [placed.as_dict(each) for each in here.verdicts],
            "flips": [flipped(each) for each in found],
        }
    )


def _as_github(here: Audit, library: Library) -> None:
    """The deciding finding of every claim that does not hold."""
    from kb.audited import Placed
    from kb.present.audit import summary
    from kb.present.findings import github

    placed = Placed(library)
    deciding = [placed.deciding(each) for each in here.verdicts if each.deciding]
    lines = github(deciding)
    typer.echo("\n".join(lines)) if lines else None
    say(summary(here.counts))


def _as_text(
    here: Audit,
    there: Audit | None,
    found: Iterable[FlippedClaim],
    library: Library,
    listed: bool,
    everything: bool,
    nothing: list[str],
) -> None:
    """`listed` is claim by claim; `nothing` is what to say where there is nothing to judge."""
    from kb.audited import Placed
    from kb.present import audit as present
    from kb.present.text import page

    placed, on = Placed(library), page()
    if there and here.verdicts:
        from kb.present.flips import flips

        lines = flips(found, here, there, on)
    elif listed and len(here.verdicts) == 1:
        lines = present.single(here, placed, on, everything)
    elif here.verdicts and listed:
        lines = present.by_claim(here, on, everything)
    elif here.verdicts:
        lines = present.overview(here, on, library.own_evaluations)
    else:
        lines = nothing or ["No claims to judge: `kb new evaluation ID` begins a record."]
    typer.echo("\n".join(lines).lstrip("\n"))
