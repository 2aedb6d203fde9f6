"""Reviews: what is shown, what is recorded, and what a sign-off may not pass over."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from kb.audit import audit
from kb.config import read
from kb.effects import Standing
from kb.errors import KbError
from kb.evaluation import Claim, Evaluation, Review
from kb.library import Library, open_library
from kb.present.evaluation import Around
from kb.present.glance import glance
from kb.present.since import section
from kb.present.statements import statement
from kb.present.text import Page
from kb.registry import Registry
from kb.reviews import review
from kb.statements import Signed, Statement, _with
from kb.target import Target
from kb.vocabulary import Outcome

from .audit.table import Case, library
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
        ((), "heavy-load", (), "up to a release of something", "--at orbit="),
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


ANCHOR = "ember-pull:PullWorker.read_blocks"


def changing() -> Registry:
    """A base in which the anchored function is another one in 1.2.0 and again in 1.3.0; 1.1.0 was measured."""
    runs = ["1.0.0 1.1.0 a1", "1.2.0 1.2.0 a2 behaviour", "1.3.0 1.3.0 a3 behaviour"]
    case = Case("anchor", {}, "", "push-faster", tables={"ember-pull": {"PullWorker.read_blocks": runs}})
    return Registry(library(case))


def reviewed(base: Registry, *at: str) -> tuple[Statement, Library]:
    record = base.library.evaluations["push-vs-pull"]
    about = next(each for each in record.claims if each.id == "push-faster")
    made = review(record, about, at, (), WHY, base)
    signed_off = record.model_copy(update={"reviews": (Review.model_validate(made.record),)})
    return made, _with(signed_off, base.library)


def test_anchored_code_that_differs_is_shown_and_recorded() -> None:
    """With the releases in which it does, up to the one that is reviewed."""
    made, after_it = reviewed(changing(), "ember=1.2.0", "wire=2.2.0")
    assert made.turns == {ANCHOR: ("1.2.0",)}
    assert made.record["code"] == {ANCHOR: ["1.2.0"]}
    text = "\n".join(statement(made, after_it, Page()))
    assert "Anchored code that differs since" in text
    assert f"{ANCHOR}: in 1.2.0" in text


def test_code_that_differs_later_speaks_again() -> None:
    """Settled where it was shown, at the newest release the next difference is as loud as before."""
    base = changing()
    asked = Target(at={(None, "ember"): "1.2.0"})
    before = audit(base.library, asked).of("push-vs-pull", "push-faster")
    _, after_it = reviewed(base, "ember=1.2.0", "wire=2.2.0")
    there = audit(after_it, asked).of("push-vs-pull", "push-faster")
    assert "anchor-changed" in {each.rule for each in before.rulings}
    assert "anchor-changed" not in {each.rule for each in there.rulings}
    [later] = [
        each for each in audit(after_it).of("push-vs-pull", "push-faster").rulings if each.rule == "anchor-changed"
    ]
    assert "since 1.3.0" in later.message
    assert "1.2.0" not in (later.found or "")


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ({ANCHOR: ["1.3.0"]}, "lies after 1.2.0"),
        ({"wire:Agent.post": ["1.0.0"]}, "names no release of it"),
    ],
)
def test_a_review_names_no_code_beyond_its_release(code: dict[str, list[str]], says: str) -> None:
    """Nobody can have looked at it there."""
    record = {"date": "2030-06-01", "at": {"ember-pull": "1.2.0"}, "because": "Read it.", "code": code}
    with pytest.raises(ValidationError, match=says):
        Review.model_validate(record)


def bounded() -> Registry:
    """A base whose newest engine requires a library that is not the newest; 2.2.0 alone carries a change."""
    engine = {"versions": "==1.3.0", "requires": {"wire": "==2.2.0"}, "read_in": "requirements"}
    ships = [
        {"distribution": "wire", "artifact": "wheel", "marker": "made up", "versions": versions, "ships": answer}
        for versions, answer in (("<2.2.0", "no"), ("==2.2.0", "yes"), (">2.2.0", "no"))
    ]
    change = {"component": "wire", "kind": "performance", "ships": ships, "dimensions": ["post-thread"]}
    edits = {"components/ember": {"facts.+": engine}}
    return Registry(library(Case("bounded", {}, "", "push-faster", edits=edits, add={"changes/strides": change})))


def test_a_review_is_asked_for_where_the_audit_asks() -> None:
    """What the newest engine excludes is neither what an author is sent to, nor what tells whether a change came."""
    base = bounded()
    record = base.library.evaluations["push-vs-pull"]
    about = next(each for each in record.claims if each.id == "push-faster")
    with pytest.raises(KbError, match=r"wire 2\.2\.0 brings strides") as refused:
        review(record, about, ("ember=1.3.0",), (), WHY, base)
    assert "--at wire=2.2.0" in str(refused.value.hint)
    with pytest.raises(KbError, match="up to a release of something") as refused:
        review(record, about, (), (), WHY, base)
    assert "--at wire=2.2.0" in str(refused.value.hint)


def test_show_says_where_a_bounded_component_is_judged() -> None:
    """Beside the newest release, up to which its changes are listed."""
    base = bounded()
    record = base.library.evaluations["push-vs-pull"]
    judged = tuple(each for each in audit(base.library).verdicts if each.evaluation == record.id)
    shown = " ".join(" ".join(section(record, base.library, Page(), judged)).split())
    assert "newest known 2.3.0, judged at 2.2.0" in shown
    assert shown.count("judged at") == 1
    first = " ".join(" ".join(glance(record, base.library, Page(200), around=Around(verdicts=judged))).split())
    assert "wire 2.2.0 (a requirement excludes 2.3.0)" in first
    assert "the newest that go together" in first
