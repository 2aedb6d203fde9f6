"""A change that a scan drafted and no person has read.

## What it flags
A change with `proposed_by: scan` between the two builds that no answer rules out.

## Why it matters
A scan reads what differs, not what it does to a number: dimensions and guards of a draft are suggestions.

## What it leaves alone
Drafts whose artifacts show that the target does not carry them, whose kind leaves behaviour as it was, or whose
stated dimensions are none the claim rests on.

## Example
    proposed_by: scan, symbols: ["vllm-nixl-pull:NixlPullConnectorWorker._read_blocks"], dimensions: []

## What to do
Read the hunk (`kb scan`), give the record its dimensions and guards, and set `proposed_by: person`.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.change import Change
from kb.conditions import Truth
from kb.passage import Passage
from kb.silence import silence
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import Outcome, Severity

CODE = "KB242"
NAME = "draft-change"
SEVERITY = Severity.WARNING
STRONGEST = Outcome.UNKNOWN
CONFIRMS = False


def is_draft(change: Change) -> bool:
    """Whether no person has read it."""
    return change.proposed_by == "scan"


def judge_passage(passage: Passage) -> Iterator[Said]:
    """Drafts between the two builds."""
    for answers in passage.answers:
        if not is_draft(answers.change) or answers.all is Truth.NO or silence(answers, passage) is not None:
            continue
        yield Ruling(
            f"{answers.change.title}: a draft by scan between {passage.interval()} that no person has read",
            Outcome.UNKNOWN,
            place=Place(answers.change),
            hint="give it dimensions and guards",
            change=answers.change.id,
            symbol=answers.symbols[0] if answers.symbols else None,
            arm=answers.arm,
            settles=f"what {answers.change.id} alters, and when it is reached",
        )
