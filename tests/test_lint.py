"""kb.lint: every check over every record."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kb.change import Change
from kb.component import Component
from kb.config import read
from kb.errors import KbError, NotFound
from kb.evaluation import Evaluation
from kb.finding import Finding, Loc
from kb.frontmatter import load
from kb.library import Library, open_library
from kb.lint import count, lint, page
from kb.reading import Loaded, Unreadable
from kb.salvage import salvage
from kb.vocabulary import Severity

from .checks import library

ROOT = Path(__file__).parents[1]
SIGNAL = "signals: [{id: s, what: a replication}]"


def codes(records: Library) -> set[str]:
    return {finding.code for finding in lint(records)}


def test_a_finding_has_its_place_and_its_check() -> None:
    """Code, name and severity are the check's; path and line are the record's."""
    [found] = [each for each in lint(library(SIGNAL)) if each.code == "KB156"]
    assert (found.name, found.severity) == ("signal-without-horizon", Severity.WARNING)
    assert found.path == "entries/evaluations/it.md"
    assert found.line == 7
    assert found.as_dict()["severity"] == "warning"


def test_a_place_in_the_body_has_its_line() -> None:
    """Lines of the body count in the file."""
    [found] = [each for each in lint(library("date: 2026-10-19\n---\nOne.\n[a](nowhere)")) if each.code == "KB117"]
    assert found.line == 10


def test_an_allowed_check_is_silent() -> None:
    """By name or by code, and only for the record that allows it."""
    assert "KB156" in codes(library(SIGNAL))
    assert "KB156" not in codes(library(SIGNAL + "\nallow: [{check: signal-without-horizon, because: nobody waits}]"))
    assert "KB156" not in codes(library(SIGNAL + "\nallow: [{check: KB156, because: nobody waits}]"))
    assert "KB157" not in codes(library(SIGNAL + "\nallow: [{check: KB157, because: not needed}]"))
    assert "KB156" in codes(library(SIGNAL + "\nallow: [{check: KB157, because: not needed}]"))


def test_mounted_records_are_not_judged() -> None:
    """They are somebody else's; the base's own are."""
    assert {finding.path for finding in lint(library("date: 2026-10-19"))} == {"entries/evaluations/it.md"}


def test_a_part_of_the_base_can_be_judged() -> None:
    """Only the paths asked for, with the rest of the base at hand."""
    records = library(SIGNAL, "# entries/changes/other.md\ncomponent: vllm\nkind: fix\nstatus: merged\nsummary: s")
    assert {finding.path for finding in lint(records, ["entries/changes/other.md"])} == {"entries/changes/other.md"}


def test_unreadable_records_are_findings_too() -> None:
    """What the reader found is reported among the rest, in order of place."""
    broken = Finding("entries/a.md", 3, "KB103", "x: unknown field", "unknown-field")
    own = library(SIGNAL)
    found = lint(Library(own.loaded, (broken,), own.own | {"entries/a.md"}))
    assert found[0] is broken
    assert found == sorted(found)
    assert "KB156" in {each.code for each in found}


BROKEN = """---
id: b
title: t
question: push-vs-pull-handof
setup: {topology: 1p1d, engine: {component: vlm}}
arms: [{id: pull}, {id: push}]
points:
  - {id: lost, metric: ttft, arm: push, value: many, unit: s}
  - {id: kept, metric: ttft, arm: psh, value: 1, unit: s}
claims:
  - {id: c, kind: measured, says: x, effect: {form: ratio, metric: ttft, points: [lost, nowhere]}}
