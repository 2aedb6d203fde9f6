"""Code that people read between two releases: which differences their statements account for, claim by claim.

A statement speaks of the turns of the symbols that it names, after its first release up to its last, and of nothing
else: what turns later speaks again. Of several statements about one turn the latest counts. A review speaks of the
turns of anchors that it was shown, one by one, where no statement does; it is no coverage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from kb.coverage import Cover, Unrecorded
from kb.digests import Table
from kb.evaluation import Impact, Review
from kb.passage import Passage
from kb.scene import Scene
from kb.turns import Turn, is_part, turns
from kb.verdict import Silent, Why
from kb.versions import parse
from kb.vocabulary import ImpactStatus

SETTLES = frozenset({ImpactStatus.NOT_AFFECTED, ImpactStatus.REMEASURED})


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of a symbol, and what a person said of it."""

    anchor: str
    """`component:symbol` as the claim, the statement or the coverage names it."""
    turn: Turn
    statement: Impact | Review
    name: str
    """The symbol as the statement names it."""

    @property
    def settles(self) -> bool:
        """Whether the turn is no matter any more for the claim."""
        return isinstance(self.statement, Review) or self.statement.status in SETTLES

    @property
    def reason(self) -> str:
        """Who said so, in words."""
        said = self.statement
        if isinstance(said, Review):
            return f"{said.date}, reviewed with {', '.join(said.code[self.name])} shown: {said.because}"
        return f"{said.date}, read {said.since} -> {said.until}: {said.because}"


def of_anchor(anchor: str, passage: Passage) -> tuple[Said, ...]:
    """What was said of the turns of an anchor between the builds of a passage."""
    component, _, symbol = anchor.partition(":")
    table = passage.scene.library.digests.table(component)
    if not _told(passage) or table is None or passage.was is None or passage.now is None:
        return ()
    found = turns(table, symbol, passage.was, passage.now)
    said = {each.turn: each for each in _said(anchor, found, passage)}
    reviewed = (_reviewed(anchor, turn, passage.scene) for turn in found if turn not in said)
    return (*said.values(), *filter(None, reviewed))


def _told(passage: Passage) -> bool:
    """Whether anybody said anything of code."""
    return bool(passage.read or any(each.code for each in passage.scene.evaluation.reviews))


def _reviewed(anchor: str, turn: Turn, scene: Scene) -> Said | None:
    """The newest review of the claim that was shown a turn of one of its anchors."""
    component = anchor.partition(":")[0]
    table = scene.library.digests.table(component)
    for review in sorted(scene.evaluation.reviews, key=lambda each: each.date, reverse=True):
        for name, releases in review.code.items() if not review.claims or scene.claim.id in review.claims else ():
            owner, _, symbol = name.partition(":")
            shown = turn.release in releases and owner == component
            if shown and not _known(symbol, turn, table).isdisjoint(turn.names):
                return Said(anchor, turn, review, name)
    return None


def _said(anchor: str, found: Iterable[Turn], passage: Passage) -> Iterator[Said]:
    component = anchor.partition(":")[0]
    for turn in found:
        if (pair := _latest(component, turn, passage.scene)) is not None:
            yield Said(anchor, turn, *pair)


def _latest(component: str, turn: Turn, scene: Scene) -> tuple[Impact, str] | None:
    """The latest statement about a turn and the name by which it speaks of it; of one day the last written."""
    found = [
        (each.date, n, each, name)
        for n, each in enumerate(scene.evaluation.impacts)
        if each.claim == scene.claim.id
        for name in each.symbols
        if _speaks(each, name, component, turn, scene.library.digests.table(component))
    ]
    return max(found, key=lambda each: each[:2])[2:] if found else None


def _speaks(statement: Impact, named: str, component: str, turn: Turn, table: Table | None) -> bool:
    owner, _, symbol = named.partition(":")
    if owner != component or not _reaches(statement, turn):
        return False
    return any(is_part(name, whole) for name in turn.names for whole in _known(symbol, turn, table))


def _known(symbol: str, turn: Turn, table: Table | None) -> set[str]:
    """The names of a symbol at a turn: followed through renames, and not to what it inherits, as one heir's reading
    says nothing of another's."""
    named = (table.named_at(symbol, each) for each in (turn.after, turn.release)) if table else ()
    return {symbol, *filter(None, named)}


def _reaches(statement: Impact, turn: Turn) -> bool:
    since, until = parse(statement.since or ""), parse(statement.until or "")
    after, release = parse(turn.after), parse(turn.release)
    return bool(since and until and after and release and since <= after and release <= until)


def beside_anchors(passage: Passage) -> Iterator[Said]:
    """What was said of the turns of code that is no anchor of the claim."""
    for name in dict.fromkeys(passage.read):
        if name not in passage.anchors:
            yield from of_anchor(name, passage)


def rest(cover: Cover, passage: Passage) -> Cover:
    """Coverage of an interval without the differences that a person has accounted for, for this claim."""
    stated = any(each.claim == passage.scene.claim.id for each in passage.scene.evaluation.impacts)
    if not stated or not (cover.unrecorded or cover.around):
        return cover
    left = [tuple(each for each in found if not _settled(each, passage)) for found in (cover.unrecorded, cover.around)]
    return replace(cover, unrecorded=left[0], around=left[1])


def _settled(each: Unrecorded, passage: Passage) -> bool:
    if any(said.settles for said in _of_difference(each, passage)):
        return True
    draft = passage.scene.library.changes.get(each.draft or "")
    statement = passage.statement(draft) if draft else None
    return statement is not None and statement.status in SETTLES


def _of_difference(each: Unrecorded, passage: Passage) -> Iterator[Said]:
    return _said(each.anchor, [Turn(each.release, each.after, frozenset((each.symbol,)))], passage)


def silent(passage: Passage) -> Iterator[Silent]:
    """What settling statements account for between the builds, by symbol, with the person's reason."""
    if not _told(passage) or passage.was is None or passage.now is None or passage.scene.only is not None:
        return
    found = [each for name in (*passage.anchors, *passage.read) for each in of_anchor(name, passage)]
    for component in passage.line.components:
        if component in passage.scene.library.components:
            cover = passage.scene.registry.cover(component, passage.was, passage.now)
            found += [said for each in (*cover.unrecorded, *cover.around) for said in _of_difference(each, passage)]
    for name, reason in dict.fromkeys((each.name, each.reason) for each in found if each.settles):
        yield Silent(Why.SETTLED, reason, component=name.partition(":")[0], arm=passage.arm.id, symbol=name)
