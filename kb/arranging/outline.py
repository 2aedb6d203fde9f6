"""The text of a drafted record: what the files state as fields, hints of names and examples in comments, proposals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kb.arranging.draft import MANY, Arranged
from kb.arranging.proposals import Proposal, proposals
from kb.arranging.surroundings import nested
from kb.arranging.writing import block, inline, item, remark, scalar
from kb.examples import EXAMPLES
from kb.results import table
from kb.terms import Metric


def record_text(arranged: Arranged, title: str, metrics: Mapping[str, Metric]) -> tuple[str, str | None]:
    """The record's text and, when there are many points, that of its table."""
    many = len(arranged.points) > MANY
    lines = ["---", *_head(arranged, title), *_setup(arranged), *_arms(arranged)]
    if many:
        lines.append("results: results.csv")
    elif arranged.points:
        lines += ["points:", *map(item, arranged.points)]
    lines += [*_claims(arranged, metrics), *_tail(arranged), "---", BODY]
    return "\n".join(lines) + "\n", table(arranged.points) if many else None


BODY = "What it shows, what it does not show, and how to read it."


_EXAMPLE = "  # TODO this is an example: write what ran"
"""Stands behind an example; lint asks about the line while it stands there."""
_COMPARED = " # TODO is this the one that the others are compared with?"


def _example(key: str) -> str:
    return f"{key}: {EXAMPLES[key]}{_EXAMPLE}"


def _head(arranged: Arranged, title: str) -> Iterator[str]:
    yield from ("schema_version: 1", f"id: {arranged.id}", f"title: {title}", "kind: controlled # TODO")
    yield "# question: push-vs-pull-handoff  # two results are rivals only on the same question"
    yield f"date: {arranged.date or 'unknown'}"
    yield "source:"
    yield "  relation: unknown # TODO vendor, maintainer, independent or own"
    yield "  by: unknown"


def _setup(arranged: Arranged) -> Iterator[str]:
    yield "setup:"
    tables = nested(arranged.setup)
    own = [nested(each) for each in arranged.arms.values()]
    for key in ("model", "hardware", "topology", "engine"):
        if key not in tables and not any(key in each for each in own) and (tables or key != "model"):
            yield f"  # {_example(key)}"
    yield from block(tables, 2) if tables else ["  model: unknown"]
    if arranged.suggested:
        yield "# Names hint at the following; names lie, so none of it stands above:"
        yield from (f"#   {remark(each)}" for each in arranged.suggested)


def _arms(arranged: Arranged) -> Iterator[str]:
    yield "arms:"
    for group in arranged.groups:
        yield f"  - id: {group.id}"
        if not group.sure:
            yield f"    # told apart {remark(group.said)}: say what it is in its setup"
        if len(arranged.groups) > 1:
            role = "baseline" if group.id == arranged.base else "candidate"
            yield f"    role: {role}{_COMPARED if group.id == arranged.base and not arranged.base_said else ''}"
        own = nested(arranged.arms.get(group.id, {}))
        open_ = "connector" not in own and "connector" not in nested(arranged.setup)
        if own:
            yield "    setup:"
            yield from ([f"      # connector: {_connector(group.id, arranged)}{_EXAMPLE}"] if open_ else [])
            yield from block(own, 6)
        elif open_:
            yield f"    # setup: {{connector: {_connector(group.id, arranged)}}}{_EXAMPLE}"
        if found := arranged.requests.get(group.id):
            yield f"    requests: {inline(found)}"


def _connector(arm: str, arranged: Arranged) -> str:
    """An example that is no contradiction to the arm's name; arms that are compared get different ones."""
    pulls = "pull" in arm or ("push" not in arm and len(arranged.groups) > 1 and arm == arranged.base)
    return EXAMPLES["connector"].replace("push", "pull") if pulls else EXAMPLES["connector"]


_CLAIM = """\
# No claim is proposed. One that you write looks like this (`kind: hypothesis` until points carry it):
# claims:
#   - id: heavy-load
#     kind: measured
#     says: what you conclude, in one sentence
#     effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [id of one, id of the other]}
#     conditions:
#       - {key: workload.request_rate, op: is, value: 8, why: measured there and nowhere else}"""


def _claims(arranged: Arranged, metrics: Mapping[str, Metric]) -> Iterator[str]:
    found = claims(arranged, metrics)
    if not found:
        yield _CLAIM
        return
    yield "# Proposed from the numbers: directions, no conclusions. Keep what you mean, in your words; delete the rest."
    yield "claims:"
    for each in found:
        yield from (f"  # {remark(line)}" for line in each.comments[:12])
        for place, (key, value) in enumerate(each.fields.items()):
            before = "  - " if place == 0 else "    "
            if key == "conditions":
                yield f"{before}conditions:"
                yield from (item(condition, 6) for condition in value)
            else:
                yield f"{before}{key}: {inline(value) if isinstance(value, dict) else scalar(value)}"


def claims(arranged: Arranged, metrics: Mapping[str, Metric]) -> list[Proposal]:
    """Proposed claims of every other arm against the baseline."""
    if arranged.base is None:
        return []
    against = arranged.numbers[arranged.base]
    return [
        each
        for arm, points in arranged.numbers.items()
        if arm != arranged.base
        for each in proposals(arm, points, arranged.base, against, metrics)
    ]


def _tail(arranged: Arranged) -> Iterator[str]:
    if arranged.points and not arranged.repeated:
        yield "noise: {stated: no}"
        yield "limits:"
        yield "  - Some load points were measured once, so there is no noise floor; a small difference may be chance."
    for sentence in arranged.said:
        yield f"# {remark(sentence)}"
