"""kb.salvage: what is left of a record without its bad values, with the places of the file."""

import pytest

from kb.evaluation import Evaluation
from kb.frontmatter import load
from kb.model import Model
from kb.salvage import Rest, salvage

HEAD = "id: it\ntitle: t\n"


def rest(text: str) -> Rest:
    found = salvage(Evaluation, load(HEAD + text))
    assert found is not None
    return found


def record(found: Rest) -> Evaluation:
    assert isinstance(found.record, Evaluation)
    return found.record


def test_a_bad_value_takes_only_itself() -> None:
    """The fields beside it stay."""
    found = rest("kind: contrlled\ndate: yesterday\nquestion: q\nsetup: {model: m, topology: pd}")
    assert record(found).question == "q"
    assert record(found).date is None
    assert record(found).setup is not None
    assert found.kept == {}


def test_a_point_that_lacks_something_goes_and_the_places_of_the_others_stay() -> None:
    """Positions are the file's; the id that went is remembered."""
    found = rest(
        "points:\n"
        "  - {id: a, metric: ttft, value: many, unit: s}\n"
        "  - {id: b, metric: ttft, value: 1, unit: s}\n"
        "  - {id: c, metric: ttft, value: 1}\n"
        "  - {id: d, metric: ttft, value: 1, unit: s}\n"
    )
    assert [point.id for point in record(found).points] == ["b", "d"]
    assert found.lost == {"a", "c"}
    assert found.original(("points", 0, "metric")) == ("points", 1, "metric")
    assert found.original(("points", 1, "metric")) == ("points", 3, "metric")
    assert found.original(("points",)) == ("points",)


def test_a_union_is_no_place_of_the_text() -> None:
    """pydantic names its members."""
    found = rest("setup: {both: {tp: two, pp: 2}, workload: {request_rate: {shape: odd}, turns: multi}}")
    setup = record(found).setup
    assert setup is not None
    assert setup.both is not None
    assert (setup.both.tp, setup.both.pp) == (None, 2)
    assert setup.workload is not None
    assert setup.workload.turns == "multi"


@pytest.mark.parametrize(
    "text", ["", "id: it", "title: t\nid: A B", "id: it\ntitle: t\nschema_version: 9\nid2: x\ntitle2: y"]
)
def test_a_record_without_its_own_name_is_none(text: str) -> None:
    """Without id or title nothing is left; a strange version is taken away like any value."""
    model: type[Model] = Evaluation
    found = salvage(model, load(text))
    assert (found is None) == ("schema_version" not in text)


def test_a_good_record_is_left_as_it_is() -> None:
    """Nothing is taken away."""
    found = rest("question: q")
    assert (found.kept, found.lost) == ({}, frozenset())


@pytest.mark.parametrize(
    ("text", "nameless"),
    [
        ("arms: [{id: A Name, role: baseline}]", True),
        ("arms: [just a word]", True),
        ("points: nothing", True),
        ("points: [{id: a, metric: ttft, value: many, unit: s}]", False),
        ("kind: contrlled", False),
        ("relations: [{to: A B, relation: related}]", False),
    ],
)
def test_a_part_without_a_name_is_known(text: str, nameless: bool) -> None:
    """What others may call by a name that could not be read; a part that is lost with its name is known by it."""
    assert rest(text).nameless == nameless


def test_an_allowance_that_cannot_be_read_is_known() -> None:
    """What it allowed may be anything."""
    assert rest("allow: [{check: x, becaus: y}]").allows_unread
    assert not rest("kind: contrlled").allows_unread
