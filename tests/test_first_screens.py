"""What a person meets first: one evaluation and an audit of all, on about a screen, with nothing dropped unsaid."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kb.audit import Audit, audit
from kb.audited import Placed
from kb.config import read
from kb.effects import Standing
from kb.evaluation import Evaluation
from kb.impact import between
from kb.impact import impact as of_changes
from kb.library import Library, open_library
from kb.plan import plan
from kb.present.audit import by_claim, overview, single
from kb.present.evaluation import Around, evaluation
from kb.present.glance import glance
from kb.present.impact import impact
from kb.present.numbers import few
from kb.present.runs import runs
from kb.present.text import Page, width
from kb.record import create, make_base
from kb.registry import Registry
from kb.target import Target
from kb.vocabulary import Kind, Outcome

from .arranging.made import write
from .cli.running import kb

ROOT = Path(__file__).parents[1]
SCREENS = (Page(80), Page(100))


@pytest.fixture(scope="module")
def library() -> Library:
    return open_library(read(ROOT))


@pytest.fixture(scope="module")
def judged(library: Library) -> Audit:
    return audit(library, registry=Registry(library), brief=True)


@pytest.mark.parametrize("page", SCREENS, ids=lambda page: page.width)
def test_every_shipped_evaluation_begins_on_about_a_screen(library: Library, judged: Audit, page: Page) -> None:
    """Two terminals of 40 lines at most, and half of them on one; every claim is there with its outcome."""
    lengths = []
    for record in library.evaluations.values():
        verdicts = tuple(each for each in judged.verdicts if each.evaluation == record.id)
        lines = glance(record, library, page, around=Around(verdicts=verdicts))
        lengths.append(len(lines))
        assert max(map(width, lines)) <= page.width
        text = "\n".join(lines)
        for claim in record.claims:
            assert re.search(rf"(?m)^    {re.escape(claim.id)}  ", text), claim.id
        assert f"kb show {record.id} --all" in " ".join(text.split())
    assert max(lengths) <= 80
    assert sorted(lengths)[len(lengths) // 2] <= 50


def test_a_figure_keeps_what_it_needs(library: Library) -> None:
    """A ratio stands with its baseline and its load point, or with the words in which the source left them out."""
    record = library.evaluations["aws-push-vs-pull-efa"]
    text = "\n".join(glance(record, library, Page(100)))
    assert "≈0.31x" in text
    assert "x: the arm divided by pull. No statistic is stated for any of these." in text
    assert "“the demanding end of the sweep”" in text


def test_the_whole_page_has_all_that_the_first_screen_counts(library: Library) -> None:
    """`--all`: conditions, limits, stages, decision, signals."""
    record: Evaluation = library.evaluations["aws-push-vs-pull-efa"]
    text = " ".join(" ".join(evaluation(record, library, Page(100))).split())
    said = [*record.limits, *(each.says for each in record.claims), *(each.what for each in record.signals)]
    assert all(" ".join(each.split()) in text for each in said)


@pytest.mark.parametrize("page", SCREENS, ids=lambda page: page.width)
@pytest.mark.parametrize("ends", [("0.30.0", "0.33.0"), None], ids=["a bump", "all of it"])
def test_a_bump_is_bounded(library: Library, ends: tuple[str, str] | None, page: Page) -> None:
    """The answer is the second line; every change is named or counted, and what touches claims comes first."""
    registry = Registry(library)
    found = between("vllm", *ends, registry) if ends else of_changes(registry.changes["vllm"], registry)
    lines = impact(found, "vllm", page)
    assert len(lines) <= 60
    assert max(map(width, lines)) <= page.width
    assert lines[1].startswith(f"{len(found.changes)} changes: ")
    text = "\n".join(lines)
    loud = {each.change for each in found.effects if each.standing is not Standing.UNTOUCHED}
    assert f"Touch claims, or may ({len(loud)})" in text
    assert f"Touch no claim ({len(found.changes) - len(loud)})" in text
    assert text.index("Touch claims") < text.index("Touch no claim")
    assert "--all" in text


@pytest.mark.parametrize("page", SCREENS, ids=lambda page: page.width)
def test_a_plan_for_all_is_bounded(library: Library, judged: Audit, page: Page) -> None:
    """How much there is to do stands first; runs are named in their order, own ones before others."""
    found = plan(judged.verdicts, library)
    lines = runs(found, page)
    assert len(lines) <= 55
    assert max(map(width, lines)) <= page.width
    assert lines[0].startswith(f"{len(found.runs)} runs would decide ")
    text = " ".join(" ".join(lines).split())
    assert f"1 {found.runs[0].evaluation} at " in text
    assert f"and {len(found.runs) - 10} more" in text
    mine = found.runs[-1].evaluation
    assert f"1 *{mine} at " in " ".join(" ".join(runs(found, page, {mine})).split())


@pytest.mark.parametrize("page", SCREENS, ids=lambda page: page.width)
def test_an_audit_of_all_is_bounded(judged: Audit, page: Page) -> None:
    """Counts with the denominator first; what is left of each outcome is counted, and how to see it is said."""
    lines = overview(judged, page)
    assert len(lines) <= 75
    assert lines[0].startswith(f"{len(judged.verdicts)} claims: ")
    assert "--all" in "\n".join(lines[-4:])


def test_an_audit_of_nothing_but_a_few_is_told_whole(library: Library) -> None:
    """Where nothing is left out, nothing is said to be."""
    lines = overview(audit(library, evaluations=["aws-push-vs-pull-efa/holds-with-reuse"]), Page(80))
    assert not [line for line in lines if "more" in line]
    assert "nobody has shown this" in "\n".join(lines)


def test_claim_by_claim_names_every_claim(judged: Audit) -> None:
    """`--all` leaves no claim out."""
    text = "\n".join(by_claim(judged, Page(80), everything=True))
    assert all(re.search(rf"(?<![\w-]){re.escape(each.claim)}(?![\w-])", text) for each in judged.verdicts)


def test_what_could_not_be_read_of_a_target_is_bounded_and_counted() -> None:
    """The first few places, and how many more there are."""
    target = Target("x", unread=tuple(f"line {n}" for n in range(9)))
    lines = overview(Audit(target, ()), Page(80))
    assert "  - line 4" in lines
    assert "  - line 5" not in lines
    assert "  and 4 more (--all lists them)" in lines
    assert "  - line 8" in by_claim(Audit(target, ()), Page(80), everything=True)


def test_outcomes_are_read_in_the_order_of_need(judged: Audit) -> None:
    """What needs somebody first stands first."""
    heads = [line.split()[0] for line in overview(judged, Page(100)) if re.match(r"[a-z-]+ \(\d+", line)]
    order = [each.value for each in (Outcome.NARROWED, Outcome.RECHECK, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE)]
    assert [each for each in heads if each in order] == order


def test_what_else_was_found_is_grouped_by_rule(library: Library) -> None:
    """Of many findings of one rule the first are told, the others named by what they are about; `--all` tells each."""
    asked = audit(library, evaluations=["vllm-35264-push-deep-dive/fragmented-ttft-gain"])
    [verdict] = asked.verdicts
    others = [each for each in verdict.rulings if each.outcome is not verdict.outcome]
    short = " ".join("\n".join(single(asked, Placed(library), Page(80))).split())
    whole = " ".join("\n".join(single(asked, Placed(library), Page(80), everything=True)).split())
    assert f"Also found ({len(others)}) KB241 change-not-established (" in short
    assert all(each.change in short for each in others if each.change)
    assert all(" ".join(each.message.split()) in whole for each in others)
    assert "(--all gives the reasons)" in short
    assert "(--all gives the reasons)" not in whole


def test_own_evaluations_are_told_from_mounted_ones(judged: Audit) -> None:
    """They are counted apart and stand first, with a mark; without any nothing is marked."""
    lines = overview(judged, Page(100), {"vllm-50913-reader-thread-3p1d"})
    assert "Of this base's own (marked *): 9 claims: " in lines[2]
    [hypotheses] = [line for line in lines if "*vllm-50913-reader-thread-3p1d (3)" in line]
    assert hypotheses.split()[0] == "*vllm-50913-reader-thread-3p1d"
    assert not [line for line in overview(judged, Page(100)) if "*" in line]


def test_own_is_what_no_mount_brings(tmp_path: Path, library: Library) -> None:
    """In a base that mounts nothing nobody needs to be told; in a list of hits only those of both are."""
    made = tmp_path / "own"
    make_base(made)
    base = read(made)
    create(base, Kind.EVALUATION, "mine")
    assert open_library(base).own_evaluations == {"mine"}
    assert library.own_evaluations == frozenset()
    both = kb("search", "kind:evaluation", "--limit", "100", cwd=made).out
    assert re.findall(r"(?m)^  (\S+) · own · evaluation", both) == ["mine"]
    assert " own " not in kb("search", "id:mine", cwd=made).out


def test_where_a_deployment_lies_takes_no_room(tmp_path: Path) -> None:
    """A fact, its value and its line stand beside each other, however long the path and the values are."""
    base = tmp_path / "base"
    make_base(base)
    file = tmp_path / ("a-folder-with-a-long-name/" * 3) / "serve.sh"
    file.parent.mkdir(parents=True)
    file.write_text(f"vllm serve Qwen/Qwen3-32B --tensor-parallel-size 8 --served-model-name {'x,' * 60}\n")
    shown = kb("new", "deployment", "ours", "--from", str(file), cwd=base).err
    assert re.search(r"(?m)^  both\.tp +8 +serve\.sh:1$", shown)
    asked = kb("audit", "--for", str(file), "--fail-on", "none", cwd=base).out
    assert str(file) not in asked.partition("Not read of the target:")[2]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (364.306499, "364.3"),
        (13061.2881469999, "13061"),
        (0.0123456789, "0.01235"),
        (1744.0, "1744"),
        (118.75, "118.75"),
        (1234567.0, "1234567"),
    ],
)
def test_what_a_program_wrote_down_is_read_in_few_digits(value: float, shown: str) -> None:
    """What a person wrote stays as it was written, and no whole part is cut."""
    assert few(value) == shown


def test_numbers_without_claims_are_shown_and_said_to_be_that(tmp_path: Path) -> None:
    """One metric at every load, and why there is nothing to audit."""
    base = tmp_path / "base"
    make_base(base)
    for arm, prompts in (("pull", 100), ("push", 200)):
        write(tmp_path / f"res/{arm}/a.json", num_prompts=prompts, completed=prompts)
    arms = [f"--arm={arm}={tmp_path / 'res' / arm}" for arm in ("pull", "push")]
    kb("new", "evaluation", "ours", *arms, "--quiet", cwd=base)
    shown = kb("show", "ours", cwd=base).out
    assert "Figures; no claim rests on them" in shown
    assert "200 ms (n=1)" in shown
    assert "It claims nothing yet" in shown
