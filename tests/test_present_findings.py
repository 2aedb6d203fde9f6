"""kb.present.findings: findings for people and for GitHub."""

from __future__ import annotations

from kb.finding import Finding
from kb.present.findings import github, gravest_last, summary, text
from kb.present.text import Page
from kb.vocabulary import Severity

FINDING = Finding("a,b:c.md", 3, "KB103", "50% of\nit", "unknown-field", Severity.WARNING, 'did you mean "x"?')


def test_text() -> None:
    """A line can be clicked: path, line, code; the hint stands under it."""
    assert text([FINDING], Page()) == [
        "a,b:c.md:3: KB103 [warning] 50% of it",
        '    hint: did you mean "x"?',
    ]


def test_advice_that_is_alike_is_given_once() -> None:
    """Each finding keeps its line; lists of what to write are one list, to be copied. Other advice, and other files,
    stay apart."""

    def missing(path: str, key: str) -> Finding:
        hint = f"state it, or where the source does not: not_stated: [{key}]"
        return Finding(path, 3, "KB141", f"{key} is missing", "missing-fact", Severity.INFO, hint)

    assert text([missing("a.md", "model"), missing("a.md", "both.tp"), missing("b.md", "model"), FINDING], Page()) == [
        "a.md:3: KB141 [info] model is missing",
        "a.md:3: KB141 [info] both.tp is missing",
        "    hint: state them, or where the source does not: not_stated: [model, both.tp]",
        "b.md:3: KB141 [info] model is missing",
        "    hint: state it, or where the source does not: not_stated: [model]",
        "a,b:c.md:3: KB103 [warning] 50% of it",
        '    hint: did you mean "x"?',
    ]


def test_the_gravest_comes_last() -> None:
    """One error among many infos stands beside the count; findings of one severity keep their order."""
    infos = [Finding(path, 1, "KB142", "x", "name", Severity.INFO) for path in ("b.md", "a.md")]
    error = Finding("a.md", 5, "KB101", "x", "name", Severity.ERROR)
    assert gravest_last([error, infos[0], FINDING, infos[1]]) == [*infos, FINDING, error]


def test_github_escapes() -> None:
    """Signs that mean something in an annotation are escaped; an info is a notice."""
    (line,) = github([FINDING])
    place = "file=a%2Cb%3Ac.md,line=3,title=KB103 unknown-field"
    assert line == f'::warning {place}::50%25 of%0Ait%0Ahint: did you mean "x"?'


def test_nothing_steers_the_terminal_of_a_log() -> None:
    """Workflow commands are read by people, too."""
    found = Finding("entries/x\u202e.md", 2, "KB102", "kind: \x1b]0;x\x07\n::error::y", "bad-value")
    assert github([found]) == ["::error file=entries/x.md,line=2,title=KB102 bad-value::kind: ]0;x%0A::error::y"]


def test_summary() -> None:
    """Nothing is `no`, one is singular, and what is hidden is counted."""
    assert summary({"error": 0, "warning": 1, "info": 2}, 3) == "no errors, 1 warning, 2 infos (3 not shown)"


def test_long_lines_are_wrapped_on_a_terminal_only() -> None:
    """Somebody who looks gets lines that fit; a pipe gets one line for each finding, for grep."""
    long = Finding("entries/x.md", 3, "KB142", "word " * 40, "name", Severity.INFO, "hint " * 40)
    assert all(len(line) <= 60 for line in text([long], Page(60, terminal=True)))
    assert len(text([long], Page(60))) == 2


def test_a_finding_is_one_line() -> None:
    """A line break in a file's name or a message begins no line of its own, which a workflow would obey."""
    found = Finding("c\n::error::d.md", 1, "KB101", "a\n::error::b", "not-a-record", Severity.ERROR, None)
    assert text([found], Page()) == ["c ::error::d.md:1: KB101 [error] a ::error::b"]
