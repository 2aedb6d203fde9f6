"""What others read of an evaluation: verdicts on earlier ones (kb.later), and lists and overviews.

Anything else of it may change without them. Of its points they read those that a claim cites; verdicts read their
numbers only where these decide what a claim says: beside a noise floor or a bound, or as a comparison in its source's
words. Lines of claims and relations are among it, because findings name them. `tests/site/test_aspects.py` takes
everything else away, and judges and lists again.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, NamedTuple

from kb.evaluation import Evaluation
from kb.reading import Loaded
from kb.vocabulary import EffectForm

HEARD = ("schema_version", "id", "question", "date", "setup", "arms", "claims", "noise", "relations", "not_stated")
"""Fields that verdicts on others read."""
NUMBERS = frozenset({"value", "low", "high", "qualifier"})
"""What a point measured."""
UNHEARD = frozenset({"n", "best_of", "spread"})
"""What no verdict asks of another's point."""


class Aspects(NamedTuple):
    """Digests of parts of an evaluation."""

    said: str
    """What verdicts on others read, but numbers."""
    numbers: str
    """The numbers behind its claims."""
    counted: bool
    """Whether its numbers are read whatever the other claims."""
    bound: bool
    """Whether it states a bound: then it reads the others' numbers."""
    frame: str
    """Every field but its points."""
    cited: str
    """The points that its claims cite, whole."""

    def heard_by(self, other: Aspects) -> str:
        """What the verdicts on another one read of it."""
        return f"{self.said} {self.numbers}" if self.counted or self.bound or other.bound else self.said


_KEPT = "its aspects"


def aspects(loaded: Loaded) -> Aspects:
    """Of an evaluation; worked out once."""
    answers = vars(loaded.record)
    if _KEPT not in answers:
        answers[_KEPT] = _worked_out(loaded)
    found: Aspects = answers[_KEPT]
    return found


def kept(record: Evaluation, row: list[Any]) -> None:
    """Give an evaluation what was worked out of the same text before."""
    vars(record)[_KEPT] = Aspects(*row)


def _worked_out(loaded: Loaded) -> Aspects:
    record = loaded.record
    assert isinstance(record, Evaluation)
    whole = record.model_copy(update={"points": ()}).stored()
    effects = [claim.effect for claim in record.claims if claim.effect]
    names = {name for effect in effects for name in effect.points}
    cited = [each.stored() for each in record.points if each.id in names]
    lines = [loaded.line((name, n)) for name in ("claims", "relations") for n in range(len(getattr(record, name)))]
    said = [
        lines,
        {name: whole.get(name) for name in HEARD},
        [{key: each[key] for key in each if key not in NUMBERS | UNHEARD} for each in cited],
        any(each.definition for each in record.points),
    ]
    return Aspects(
        _digest(said),
        _digest([{key: each[key] for key in each if key in NUMBERS} for each in cited]),
        (record.noise is not None and record.noise.value is not None) or any("reported" in each for each in cited),
        any(effect.form is EffectForm.BOUND for effect in effects),
        _digest(whole),
        _digest(cited),
    )


def _digest(value: Any) -> str:
    return sha256(json.dumps(value).encode("utf-8", "replace")).hexdigest()[:32]
