"""kb.foreseen: what a change that nobody has recorded would be to claims, if a release carried it."""

from __future__ import annotations

from typing import Any

import pytest

from kb.change import Change
from kb.config import read
from kb.effects import Effect
from kb.foreseen import foreseen, unnamed
from kb.impact import Impact
from kb.library import open_library
from kb.registry import Registry
from tests.cli.running import FIXTURE


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry(open_library(read(FIXTURE)))


def change(**more: Any) -> Change:
    """A change of the pull connector in hand."""
    made = {
        "schema_version": 1,
        "id": "under-review",
        "title": "A change",
        "component": "orbit-pull",
        "kind": "behaviour",
        "status": "proposed",
        "summary": "Not read yet.",
    }
    return Change.model_validate({**made, **more})


def of(found: Impact, claim: str) -> Effect:
    return next(each for each in found.effects if each.claim == claim)


@pytest.mark.parametrize(
    ("more", "standing", "why"),
    [
        ({"symbols": ["orbit-pull:Reader.run"]}, "touched", "it touches orbit-pull:Reader.run"),
        ({"dimensions": ["post-thread"]}, "touched", "it touches post-thread"),
        ({"symbols": ["orbit-pull:Reader.close"]}, "open", "the code that it is anchored to is not touched; what it"),
        ({"dimensions": ["descriptors"]}, "untouched", ""),
        ({"dimensions": ["post-thread"], "kind": "docs"}, "untouched", ""),
        (
            {
                "symbols": ["orbit-pull:Reader.run"],
                "guards": [{"key": "connector.mode", "op": "is", "value": "push", "why": "its class"}],
            },
            "untouched",
            "",
        ),
        ({"component": "orbit-push", "dimensions": ["post-thread"]}, "touched", "it touches post-thread"),
        ({"component": "tether", "dimensions": ["descriptors"]}, "untouched", ""),
    ],
)
def test_standings(registry: Registry, more: dict[str, Any], standing: str, why: str) -> None:
    """Anchors and dimensions that are met, guards and kinds that end it."""
    found = of(foreseen(change(**more), registry), "heavy-load")
    assert found.standing.value == standing
    assert why in found.why


def test_it_has_got_nowhere(registry: Registry) -> None:
    """No board, and no outcome: nothing that is known ships it."""
    found = foreseen(change(dimensions=["post-thread"]), registry)
    assert found.board == ()
    assert {each.outcome for each in found.effects} == {None}


def test_a_hypothesis_does_not_age(registry: Registry) -> None:
    """Nothing was measured."""
    assert "hypothesis" in of(foreseen(change(dimensions=["post-thread"]), registry), "many-decoders").why


def test_every_claim_is_answered(registry: Registry) -> None:
    """Touched, open, untouched or far: none is missing."""
    found = foreseen(change(symbols=["orbit-pull:Reader.run"]), registry)
    told = {(each.evaluation, each.claim) for each in found.effects}
    far = {id_ for ids in found.far.values() for id_ in ids}
    every = {(id_, each.id) for id_, one in registry.library.evaluations.items() for each in one.claims}
    assert told | {pair for pair in every if pair[0] in far} == every


def test_code_without_symbols_spares_no_claim(registry: Registry) -> None:
    """Guards and symbols of what was read say nothing of what was not; what is touched stays so."""
    guards = [{"key": "connector.mode", "op": "is", "value": "push", "why": "its class"}]
    guarded = change(symbols=["orbit-pull:Reader.run"], guards=guards)
    assert of(foreseen(guarded, registry), "heavy-load").standing.value == "untouched"
    found = of(foreseen(guarded, registry, ["orbit/a.cpp"]), "heavy-load")
    assert (found.standing.value, found.reason) == ("open", None)
    assert found.why == "may be touched: code of orbit/a.cpp was compared by lines only"
    touched = foreseen(change(symbols=["orbit-pull:Reader.run"]), registry, ["orbit/a.cpp"])
    assert of(touched, "heavy-load").standing.value == "touched"


def test_code_without_symbols_alone(registry: Registry) -> None:
    """Every claim that runs the component is open, but for what was never measured."""
    found = foreseen(unnamed("orbit-pull", "1.2.0", "main"), registry, ["orbit/a.cpp", "orbit/b.cpp"])
    assert "orbit/a.cpp and 1 more file was" in of(found, "heavy-load").why
    assert {each.claim for each in found.effects if each.standing.value == "untouched"} == {"many-decoders"}
