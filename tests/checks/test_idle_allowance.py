"""KB190 idle-allowance."""

from . import cases, fires, quiet, rows


@cases(
    ("allow: [{check: signal-without-horizons, because: b}]", 'did you mean "signal-without-horizon"?'),
    ("allow: [{check: signal-without-horizon, because: b}]", "nothing to say here"),
    ("allow: [{check: KB156, because: b}]", "nothing to say here"),
    ("allow: [{check: unknown-field, because: b}]", "nothing to say here"),
)
def test_fires(fragment: str, says: str) -> None:
    """An allowance excuses a finding."""
    fires("idle-allowance", fragment, says)


@rows(
    """
signals: [{id: s, what: w}]
allow: [{check: signal-without-horizon, because: b}]
""",
    """
signals: [{id: s, what: w}]
allow: [{check: KB156, because: b}]
""",
    "allow: [{check: idle-allowance, because: it is about itself}]",
    "title: Allows nothing",
)
def test_is_quiet(fragment: str) -> None:
    """A finding behind it, by name or code, makes it right."""
    quiet("idle-allowance", fragment)