---
"""
KEPT = {
    (4, "KB111", 'the vocabulary has no question "push-vs-pull-handof"'),
    (5, "KB102", 'setup.topology: "1p1d" is not a topology such as 1P1D, 4P2D or aggregated'),
    (5, "KB110", 'no component is called "vlm"'),
    (8, "KB102", 'points[0].value: a number is expected, not "many"'),
    (9, "KB112", 'there is no arm "psh" in this record'),
    (11, "KB112", 'there is no point "nowhere" in this record'),
}
TRANSLATION = "---\ntranslates: b\nlanguage: ja\ntitle: t\n---\n"


def written(root: Path, **files: str) -> list[Finding]:
    """Findings of a base with these evaluations."""
    for name, text in files.items():
        path = root / "entries/evaluations" / f"{name.replace('__', '/').replace('_', '.')}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (root / "kb.toml").write_text('[base]\nmounts = ["shipped"]\n', encoding="utf-8")
    return lint(open_library(read(root)))


def test_bad_values_do_not_hide_wrong_references(tmp_path: Path) -> None:
    """Both are reported in one run, at the lines of the file; what was lost with a bad value is not missing."""
    found = written(tmp_path, b=BROKEN)
    assert {(each.line, each.code, each.message) for each in found} == KEPT


def test_a_record_that_cannot_be_read_is_no_fault_of_others(tmp_path: Path) -> None:
    """Its translation says nothing of it."""
    found = written(tmp_path, b=BROKEN, b_ja=TRANSLATION)
    assert {each.path for each in found} == {"entries/evaluations/b.md"}


def test_a_record_that_is_not_read_is_an_error(tmp_path: Path) -> None:
    """It does not vanish in silence."""
    [found] = written(tmp_path, sub__b=BROKEN)
    assert (found.path, found.code, found.severity) == ("entries/evaluations/sub/b.md", "KB100", Severity.ERROR)
    assert found.hint == "move it to entries/evaluations/b.md"


def test_a_malformed_digest_gets_the_one_to_write(tmp_path: Path) -> None:
    """The rest of the translation is enough to say which."""
    bad = TRANSLATION.replace("title: t", "title: t\nof: nope")
    found = {each.code: each for each in written(tmp_path, b="---\nid: b\ntitle: t\n---\n", b_ja=bad)}
    assert found["KB102"].path == found["KB115"].path == "entries/evaluations/b.ja.md"
    assert "of: " in str(found["KB115"].hint)


def test_counts_name_every_severity() -> None:
    """Zero is a count."""
    assert count([]) == {"error": 0, "warning": 0, "info": 0}
    assert count(lint(library(SIGNAL)))["warning"] > 0


def test_a_page_is_found_or_a_near_one_named() -> None:
    """An unknown name gets the nearest one as a hint."""
    assert page("kb156")[1] == "signal-without-horizon"
    with pytest.raises(NotFound) as caught:
        page("signal-without-horizons")
    assert caught.value.hint == 'did you mean "signal-without-horizon"?'


def test_pages_that_python_left_out_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -OO` drops them."""
    monkeypatch.setattr("kb.checks.missing_fact.__doc__", None)
    with pytest.raises(KbError, match="leave out the pages"):
        page("missing-fact")


def test_an_explicit_unknown_is_never_an_error() -> None:
    """Counted and named, and that is all."""
    record = """
setup:
  model: unknown
  topology: unknown
  engine: {component: vllm, version: unknown}
  connector: {component: vllm-nixl-push, version: unknown, class_name: unknown, mode: unknown}
  router: {dispatch: unknown, decoder_chosen: unknown}
  both: {prefix_caching: unknown, block_size: unknown, kv_memory: unknown, hit_rate: unknown}
  workload: {input_tokens: unknown, request_rate: unknown, repeats: unknown, turns: unknown}
source: {relation: unknown, url: unknown, date: unknown}
date: unknown
noise: {stated: unknown}
points: [{id: a, metric: ttft, stat: unknown, n: unknown, arm: push, value: 1, unit: s}]
"""
    found = lint(library(record))
    assert [each for each in found if each.severity is Severity.ERROR] == []
    assert any(each.code == "KB142" and "engine.version" in each.message for each in found)


def test_our_own_entries_pass_every_check() -> None:
    """The shipped base has no errors."""
    found = lint(open_library(read(ROOT)))
    assert [
        f"{each.path}:{each.line}: {each.code} {each.message}" for each in found if each.severity is Severity.ERROR
    ] == []


