"""kb.suggest: did you mean."""

import pytest

from kb.suggest import did_you_mean, nearest, nearest_version

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


@pytest.mark.parametrize(
    ("text", "near"),
    [("0.99.0", None), ("0.99", None), ("0.9.3", "0.9.0"), ("v0.9.22", "0.9.2"), ("0.10.0", None)],
)
def test_a_version_is_near_within_its_minor(text: str, near: str | None) -> None:
    """Spelt alike is not near: 0.99 is ninety releases from 0.9."""
    assert nearest_version(text, ["0.9.0", "0.9.2", "1.0.0"]) == near
