"""Reviews: what is shown, what is recorded, and what a sign-off may not pass over."""

from __future__ import annotations

import pytest

from kb.audit import audit
from kb.config import read
from kb.effects import Standing
from kb.errors import KbError
from kb.evaluation import Claim, Evaluation, Review
from kb.library import Library, open_library
from kb.registry import Registry
from kb.reviews import review
from kb.statements import Signed, Statement, _with
from kb.vocabulary import Outcome

from .cli.running import FIXTURE

WHY = Signed("Read them all.", "2030-06-01")
ALL = ("orbit=1.2.0", "tether=0.5.0")


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry(open_library(read(FIXTURE)))


def evaluation(registry: Registry) -> Evaluation:
    return registry.library.evaluations["orbit-push-vs-pull"]


def claim(registry: Registry, name: str) -> Claim:
    return next(each for each in evaluation(registry).claims if each.id == name)


def signed(registry: Registry, at: tuple[str, ...], name: str | None = None, before: tuple[str, ...] = ()) -> Statement:
    about = claim(registry, name) if name else None
    return review(evaluation(registry), about, at, before, WHY, registry)


def after(made: Statement, registry: Registry) -> Library:
    was = evaluation(registry)
    return _with(was.model_copy(update={"reviews": (Review.model_validate(made.record),)}), registry.library)


def test_what_spoke_is_recorded_and_what_is_silent_is_not(registry: Registry) -> None:
    """A silent change may speak at another target, which a signature here must not hide."""
    made = signed(registry, ALL, "heavy-load")
    standing = {each.change: each.standing for each in made.effects}
    assert made.seen == ("orbit-7-reader-thread",)
    assert standing["orbit-7-reader-thread"] is Standing.TOUCHED
    assert standing["tether-3-fast-path"] is Standing.UNTOUCHED
    assert "orbit-5-log-lines" not in standing  # both builds carry it


def test_the_record_names_every_component_that_moved(registry: Registry) -> None:
    """What ships in one distribution is one version; a connector's version is its engine's."""
    made = signed(registry, ("CourierConnector=v1.2",), "heavy-load")
    assert made.record == {
        "claims": ["heavy-load"],
        "date": "2030-06-01",
        "at": {"orbit": "1.2.0", "orbit-pull": "1.2.0", "orbit-push": "1.2.0"},
        "because": "Read them all.",
        "seen": ["orbit-7-reader-thread"],
    }
    assert "claims" not in signed(registry, ALL).record


def test_a_review_settles_what_it_saw(registry: Registry) -> None:
    """The recheck is gone; coverage is still lacking, so that nothing holds by a signature."""
    made = signed(registry, ("orbit=1.2.0",), "heavy-load")
    assert made.outcomes == {"heavy-load": (Outcome.RECHECK, Outcome.UNKNOWN)}
    verdict = audit(after(made, registry)).of("orbit-push-vs-pull", "heavy-load")
    assert verdict.outcome is Outcome.UNKNOWN
    assert verdict.verified_at["orbit"] == "1.2.0"


def test_an_older_review_never_hides_a_newer_change(registry: Registry) -> None:
    """Signed off at 1.1.0, knowingly before 1.2.0: the audit at 1.2.0 still says recheck."""
    made = signed(registry, ("orbit=1.1.0",), "heavy-load", ("orbit=1.2.0",))
    assert "orbit-7-reader-thread" not in made.seen
    assert audit(after(made, registry)).of("orbit-push-vs-pull", "heavy-load").outcome is Outcome.RECHECK


@pytest.mark.parametrize(
    ("at", "name", "before", "words", "hint"),
    [
        (("orbit=1.1.0",), "heavy-load", (), "orbit 1.2.0 brings orbit-7-reader-thread", "--at orbit=1.2.0"),
        (("orbit=1.1.0",), "heavy-load", (), "stops at 1.1.0", "--before orbit=1.2.0"),
        (("tether=0.5.0",), "heavy-load", (), "does not say how far orbit goes", "--at orbit=1.2.0"),
        (("orbit=1.2.0",), None, (), "tether 0.5.0 brings tether-3-fast-path", "--before tether=0.5.0"),
        (("orbit=1.0.0",), "heavy-load", ("tether=0.5.0",), "brings orbit-7-reader-thread", "--before orbit=1.2.0"),
        ((), "heavy-load", (), "up to a release of something", "--at orbit=VERSION"),
        (("orbit",), "heavy-load", (), "is not COMPONENT=VERSION", "vllm=0.33.0"),
        (("orbit=unknown",), "heavy-load", (), "is no release", "0.33.0"),
        (("orbit=>=1.1",), "heavy-load", (), "is no release", "0.33.0"),
        (("orbit=1.3.0",), "heavy-load", (), "no release 1.3.0 of orbit is known", "1.2.0"),
        (("prefill:orbit=1.2.0",), "heavy-load", (), "for both sides", "orbit=1.2.0"),
        (("orbit=1.2.0", "orbit-push=1.1.0"), "heavy-load", (), "given as 1.2.0 and as 1.1.0", "ship together"),
        (("orbt=1.2.0",), "heavy-load", (), "no component is called", "did you mean orbit"),
    ],
)
def test_refused(
    at: tuple[str, ...], name: str | None, before: tuple[str, ...], words: str, hint: str, registry: Registry
) -> None:
    """What it would pass over, and what cannot be meant; in a sentence, with what to try."""
    with pytest.raises(KbError, match=words) as refused:
        signed(registry, at, name, before)
    assert hint in str(refused.value.hint)


def test_a_component_that_the_evaluation_does_not_run_is_refused(registry: Registry) -> None:
    """A signature about it would say nothing."""
    with pytest.raises(KbError, match="runs no tether"):
        review(registry.library.evaluations["orbit-one-arm"], None, ("tether=0.5.0",), (), WHY, registry)


@pytest.mark.parametrize(
    ("at", "name", "before"),
    [
        (("orbit=1.2.0",), "heavy-load", ()),  # tether's change alters nothing that it rests on
        (ALL, None, ()),
        (("orbit=1.2.0",), None, ("tether=0.5.0",)),
        (("orbit=1.1.0",), "many-decoders", ()),  # a hypothesis does not age
    ],
)
def test_not_refused(at: tuple[str, ...], name: str | None, before: tuple[str, ...], registry: Registry) -> None:
    """Everything that speaks was shown, or its author says that he stops short of it."""
    assert signed(registry, at, name, before).record["at"]


def test_a_stop_after_the_change_is_no_excuse(registry: Registry) -> None:
    """Whoever stops before 1.2.0 has not said that he stops before 1.1.0: what comes earlier is still asked for."""
    with pytest.raises(KbError, match="brings orbit-7-reader-thread"):
        signed(registry, ("tether=0.5.0",), "heavy-load", ("tether=0.5.0",))


def test_no_reason_no_review(registry: Registry) -> None:
    """Asked before anything else."""
    with pytest.raises(KbError, match="needs a reason"):
        review(evaluation(registry), None, (), (), Signed("  ", "2030-06-01"), registry)
