"""Impact statements: what is refused, what they settle."""

from __future__ import annotations

import pytest

from kb.audit import audit
from kb.config import read
from kb.effects import Standing
from kb.errors import KbError
from kb.evaluation import Evaluation, Impact
from kb.library import open_library
from kb.registry import Registry
from kb.statements import Signed, Statement, _with, state
from kb.vocabulary import Outcome

from .cli.running import FIXTURE

WHY = Signed("We never start\n the thread.", "2030-06-01", "A. Reviewer")


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry(open_library(read(FIXTURE)))


def evaluation(registry: Registry) -> Evaluation:
    return registry.library.evaluations["orbit-push-vs-pull"]


def said(
    registry: Registry,
    status: str,
    justification: str | None = None,
    signed: Signed = WHY,
    of: Evaluation | None = None,
) -> Statement:
    about = of or evaluation(registry)
    change = registry.library.changes["orbit-7-reader-thread"]
    return state(change, about, about.claims[0], status, justification, signed, registry)


@pytest.mark.parametrize(
    ("status", "justification", "after"),
    [
        ("not-affected", "default-off", "unknown"),
        ("remeasured", None, "unknown"),
        ("affected", None, "recheck"),
        ("under-investigation", None, "unknown"),
    ],
)
def test_what_a_statement_makes_of_a_recheck(
    status: str, justification: str | None, after: str, registry: Registry
) -> None:
    """It settles the change, keeps it, or opens the question; coverage is still lacking, so nothing holds by it."""
    before, now = said(registry, status, justification).outcomes["heavy-load"]
    assert (before, now) == (Outcome.RECHECK, Outcome(after))


def test_the_change_is_shown_as_the_audit_sees_it(registry: Registry) -> None:
    """Before the statement, with its path."""
    made = said(registry, "affected")
    assert [(each.change, each.standing) for each in made.effects] == [("orbit-7-reader-thread", Standing.TOUCHED)]
    assert made.seen == ("orbit-7-reader-thread",)


def test_the_record(registry: Registry) -> None:
    """A reason on one line, who and when; a justification only where there is one."""
    assert said(registry, "not-affected", "default-off").record == {
        "change": "orbit-7-reader-thread",
        "claim": "heavy-load",
        "status": "not-affected",
        "justification": "default-off",
        "because": "We never start the thread.",
        "date": "2030-06-01",
        "by": "A. Reviewer",
    }
    assert "justification" not in said(registry, "affected").record
    assert "by" not in said(registry, "affected", signed=Signed("x", "2030-06-01")).record


@pytest.mark.parametrize(
    ("status", "justification", "because", "words", "hint"),
    [
        ("not-afected", None, "x", "is no status", "not-affected"),
        ("fine", None, "x", "is no status", "under-investigation"),
        ("not-affected", None, "x", "needs a justification", "path-not-executed"),
        ("not-affected", "default-of", "x", "is no justification", "default-off"),
        ("affected", "default-off", "x", "says why a claim is not affected", "leave it out"),
        ("affected", None, " \n", "needs a reason", "--because"),
        ("affected", None, "x" * 4001, "because", "nothing was written"),
    ],
)
def test_refused(
    status: str, justification: str | None, because: str, words: str, hint: str, registry: Registry
) -> None:
    """In a sentence, with what to try."""
    with pytest.raises(KbError, match=words) as refused:
        said(registry, status, justification, Signed(because, "2030-06-01"))
    assert hint in str(refused.value.hint)


@pytest.mark.parametrize(("by", "stored"), [(" A.\n Reviewer\u2028 ", "A. Reviewer"), (" \n", None), (None, None)])
def test_a_name_is_one_line(by: str | None, stored: str | None) -> None:
    """As the reason is; a blank one is none."""
    assert Signed("x", "2030-06-01", by).stored().get("by") == stored


def test_a_younger_statement_is_named(registry: Registry) -> None:
    """One that is dated back is kept, and does not count."""
    older = evaluation(registry)
    stated = Impact.model_validate(said(registry, "affected", signed=Signed("x", "2030-07-01")).record)
    told = older.model_copy(update={"impacts": (stated,)})
    there = Registry(_with(told, registry.library))
    backdated = said(there, "not-affected", "default-off", Signed("x", "2030-05-01"), told)
    assert backdated.later == "2030-07-01"
    assert backdated.outcomes["heavy-load"] == (Outcome.RECHECK, Outcome.RECHECK)
    assert said(there, "not-affected", "default-off", Signed("x", "2030-08-01"), told).later is None


def test_a_statement_is_about_one_claim(registry: Registry) -> None:
    """The other claims stay what they are."""
    made = said(registry, "not-affected", "default-off")
    about = evaluation(registry)
    told = about.model_copy(update={"impacts": (Impact.model_validate(made.record),)})
    verdicts = audit(_with(told, registry.library), evaluations=["orbit-push-vs-pull"])
    assert verdicts.of("orbit-push-vs-pull", "heavy-load").outcome is Outcome.UNKNOWN
    assert verdicts.of("orbit-push-vs-pull", "best-case").outcome is Outcome.RECHECK
