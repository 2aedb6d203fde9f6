"""KB194 rests-on-its-metric."""

from . import cases, fires, quiet, rows


def claim(more: str = "", kind: str = "measured", metric: str = "tpot", id_: str = "c") -> str:
    effect = f"effect: {{form: order, metric: {metric}, arm: push, against: pull, better: push}}"
    return f"{{id: {id_}, kind: {kind}, says: x, {effect}{more}}}"


@cases(
    (f"claims: [{claim()}]", "what the metric implies: c"),
    (f"claims: [{claim()}, {claim(id_='d')}]", "c, d"),
)
def test_fires(fragment: str, says: str) -> None:
    """All of them in one sentence."""
    fires("rests-on-its-metric", fragment, says)


@rows(
    f"claims: [{claim(', rests_on: [post-thread]')}]",
    "claims: [" + claim(", anchors: {push: ['vllm:f']}") + "]",
    f"claims: [{claim(kind='hypothesis')}]",
    f"claims: [{claim(metric='ttft')}]",
    "claims: [{id: c, kind: mechanism, says: x}]",
)
def test_is_quiet(fragment: str) -> None:
    """Named dimensions, anchors, hypotheses; a metric that implies nothing is another check's."""
    quiet("rests-on-its-metric", fragment)
