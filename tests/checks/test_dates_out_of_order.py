"""KB158 dates-out-of-order."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
dates: {opened: 2026-05-01, merged: 2026-04-30}
""",
        "merged 2026-04-30 is before opened 2026-05-01",
    ),
    (
        """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
dates: {merged: 2026-05, reverted: 2026-04-30}
""",
        "reverted",
    ),
    (
        """
date: 2026-10-19
signals: [{id: s, what: w, until: 2026-09}]
""",
        "until 2026-09 is before date 2026-10-19",
    ),
    (
        """
# entries/components/it.yaml
kind: engine
coverage: [{since: 0.29.0, until: 0.24.0, date: 2026-10-19, by: scan, because: b}]
""",
        "not later",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """What comes later is later."""
    fires("dates-out-of-order", fragment, says)


@rows(
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
dates: {opened: 2026-05-01, merged: 2026-05-01, reverted: 2026-06-01}
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
dates: {opened: 2026-05-20, merged: 2026-05}
""",
    """
# entries/changes/it.md
component: vllm
kind: fix
status: merged
summary: s
dates: {opened: unknown, merged: 2026-05-01}
""",
    """
date: 2026
signals: [{id: s, what: w, until: 2026-01-19}]
""",
    "signals: [{id: s, what: w, until: 2026-01-19}]",
    """
# entries/components/it.yaml
kind: engine
coverage: [{since: 0.9.0, until: 0.10.0, date: 2026-10-19, by: scan, because: b}]
""",
)
def test_is_quiet(fragment: str) -> None:
    """The same day, a month that holds the day, and unknown days are in order."""
    quiet("dates-out-of-order", fragment)
