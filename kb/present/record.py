"""One record in a terminal, by its kind; then its text."""

from __future__ import annotations

import re

from kb.change import Change
from kb.completeness import MissingFact
from kb.component import Component
from kb.evaluation import Evaluation, Translation
from kb.present import change, component, deployment, evaluation, glance
from kb.present.text import Page, clean, heading, table, wrap
from kb.shown import Shown, missing


def record(shown: Shown, page: Page, every: bool = False) -> list[str]:
    """The page: of an evaluation the first screen, with `every` all of it; of a change with `every` also the claims
    that it does not touch."""
    if isinstance(shown.record, Evaluation) and not every:
        return [*_facts(shown, page, every), *_place(shown, page)[1:]]
    below = [] if isinstance(shown.record, Evaluation) else _body(shown, page)
    return [*_facts(shown, page, every), *_near(shown, page), *below, *_place(shown, page)]


def _near(shown: Shown, page: Page) -> list[str]:
    rows = [[each.head.id, f"shares {', '.join(each.why[:3])}"] for each in shown.near]
    return [*heading("Near it", page), *table(rows, page.width)] if rows else []


def _facts(shown: Shown, page: Page, every: bool) -> list[str]:
    found = shown.record
    if isinstance(found, Evaluation):
        translated = shown.translation.record if shown.translation else None
        translation = translated if isinstance(translated, Translation) else None
        asked = [asked_for(fact) for fact in missing(found)]
        text = evaluation.Around(
            tuple(_body(shown, page)), tuple(shown.relations_in), tuple(asked), shown.standing.verdicts
        )
        show = evaluation.evaluation if every else glance.glance
        return show(found, shown.library, page, translation, text)
    if isinstance(found, Change):
        return change.change(found, page, shown.links_in, shown.standing.impact, every)
    if isinstance(found, Component):
        return component.component(found, shown.library, page, shown.linked("uses"), shown.standing.impact)
    return deployment.deployment(found, page)


def asked_for(fact: MissingFact) -> str:
    """The fact, and the arms that lack it where others state it."""
    return f"{fact.key} ({', '.join(fact.arms)})" if fact.arms else fact.key


def _body(shown: Shown, page: Page) -> list[str]:
    """The record's own text; paragraphs are wrapped anew, lists and tables stay as they are."""
    body = shown.body.strip("\n")
    if not body:
        return []
    lines = [""]
    for block in body.split("\n\n"):
        lines += [*_block(block, page), ""]
    return lines[:-1]


def _block(block: str, page: Page) -> list[str]:
    if block.startswith("#"):
        first, _, rest = block.partition("\n")
        return [page.style.bold(clean(first.lstrip("# "))), *(_block(rest, page) if rest else [])]
    if _ITEM.match(block):
        return [line for item in _ITEMS.split(block) for line in _item(item, page)]
    if block.startswith(("|", ">", "`", "    ")):
        return [clean(line) for line in block.split("\n")]
    return wrap(_joined(block), page.width)


_ITEM = re.compile(r"\s*(?:[-*]|\d+\.) ")
_ITEMS = re.compile(r"\n(?=\s*(?:[-*]|\d+\.) )")


def _item(item: str, page: Page) -> list[str]:
    mark = _ITEM.match(item)
    first = mark[0] if mark else ""
    return wrap(_joined(item[len(first) :]), page.width, first)


def _joined(block: str) -> str:
    """A paragraph on one line; lines of Japanese are joined without a blank."""
    text = ""
    for line in map(str.strip, block.split("\n")):
        wide = bool(text) and ord(text[-1]) > 0x2E7F
        text += line if not text or wide else f" {line}"
    return text


def _place(shown: Shown, page: Page) -> list[str]:
    return ["", page.style.dim(clean((shown.translation or shown.loaded).path.replace("\n", " ")))]
