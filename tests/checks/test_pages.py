"""Every check has a page, a code of its own, and an example that fires."""

import re
from pathlib import Path
from textwrap import dedent

import pytest

from kb import checks
from kb.checks import MODULES, Check, find
from kb.frontmatter import cut, load
from kb.lint import lint, page
from kb.reading import FORM_NAMES, Unreadable
from kb.vocabulary import Severity

from . import library, problems, record

SECTIONS = ["What it flags", "Why it matters", "Example", "What to do"]
ALL = checks.checks()
READERS = [each for each in ALL if not hasattr(each, "check")]
OWN = [each for each in ALL if hasattr(each, "check")]


def named(check: Check) -> str:
    return check.NAME


def example(check: Check) -> str:
    section = re.search(r"## Example\n(.*?)(?=\n## |\Z)", check.__doc__, re.DOTALL)
    assert section is not None
    return dedent("\n".join(line for line in section[1].splitlines() if line.startswith("    ")))


def test_no_module_is_forgotten() -> None:
    """Every module of the folder is in the list."""
    files = {path.stem for path in Path(checks.__file__).parent.glob("*.py")} - {"__init__"}
    assert files == set(MODULES)


def test_codes_and_names_are_unique_and_in_order() -> None:
    """Codes rise through the list; no name is used twice."""
    codes = [each.CODE for each in ALL]
    assert codes == sorted(set(codes))
    assert len({each.NAME for each in ALL}) == len(ALL)


def test_a_module_is_called_after_its_name() -> None:
    """`kb/checks/tab.py` holds the check `tab`."""
    assert [each.NAME.replace("-", "_") for each in ALL] == list(MODULES)


@pytest.mark.parametrize("check", ALL, ids=named)
def test_a_page_has_its_sections(check: Check) -> None:
    """A title in one line, then four sections, each with text."""
    title, *_ = check.__doc__.splitlines()
    assert title.endswith(".")
    assert sorted(re.findall(r"^## (.+)$", check.__doc__, re.MULTILINE)) == sorted(SECTIONS)
    assert all(part.strip() for part in re.split(r"^## .+$", check.__doc__, flags=re.MULTILINE))


@pytest.mark.parametrize("check", ALL, ids=named)
def test_a_check_is_found_by_code_and_name(check: Check) -> None:
    """`kb explain` finds it either way, in any case."""
    assert find(check.CODE.lower()) is find(check.NAME) is check
    assert page(check.NAME) == (check.CODE, check.NAME, check.__doc__)


@pytest.mark.parametrize("check", OWN, ids=named)
def test_the_example_fires(check: Check) -> None:
    """What a page shows is what the check flags; size alone is not shown."""
    if check.NAME != "large-front-matter":
        assert problems(check.NAME, example(check)), example(check)


@pytest.mark.parametrize("check", OWN, ids=named)
def test_a_problem_has_a_line_of_its_record(check: Check) -> None:
    """Every place leads to a line of the file."""
    if check.NAME != "large-front-matter":
        records = library(example(check))
        text = records.loaded[0]
        last = text.front_line + text.front.count("\n") + text.body.count("\n") + 1
        assert all(1 <= text.line(problem.loc) <= last for problem in check.check(text, records))


def test_the_reader_names_its_codes_alike() -> None:
    """Names in kb/reading.py and in the pages are the same."""
    assert {each.CODE: each.NAME for each in READERS} == FORM_NAMES
    assert {each.SEVERITY for each in READERS} == {Severity.ERROR}


@pytest.mark.parametrize("check", READERS, ids=named)
def test_the_readers_example_is_refused(check: Check) -> None:
    """The reader raises the code whose page shows the example; size alone is not shown."""
    if check.NAME == "front-matter-too-large":
        return
    with pytest.raises(Unreadable) as caught:
        record(example(check))
    assert {finding.code for finding in caught.value.findings} == {check.CODE}


def test_an_empty_record_has_no_errors() -> None:
    """A title is a record; lint only asks."""
    assert [each for each in lint(library("title: Only a title")) if each.severity is Severity.ERROR] == []


def test_helpers_complete_a_fragment() -> None:
    """A fragment becomes a record with an id, a title and two arms."""
    loaded = record("question: push-vs-pull-handoff")
    assert {"id", "title", "arms", "question"} <= set(load(loaded.front))
    assert cut("---\nid: it\n---\nbody").body == "body"
