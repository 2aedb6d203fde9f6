"""KB173 symbols-unreadable."""

from . import cases, fires, quiet, rows


@cases(
    ("# entries/components/damaged.yaml\nkind: connector", "releases, symbol, digest, first, last missing"),
    (
        "# entries/components/damaged.yaml\nkind: connector",
        "begin a new one with `kb scan damaged --from A --to B --index --write`",
    ),
    ("# entries/components/taken.yaml\nkind: connector", "that of another"),
)
def test_fires(fragment: str, says: str) -> None:
    """Damaged, or of another component."""
    fires("symbols-unreadable", fragment, says)


@rows(
    "# entries/components/vllm-nixl-pull.yaml\nkind: connector",
    "# entries/components/nixl.yaml\nkind: transfer-library",
    "# entries/components/without.yaml\nkind: connector",
    "# entries/changes/damaged.md\ncomponent: damaged\nkind: fix\nstatus: merged\nsummary: s",
)
def test_is_quiet(fragment: str) -> None:
    """A table that can be read, partial or not, no table, and records that are no components."""
    quiet("symbols-unreadable", fragment)
