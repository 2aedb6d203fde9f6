"""KB155 source-without-relation."""

from . import cases, fires, quiet, rows


@cases(
    ("date: 2026-10-19", "no source"),
    ("source: {by: AWS, url: unknown}", "AWS's relation"),
    ("source: {url: https://example.org}", "the source's relation"),
)
def test_fires(fragment: str, says: str) -> None:
    """A result says who measured it."""
    fires("source-without-relation", fragment, says)


@rows(
    "source: {relation: vendor, by: AWS}",
    "source: {relation: own}",
    "source: {relation: unknown}",
    """
# entries/components/it.yaml
kind: engine
""",
)
def test_is_quiet(fragment: str) -> None:
    """Vendor, own and unknown are answers; other records need none."""
    quiet("source-without-relation", fragment)
