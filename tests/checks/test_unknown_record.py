# ruff: noqa: E501  rows read better unbroken
"""KB110 unknown-record."""

from . import cases, fires, quiet, rows


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
