"""Outcomes in words: what each means, when it is given, what to do about it; the site says the same."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from kb.present.text import Page, named
from kb.vocabulary import Outcome


@dataclass(frozen=True)
class Explained:
    """A word that stands in front of verdicts."""

    name: str
    sort: str
    means: str
    """Short enough for a heading."""
    given: str
    todo: str

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def _of(outcome: Outcome, means: str, given: str, todo: str) -> Explained:
    return Explained(outcome.value, "outcome", means, given, todo)


OUTCOMES = {
    Outcome(each.name): each
    for each in (
        _of(
            Outcome.SUPERSEDED,
            "do not use the old statement",
            "A later comparable evaluation gives another answer.",
            "Use the later one; the finding names it.",
        ),
        _of(
            Outcome.NARROWED,
            "true for fewer situations than it says",
            "A later comparable evaluation found a boundary that the claim does not state, or a fix shows that "
            "part of what was measured was wrong.",
            "Rely on it only inside what is left; the finding says what that is.",
        ),
        _of(
            Outcome.RECHECK,
            "nobody has measured it since something it rests on changed",
            "A change ships in one of the two builds (measured, asked about) and not in the other, the setup "
            "reaches it, it alters behaviour, and it touches what the claim rests on. Or a default, an option, "
            "anchored code or the meaning of the metric is another one. What that does to the number is not said.",
            "Measure again (`kb plan`), or look at the change and say what it means for the claim "
            "(`kb state`, `kb review`).",
        ),
        _of(
            Outcome.UNKNOWN,
            "a fact is missing, or nobody has shown it",
            "A version, a setting or a load that decides is not stated, nobody has looked at all changes between "
            "the two builds, or nobody has shown the claim at all. It speaks neither for the claim nor "
            "against it.",
            "Look up what the finding names, and write it down: a pin (`--at`, or in the record), a change, or "
            "coverage (`kb scan --write`).",
        ),
        _of(
            Outcome.NOT_APPLICABLE,
            "it was never about this target",
            "The target runs something else or cannot run it, violates a condition of the claim, or lies outside "
            "the loads that were tested; or what was measured was never released.",
            "Leave it out, and look for an evaluation of the target's kind (`kb search`).",
        ),
        _of(
            Outcome.HOLDS,
            "rely on it, for the part that covers you",
            "Nothing speaks against it, and every component of every arm was looked at whole from the measured "
            "build to the one asked about.",
            "Read which part of the target it covers, and what it differs in.",
        ),
    )
}
"""Outcome -> its words."""

CONFIRM = Explained(
    "confirm",
    "mark beside an outcome",
    "a person must confirm it",
    "The outcome is judgement, or follows from a pin that was inferred: the evidence is put together, no more.",
    "Read the evidence, then say what it comes to: `kb review` for the whole, `kb state` for one change.",
)


def explained(name: str) -> Explained | None:
    """The words of an outcome, or of `confirm`."""
    wanted = name.casefold().replace("_", "-").replace(" ", "-")
    return next((each for each in (*OUTCOMES.values(), CONFIRM) if each.name == wanted), None)


def outcome(shown: Explained, page: Page) -> list[str]:
    """It on a terminal, with the rules that go so far."""
    from kb.rules import rules

    by = [each for each in rules() if (each.CONFIRMS if shown is CONFIRM else each.STRONGEST is Outcome(shown.name))]
    return [
        page.style.bold(shown.name),
        shown.sort,
        "",
        *named("Means", shown.means, page.width),
        *named("Given", shown.given, page.width),
        *named("To do", shown.todo, page.width),
        *named("Rules", ", ".join(f"{each.CODE} {each.NAME}" for each in by), page.width),
    ]
