"""KB191 placeholder-left."""

from . import cases, fires, quiet, rows


@cases(
    ("title: TODO one line", "title still says TODO"),
    ("claims: [{id: main, kind: hypothesis, says: TODO what you conclude}]", "says still says TODO"),
    ("limits: [fine, TODO]", "still says TODO"),
)
def test_fires(fragment: str, says: str) -> None:
    """What the template left open is named at its place."""
    fires("placeholder-left", fragment, says)


@rows(
    "title: A list of TODOs in the scheduler",
    "title: TODOs of the scheduler",
    "title: A sentence",
    "limits: [what is still TODO upstream]",
)
def test_is_quiet(fragment: str) -> None:
    """A sentence that speaks of a TODO is no placeholder."""
    quiet("placeholder-left", fragment)
