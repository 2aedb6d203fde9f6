# ruff: noqa: E501  rows read better unbroken
"""KB154 condition-without-why."""

from . import cases, fires, quiet, rows


@cases(
    (
        "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: topology, value: 1P1D}]}]",
        '"topology is 1P1D" gives no reason',
    ),
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
guards: [{key: connector.mode, value: push}]
""",
        "connector.mode is push",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A condition gives its reason."""
    fires("condition-without-why", fragment, says)


@rows(
    "claims: [{id: c, kind: hypothesis, says: x, conditions: [{key: topology, value: 1P1D, why: w}]}]",
    "signals: [{id: s, what: w, watches: {question: push-vs-pull-handoff, conditions: [{key: topology, value: 2P1D}]}}]",
    """
# entries/components/it.yaml
kind: engine
facts: [{versions: '*', when: [{key: family, value: moe}], options: {a: b}}]
""",
)
def test_is_quiet(fragment: str) -> None:
    """Reasons, and conditions that select rather than limit, are fine."""
    quiet("condition-without-why", fragment)
