"""kb.mentions: what a record names, and where."""

import pytest

from kb.evaluation import Evaluation
from kb.finding import Problem
from kb.frontmatter import locate
from kb.mentions import cited_points, conditions, named, once, pins, references, setups, spreads

from .checks import record

FULL = """
setup:
  engine: {component: vllm}
  workload: {input_tokens: 4096}
arms:
  - id: a
    setup:
      decode: {connector: {component: vllm-nixl-push}}
points:
  - {id: p, metric: ttft, arm: a, where: {request_rate: 8}, value: 1, unit: s}
claims:
  - id: c
    kind: measured
    says: x
    effect: {form: ratio, metric: ttft, points: [p]}
    conditions:
      - {key: topology, value: 1P1D, why: w}
      - any_of:
          - {key: versions.nixl, op: matches, value: ">=1", why: w}
          - {key: prefill.tp, other: decode.tp, why: w}
    anchors: {all: ["nixl:Agent.post"]}
signals:
  - {id: s, what: w, watches: {change: taken-change, reaches: merged}}
relations:
  - {relation: related, to: shared-result}
"""


def test_references_lead_to_their_lines() -> None:
    """Each with its kind and the place of the name."""
    loaded = record(FULL)
    found = {each.id: (each.kind.value, loaded.line(each.loc)) for each in references(loaded.record)}
    lines = (loaded.front).splitlines()
    assert found.keys() == {"vllm", "vllm-nixl-push", "nixl", "taken-change", "shared-result"}
    assert all(name in lines[line - loaded.front_line] for name, (_, line) in found.items())


def test_conditions_inside_alternatives_count() -> None:
    """Every one has a place of its own."""
    loaded = record(FULL)
    found = [(each.key, locate(loaded.front, loc)) for loc, each in conditions(loaded.record)]
    assert [key for key, _ in found] == ["topology", "versions.nixl", "prefill.tp"]
    assert len({line for _, line in found}) == 3


def test_setups_pins_and_spreads() -> None:
    """Common part and arms, sides, workloads and load points."""
    loaded = record(FULL).record
    assert [loc for loc, _ in setups(loaded)] == [("setup",), ("arms", 0, "setup")]
    assert [loc[-1] for loc, _ in pins(loaded)] == ["engine", "connector"]
    assert [loc[-1] for loc, _ in spreads(loaded)] == ["input_tokens", "request_rate"]


def test_cited_points() -> None:
    """Those that comparisons rest on."""
    loaded = record(FULL).record
    assert isinstance(loaded, Evaluation)
    assert cited_points(loaded) == {"p"}


@pytest.mark.parametrize(
    ("count", "text"), [(0, ""), (1, "a"), (3, "a, b, c"), (4, "a, b and 2 more"), (9, "a, b and 7 more")]
)
def test_the_first_names_and_a_count(count: int, text: str) -> None:
    """The last one is named rather than counted."""
    assert named("abcdefghi"[:count], most=2) == text


def test_the_same_sentence_is_said_once() -> None:
    """At its first place, in the order of first places."""
    found = list(once([Problem(("a",), "x"), Problem(("b",), "y"), Problem(("c",), "x", "hint")]))
    assert found == [Problem(("a",), "x (at 2 places)"), Problem(("b",), "y")]
    assert list(once([])) == []
