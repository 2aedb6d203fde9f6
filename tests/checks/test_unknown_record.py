# ruff: noqa: E501  rows read better unbroken
"""KB110 unknown-record."""

import pytest

from kb.checks.unknown_record import check
from kb.finding import Finding
from kb.library import Library

from . import cases, fires, library, problems, quiet, rows


@cases(
    ("setup: {engine: {component: vlm}}", 'did you mean "vllm"?'),
    ("setup: {prefill: {connector: {component: nope}}}", "no component"),
    ("arms: [{id: a, setup: {transfer_library: {component: nixll}}}]", 'did you mean "nixl"?'),
    ("claims: [{id: c, kind: mechanism, says: x, anchors: {all: ['nixel:Agent.post']}}]", "nixel"),
    ("relations: [{relation: related, to: shared-results}]", 'did you mean "shared-result"?'),
    ("signals: [{id: s, what: w, watches: {change: no-change, reaches: merged}}]", "no change"),
    ("impacts: [{change: nope, claim: c, status: affected, because: b, date: 2026-10-19}]", "nope"),
    ("reviews: [{date: 2026-10-19, at: {vlllm: 0.29.0}, because: b, seen: [nope]}]", "vlllm"),
    ("reviews: [{date: 2026-10-19, at: {vllm: 0.29.0}, because: b, seen: [nope]}]", "nope"),
    (
        "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: versions.nixi, op: matches, value: '>=1', why: w}]}]",
        "nixi",
    ),
    (
        """
# entries/changes/it.md
component: vlm
kind: fix
status: merged
summary: s
""",
        "vlm",
    ),
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
symbols: ['vlm:f']
""",
        "vlm",
    ),
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
relations: [{relation: fixes, to: takn-change}]
""",
        "taken-change",
    ),
    (
        """
# entries/evaluations/no-original.ja.md
translates: no-original
language: ja
title: t
""",
        "no-original",
    ),
    (
        """
# entries/deployments/it.yaml
setup: {engine: {component: vlm}}
""",
        "vlm",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """Every record that is named exists."""
    fires("unknown-record", fragment, says)


@rows(
    "relations: [{relation: related, to: taken-id}]",
    "setup: {engine: {component: vllm, version: 0.29.0}, router: {name: a proxy}, client: {name: vllm bench serve}}",
    "signals: [{id: s, what: w, watches: {change: taken-change, reaches: merged}}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: options.nope, op: set, why: w}]}]",
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: versions.vllm, op: matches, value: '>=0.24', why: w}]}]",
)
def test_is_quiet(fragment: str) -> None:
    """Old ids, tools without a record, and options that look like ids are no references."""
    quiet("unknown-record", fragment)


@pytest.mark.parametrize(
    ("fragment", "path"),
    [
        ("# entries/evaluations/b.ja.md\ntranslates: b\nlanguage: ja\ntitle: t", "entries/evaluations/b.md"),
        ("relations: [{relation: related, to: b}]", "shipped:entries/evaluations/b.md"),
        ("setup: {engine: {component: b}}", "entries/components/b.yaml"),
        ("signals: [{id: s, what: w, watches: {change: b, reaches: merged}}]", "entries/changes/b.md"),
    ],
)
def test_a_record_that_cannot_be_read_is_not_unknown(fragment: str, path: str) -> None:
    """It is there; a file of that name in the place of another kind is not it."""
    records = library(fragment)

    def found(there: str) -> list[str]:
        broken = Finding(there, 3, "KB101", "not readable as YAML")
        return [each.message for each in check(records.loaded[0], Library(records.loaded, (broken,), records.own))]

    assert found(path) == []
    assert found(path.replace("/b.", "/bb.")) != []
    assert found(f"entries/deployments/b{path[path.rindex('.') :]}") != []


def test_a_name_that_is_nowhere_is_said_once() -> None:
    """With the count of its places."""
    [found] = problems("unknown-record", "setup: {engine: {component: vlm}, prefill: {engine: {component: vlm}}}")
    assert found.message == 'no component is called "vlm" (at 2 places)'
