"""What a change touches, and that impact and audit never disagree."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

from kb.audit import Audit, audit
from kb.change import Change, Shipped
from kb.config import read
from kb.effects import SPEAKING, Standing, effects
from kb.errors import KbError, NotFound
from kb.impact import Impact, between, impact, together
from kb.library import Library, open_library
from kb.named import change_of, component_of, release_of
from kb.registry import Registry
from kb.rules import claim_rules
from kb.scene import scene
from kb.target import Target
from kb.verdict import ORDER, Why
from kb.vocabulary import Artifact, Outcome, Ships

from .cli.running import FIXTURE

SHIPPED = Path(__file__).parents[1]
RECHECK = ORDER.index(Outcome.RECHECK)


@pytest.fixture(scope="module")
def made_up() -> Registry:
    return Registry(open_library(read(FIXTURE)))


@lru_cache(maxsize=1)
def shipped() -> tuple[Registry, Audit, Impact]:
    registry = Registry(open_library(read(SHIPPED)))
    changes = sorted(registry.library.changes.values(), key=lambda each: each.id)
    return registry, audit(registry.library, registry=registry), impact(changes, registry)


def standings(found: Impact, change: str) -> dict[str, str]:
    return {f"{e.evaluation}/{e.claim}": e.standing.value for e in found.effects if e.change == change}


def test_every_recheck_of_the_audit_by_a_change_is_touched() -> None:
    """On the shipped base, at the newest releases."""
    _, judged, found = shipped()
    rechecks = {
        (verdict.evaluation, verdict.claim, ruling.change)
        for verdict in judged.verdicts
        for ruling in verdict.rulings
        if ruling.change and ruling.outcome is Outcome.RECHECK
    }
    touched = {(e.evaluation, e.claim, e.change) for e in found.of(Standing.TOUCHED)}
    assert rechecks
    assert not rechecks - touched


def test_every_change_that_touches_is_in_the_verdict() -> None:
    """The other way round: by name where the build is known; where it is not, in the outcome of a candidate."""
    registry, judged, found = shipped()
    for effect in found.of(Standing.TOUCHED):
        verdict = judged.of(effect.evaluation, effect.claim)
        told = {ruling.change for ruling in verdict.rulings if ruling.outcome}
        change = registry.library.changes[effect.change]
        ships_in = {registry.distribution(name) for name in (change.component, *change.also)}
        rows = [ORDER.index(row.outcome) <= RECHECK for row in verdict.candidates if ships_in & set(row.pin.split())]
        open_pin = bool(rows) and (all(rows) if effect.certain else any(rows))
        assert effect.change in told or open_pin, effect
        assert verdict.outcome is not Outcome.HOLDS


def test_what_is_untouched_is_in_no_verdict() -> None:
    """No ruling with an outcome names a change that impact calls untouched or ahead, but its own branch."""
    _, judged, found = shipped()
    quiet = {(e.evaluation, e.claim, e.change): e for e in found.of(Standing.UNTOUCHED, Standing.AHEAD)}
    for verdict in judged.verdicts:
        for ruling in verdict.rulings:
            effect = quiet.get((verdict.evaluation, verdict.claim, ruling.change or ""))
            if ruling.outcome and effect:
                assert (ruling.rule, ruling.outcome) == ("not-a-release", Outcome.NOT_APPLICABLE)
                assert effect.outcome is Outcome.NOT_APPLICABLE


def test_rules_that_speak_of_changes_are_all_asked() -> None:
    """Every ruling of the shipped base that names a change and has an outcome comes from one of them."""
    _, judged, _ = shipped()
    once = {each.NAME for each in claim_rules() if not hasattr(each, "judge_passage")}
    speaking = {r.rule for v in judged.verdicts for r in v.rulings if r.change and r.outcome} - once
    assert speaking
    assert speaking <= SPEAKING


def test_every_claim_has_one_answer_for_every_change() -> None:
    """Nothing is left out: touched, open, ahead, untouched with a reason, or of an evaluation that cannot carry it."""
    registry, _, found = shipped()
    claims = sum(len(each.claims) for each in registry.library.evaluations.values())
    assert len({(e.evaluation, e.claim, e.change) for e in found.effects}) == len(found.effects)
    for change in registry.library.changes:
        near = {e.evaluation for e in found.effects if e.change == change}
        assert not near & set(found.far[change])
        assert sum(e.change == change for e in found.effects) + found.far_claims(change) == claims
    assert all(e.reason for e in found.of(Standing.UNTOUCHED))
    assert not any(e.reason for e in found.touched)


@pytest.mark.parametrize(
    ("change", "claim", "standing", "words"),
    [
        ("orbit-7-reader-thread", "heavy-load", "touched", "orbit-pull:Reader.run, post-thread"),
        ("orbit-7-reader-thread", "best-case", "touched", "orbit 1.2.0 carries it, 1.1.0 does not"),
        ("orbit-7-reader-thread", "light-load", "open", "does not say what it rests on"),
        ("orbit-7-reader-thread", "many-decoders", "untouched", "a hypothesis"),
        ("orbit-5-log-lines", "heavy-load", "untouched", "orbit 1.1.0 and 1.2.0 carry it"),
        ("orbit-9-writer-batches", "heavy-load", "untouched", "alters descriptors"),
        ("tether-3-fast-path", "heavy-load", "untouched", "alters descriptors"),
    ],
)
def test_a_claim(change: str, claim: str, standing: str, words: str, made_up: Registry) -> None:
    """Touched with the path, open with what is missing, or untouched with the answer that ended it."""
    found = impact([made_up.library.changes[change]], made_up)
    [effect] = [e for e in found.effects if (e.evaluation, e.claim) == ("orbit-push-vs-pull", claim)]
    assert len(found.effects) + found.far_claims(change) == 7
    assert (effect.standing.value, words in effect.why) == (standing, True), effect.why


def ships(change: Change, answer: Ships) -> Change:
    facts = tuple(each.model_copy(update={"ships": answer, "versions": "*"}) for each in change.ships)
    return change.model_copy(update={"ships": facts})


def with_change(library: Library, change: Change) -> Library:
    loaded = tuple(
        replace(each, record=change) if getattr(each.record, "id", None) == change.id else each
        for each in library.loaded
    )
    return replace(library, loaded=loaded)


def test_a_change_that_does_not_ship_is_ahead(made_up: Registry) -> None:
    """It touches nothing yet, and the claims it will touch are named."""
    waiting = ships(made_up.library.changes["orbit-7-reader-thread"], Ships.NO)
    registry = Registry(with_change(made_up.library, waiting))
    found = impact([waiting], registry)
    assert not found.of(Standing.TOUCHED)
    assert standings(found, waiting.id)["orbit-push-vs-pull/heavy-load"] == "ahead"
    [effect] = [e for e in found.of(Standing.AHEAD) if e.claim == "heavy-load"]
    assert effect.reason is Why.DOES_NOT_SHIP
    assert "orbit 1.2.0 does not carry it" in effect.why


def test_a_change_that_every_release_carries_touches_nothing(made_up: Registry) -> None:
    """What was measured had it already."""
    old = ships(made_up.library.changes["orbit-7-reader-thread"], Ships.YES)
    found = impact([old], Registry(with_change(made_up.library, old)))
    assert not found.touched
    assert standings(found, old.id)["orbit-push-vs-pull/heavy-load"] == "untouched"


def test_between_two_releases_only_what_turns_is_judged(made_up: Registry) -> None:
    """Log lines came with 1.1.0, the reader thread with 1.2.0; of the proposal nothing is established."""
    found = between("orbit-pull", "1.1.0", "1.2.0", made_up)
    assert [each.id for each in found.changes] == ["orbit-7-reader-thread"]
    assert found.turns == {"orbit-7-reader-thread": "arrived"}
    assert [cover.complete for cover in found.covers] == [False]
    assert [each.id for each in between("orbit-pull", "1.0.0", "1.1.0", made_up).changes] == ["orbit-5-log-lines"]
    assert not between("orbit-pull", "1.2.0", "1.2.0", made_up).changes


def test_a_downgrade_turns_the_other_way(made_up: Registry) -> None:
    """What arrived on the way up is gone on the way down."""
    assert between("orbit-pull", "1.2.0", "1.1.0", made_up).turns == {"orbit-7-reader-thread": "gone"}


def test_claims_are_asked_about_at_the_second_release(made_up: Registry) -> None:
    """At 1.1.0, the build that was measured, the reader thread has not come."""
    found = between("orbit-pull", "1.0.0", "1.1.0", made_up)
    assert not found.of(Standing.TOUCHED)


def test_an_upgrade_of_an_engine_brings_its_connectors(made_up: Registry) -> None:
    """A component with releases of its own stands for all that ships in them; a connector for itself."""
    assert together("orbit", made_up) == ("orbit", "orbit-pull", "orbit-push")
    assert together("orbit-pull", made_up) == ("orbit-pull",)
    assert "orbit-7-reader-thread" in {each.id for each in between("orbit", "1.1.0", "1.2.0", made_up).changes}


def test_board(made_up: Registry) -> None:
    """Proposed, merged, released and measured are four states."""
    changes = made_up.library.changes
    found = {each.change.id: each for each in impact(changes.values(), made_up).board}
    reader, writer = found["orbit-7-reader-thread"], found["orbit-9-writer-batches"]
    assert (reader.proposed, reader.merged, reader.introduced) == ("2030-04-02", "2030-04-20", ("1.2.0",))
    assert (reader.measured_by, reader.state) == (("orbit-reader-thread",), "measured")
    assert (writer.merged, writer.introduced, writer.measured_by, writer.state) == (None, (), (), "proposed")
    assert found["orbit-5-log-lines"].state == "released"


def test_a_scene_of_all_changes_gives_the_answers_of_single_ones(made_up: Registry) -> None:
    """A review asks about all at once."""
    evaluation = made_up.library.evaluations["orbit-push-vs-pull"]
    together_ = effects(scene(evaluation, evaluation.claims[0], Target(), made_up))
    alone = impact([made_up.library.changes["orbit-7-reader-thread"]], made_up)
    [same] = [e for e in alone.effects if (e.evaluation, e.claim) == (evaluation.id, evaluation.claims[0].id)]
    assert together_["orbit-7-reader-thread"] == same


@pytest.mark.parametrize(
    "name",
    [
        "orbit-7-reader-thread",
        "#7",
        "7",
        "https://example.org/orbit/pull/7/",
        "entries/changes/orbit-7-reader-thread.md",
    ],
)
def test_names_of_a_change(name: str, made_up: Registry) -> None:
    """Id, number, address or path."""
    assert change_of(name, made_up.library).id == "orbit-7-reader-thread"


def test_a_number_of_several_changes_is_asked_back(made_up: Registry) -> None:
    """Pull request 3 of two projects is two changes."""
    log = made_up.library.changes["orbit-5-log-lines"].model_copy(update={"url": "https://example.org/orbit/pull/3"})
    with pytest.raises(KbError, match="is several changes") as refused:
        change_of("#3", with_change(made_up.library, log))
    assert "orbit-5-log-lines, tether-3-fast-path" in str(refused.value.hint)


def test_names_of_a_component(made_up: Registry) -> None:
    """Id, alias or class name; other words are none."""
    for name, id_ in (("orbit pull", "orbit-pull"), ("CourierPushConnector", "orbit-push"), ("x", None)):
        assert getattr(component_of(name, made_up.library), "id", None) == id_


def test_releases_are_known_ones(made_up: Registry) -> None:
    """A release in any spelling; one that nobody knows is refused with the newest."""
    orbit = made_up.library.components["orbit-pull"]
    assert release_of(orbit, "v1.2", made_up) == "1.2.0"
    with pytest.raises(NotFound) as refused:
        release_of(orbit, "9.0", made_up)
    assert "1.2.0" in str(refused.value.hint)
    with pytest.raises(KbError, match="is no release"):
        release_of(orbit, "main", made_up)


def test_a_build_asked_about_itself_differs_in_nothing(made_up: Registry) -> None:
    """What is not established of one build is the same on both sides: no unknown comes of it."""
    fact = Shipped(distribution="orbit", artifact=Artifact.WHEEL, versions="*", ships=Ships.NOT_ESTABLISHED)
    writer = made_up.library.changes["orbit-9-writer-batches"].model_copy(update={"ships": (fact,)})
    registry = Registry(with_change(made_up.library, writer))
    at_the_pin = impact([writer], registry, Target(at={(None, "orbit"): "1.1.0"}))
    assert standings(impact([writer], registry), writer.id)["orbit-push-vs-pull/light-load"] == "open"
    assert standings(at_the_pin, writer.id)["orbit-push-vs-pull/light-load"] == "untouched"
    assert not at_the_pin.of(Standing.TOUCHED, Standing.OPEN, Standing.AHEAD)
