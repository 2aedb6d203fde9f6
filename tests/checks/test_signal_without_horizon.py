"""KB156 signal-without-horizon."""

from . import cases, fires, quiet, rows


@cases(
    ("signals: [{id: s, what: a replication}]", 'signal "s" has no horizon'),
    ("signals: [{id: s, what: a replication, until: unknown}]", "add `until`"),
)
def test_fires(fragment: str, says: str) -> None:
    """A signal says by when one should know."""
    fires("signal-without-horizon", fragment, says)


@rows(
    "signals: [{id: s, what: w, until: 2027-01-19}, {id: t, what: w, until: 2027-01}, {id: u, what: w, until: '2027'}]",
    "title: No signals",
)
def test_is_quiet(fragment: str) -> None:
    """A day, a month or a year is a horizon."""
    quiet("signal-without-horizon", fragment)
