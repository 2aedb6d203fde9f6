"""KB170 releases-out-of-order."""

from . import cases, fires, quiet, rows


@cases(
    (
        """
# entries/components/it.yaml
kind: engine
releases:
  - {version: 0.18.0, date: 2026-03-20}
  - {version: 0.18.1, date: 2026-03-02}
""",
        "0.18.1 of 2026-03-02 is before 0.18.0",
    ),
    (
        """
# entries/components/it.yaml
kind: engine
releases:
  - {version: 0.18.0}
  - {version: v0.18.0}
""",
        "listed twice",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """Patches follow what they patch."""
    fires("releases-out-of-order", fragment, says)


@rows(
    """
# entries/components/it.yaml
kind: engine
releases:
  - {version: 0.18.0, date: 2026-03-20}
  - {version: 0.18.1, date: 2026-03-31}
  - {version: 0.19.0, date: 2026-03-25}
""",
    """
# entries/components/it.yaml
kind: engine
releases:
  - {version: 0.19.0, date: 2026-04-03}
  - {version: 0.18.2, date: 2026-05-01}
  - {version: 0.18.0, date: 2026-03-20}
""",
    """
# entries/components/it.yaml
kind: engine
releases:
  - {version: 1.3.0rc12.post1, date: 2026-05-16}
  - {version: 1.3.0rc13, date: 2026-04-29}
""",
    """
# entries/components/it.yaml
kind: engine
releases:
  - {version: 0.18.0, date: 2026-03}
  - {version: 0.18.1, date: 2026-03-02}
""",
    """
# entries/components/it.yaml
kind: engine
releases:
  - {version: 0.18.0, date: unknown}
  - {version: 0.18.1}
""",
)
def test_is_quiet(fragment: str) -> None:
    """Patches of older lines, candidates, post-releases and months are in order."""
    quiet("releases-out-of-order", fragment)
