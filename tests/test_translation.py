"""kb.translation: the digest of what was translated."""

import re

import pytest

from kb.evaluation import Evaluation
from kb.translation import digest

from .checks import record

ORIGINAL = "claims: [{id: a, kind: hypothesis, says: Push wins.}]\nlimits: [One pair.]\n"


def of(fragment: str) -> str:
    found = record(fragment).record
    assert isinstance(found, Evaluation)
    return digest(found)


def test_a_digest_is_twelve_hex_digits() -> None:
    """Short enough to type."""
    assert re.fullmatch("[0-9a-f]{12}", of(ORIGINAL))


@pytest.mark.parametrize(
    "changed",
    [
        "title: Another\n" + ORIGINAL,
        ORIGINAL.replace("wins", "loses"),
        ORIGINAL.replace("id: a", "id: b"),
        ORIGINAL.replace("One pair", "Two pairs"),
        ORIGINAL.replace("limits: [One pair.]", ""),
    ],
)
def test_words_count(changed: str) -> None:
    """A changed sentence puts translations behind."""
    assert of(changed) != of(ORIGINAL)


@pytest.mark.parametrize(
    "same",
    [
        ORIGINAL + "date: 2026-10-19\n",
        ORIGINAL + "points: [{metric: ttft, value: 1, unit: s}]\n",
        ORIGINAL.replace("Push wins.", "'Push   wins.'"),
        ORIGINAL.replace("hypothesis", "mechanism"),
        ORIGINAL + "---\nA body.",
    ],
)
def test_facts_and_spaces_do_not(same: str) -> None:
    """They stay in the original."""
    assert of(same) == of(ORIGINAL)
