"""KB149 arms-alike."""

from . import cases, fires, quiet, rows


@cases(
    ("arms: [{id: a}, {id: b}]", 'arms "a" and "b"'),
    (
        "arms: [{id: a, setup: {precision: fp8}}, {id: b, setup: {precision: fp8}}, {id: c, setup: {precision: bf16}}]",
        '"a" and "b"',
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """Arms differ in something that is written down."""
    fires("arms-alike", fragment, says)


@rows(
    "arms: [{id: a}]",
    "arms: [{id: a}, {id: b, setup: {options: {x: 'on'}}}]",
    "arms: [{id: a, setup: {engine: {version: 0.24.0}}}, {id: b, setup: {engine: {version: 0.25.0}}}]",
    "arms: [{id: a, setup: {engine: {commit: 0123456789}}}, {id: b, setup: {engine: {commit: 9876543210}}}]",
)
def test_is_quiet(fragment: str) -> None:
    """One arm, a version, an option or a commit makes the difference."""
    quiet("arms-alike", fragment)