def test_all_errors_of_a_file_come_at_once() -> None:
    """One run names every field that is wrong."""
    with pytest.raises(Unreadable) as caught:
        library("kind: contrlled\ndate: yesterday\npoints: [{metric: ttft, value: many}]\nsetupp: {}")
    assert len({finding.line for finding in caught.value.findings}) == 4


def places(value: object, loc: Loc = ()) -> Iterator[Loc]:
    """Every place of a record's text."""
    if loc:
        yield loc
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(each, (*loc, key))


def taken(loaded: Loaded, loc: Loc) -> Loaded | None:
    """A good record with a value in it that can be nothing; None where nothing is left of it."""
    fields = load(loaded.front)
    here: Any = fields
    for part in loc[:-1]:
        here = here[part]
    here[loc[-1]] = [[["no value at all"]]]
    rest = salvage(type(loaded.record), fields)
    return replace(loaded, record=rest.record, rest=rest) if rest else None


def said(found: Iterable[Finding]) -> set[tuple[str, str]]:
    return {(each.code, each.message) for each in found}


@pytest.fixture(scope="module")
def shipped() -> Library:
    return open_library(read(ROOT))


@pytest.mark.parametrize("seed", range(4))
def test_a_bad_value_makes_nothing_else_wrong(shipped: Library, seed: int) -> None:
    """Whatever cannot be read in a good record, no check says of the rest what it does not say of the whole."""
    chance = random.Random(seed)
    records = [each for each in shipped.loaded if isinstance(each.record, Evaluation | Change | Component)]
    for loaded in chance.sample(records, 40):
        others = tuple(each for each in shipped.loaded if each.path != loaded.path)
        loc = chance.choice([each for each in places(load(loaded.front)) if each[0] not in ("id", "title")])
        if rest := taken(loaded, loc):
            before = said(lint(shipped, [loaded.path]))
            after = said(lint(replace(shipped, loaded=others, partial=(rest,), findings=()), [loaded.path]))
            assert after <= before, (loaded.path, loc)


def test_the_rest_of_a_record_is_checked(tmp_path: Path) -> None:
    """A bad value hides neither numbers out of order nor a class that does not fit nor an implausible unit."""
    bad = ORDER.replace("topology: 1P1D", "topology: one")
    codes = {each.code for each in written(tmp_path, b=bad)} - {each.code for each in written(tmp_path, b=ORDER)}
    assert codes == {"KB102"}
    assert {"KB135", "KB148"} <= {each.code for each in written(tmp_path, b=bad)}


def test_what_a_record_allows_holds_of_its_rest(tmp_path: Path) -> None:
    """A check that was allowed stays so; where the list itself cannot be read, nothing but that is said."""
    allowed = ORDER.replace("setup:", "allow: [{check: percentiles-out-of-order, because: so printed}]\nsetup:")
    one = {each.code for each in written(tmp_path, b=allowed.replace("topology: 1P1D", "topology: one"))}
    assert "KB135" not in one
    assert "KB148" in one
    two = {each.code for each in written(tmp_path, b=allowed.replace("because: so printed", "becaus: x"))}
    assert two == {"KB103", "KB107"}


def test_a_part_whose_name_is_bad_is_not_missed(tmp_path: Path) -> None:
    """Others may mean it: the bad name is said, and no more."""
    bad = ORDER.replace("id: push, role", "id: Push Arm, role")
    assert "KB112" not in {each.code for each in written(tmp_path, b=bad)}


ORDER = """\
---
schema_version: 1
id: b
title: t
setup: {topology: 1P1D, connector: {component: vllm-nixl-pull, class_name: NoSuchConnector}}
arms:
  - {id: push, role: candidate}
points:
  - {id: median, metric: ttft, stat: p50, arm: push, value: 900, unit: ms, where: {request_rate: 1}}
  - {id: tail, metric: ttft, stat: p99, arm: push, value: 100, unit: ms, where: {request_rate: 1}}
---
"""
