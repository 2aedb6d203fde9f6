"""KB145 stated-and-not-stated."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
setup: {model: m}
not_stated: [model]
""",
        '"model" is listed as not stated and is stated',
    ),
    (
        """
setup: {engine: {component: vllm, version: 0.29.0}}
not_stated: [engine.version]
""",
        "engine.version",
    ),
    (
        """
arms: [{id: a, setup: {precision: fp8}}, {id: b, setup: {precision: bf16}}]
not_stated: [precision]
""",
        "precision",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A fact is stated or it is not."""
    fires("stated-and-not-stated", fragment, says)


@rows(
    """
setup: {model: unknown}
not_stated: [model]
""",
    """
setup: {engine: {component: vllm, commit: 0123456789}}
not_stated: [engine.version]
""",
    """
arms: [{id: a, setup: {precision: fp8}}, {id: b}]
not_stated: [precision]
""",
    """
setup: {precision: fp8}
arms: [{id: a}, {id: b, setup: {precision: unknown}}]
not_stated: [precision]
""",
    "not_stated: [points.stat, slo]",
)
def test_is_quiet(fragment: str) -> None:
    """An unknown, one arm of two, and a commit instead of a version are no contradiction."""
    quiet("stated-and-not-stated", fragment)
