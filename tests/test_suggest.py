"""kb.suggest: did you mean."""

import pytest

from kb.suggest import did_you_mean, nearest

NAMES = ["version", "component", "NixlPushConnector", "only-one-latency"]


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("verison", "version"),
        ("VERSION", "version"),
        ("nixlpushconector", "NixlPushConnector"),
        ("one-latency", "only-one-latency"),
    ],
)
def test_a_slip_finds_its_word(word: str, name: str) -> None:
    """However it is capitalised."""
    assert nearest(word, NAMES) == name
    assert did_you_mean(word, NAMES) == f'did you mean "{name}"?'


@pytest.mark.parametrize("word", ["zzz", "", "throughput"])
def test_another_word_finds_none(word: str) -> None:
    """A far guess helps nobody."""
    assert did_you_mean(word, NAMES) is None
    assert nearest(word, []) is None
