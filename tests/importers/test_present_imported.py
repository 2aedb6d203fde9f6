"""kb.present.imported: what is said of many runs."""

from __future__ import annotations

from kb.finding import Finding
from kb.importers.run import Imported, Run
from kb.present.imported import imported
from kb.present.text import Page
from kb.vocabulary import Severity


def found(*counts: int) -> str:
    """What is printed of runs with so many findings of one code each."""
    findings = [Finding("x.json", 1, "KB331", f"odd {n}", "odd", Severity.INFO) for n in range(max(counts))]
    runs = tuple(Run(f"{n}.json", "x", "x", findings=tuple(findings[:count])) for n, count in enumerate(counts))
    return "\n".join(imported(Imported(runs), Page()))


def test_findings_are_counted_as_findings() -> None:
    """A run may have several of one code: the rest is findings, and the runs are counted beside them."""
    assert "… and 5 more KB331, in 4 runs altogether" in found(2, 2, 2, 2, 0)
    assert "… and 1 more KB331, in 1 run altogether" in found(4)


def test_few_findings_are_all_said() -> None:
    """Nothing is left to count."""
    assert "more KB331" not in found(2, 1)
