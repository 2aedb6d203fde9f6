"""Verdicts on the shipped records, judged by hand: reviewed/<evaluation>.yaml holds every claim at every target.

    evaluation  its id, the name of the file
    reviewed    entries; each speaks of every claim it names at every target it names, and no pair is spoken of twice
      claims    ids, or `every`
      targets   `own` (the evaluation's setup moved to the newest releases) and ids of deployments, or `every`
      outcome   what a careful engineer says, or, with `disputed`, what the engine says
      disputed  what the engineer would say instead; the reason says why, and the entry goes when the rule is mended
      rule      rule that decides; left out of a `holds`. A list means any of them
      change    change that decides, where one does. A list means any of them
      names     words that the deciding message must hold, where the rule alone does not say which fact decides
      silent    change (or evaluation) -> why it rightly does not speak
      because   the reviewer's reason, one sentence

A record that is mended may alter a verdict: then the entry is judged again, and its reason with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from kb.audit import audit
from kb.frontmatter import load
from kb.library import Library
from kb.registry import Registry
from kb.target import Target
from kb.verdict import Ruling, Verdict
from kb.vocabulary import Outcome

from .table import SHIPPED, Fields, base, several
from .test_table import SENTENCE, SILENT, SPEAKS

REVIEWED = Path(__file__).parent / "reviewed"
FILES = sorted(REVIEWED.glob("*.yaml"))
OWN = "own"
EVERY = "every"
KEYS = {"claims", "targets", "outcome", "disputed", "rule", "change", "names", "silent", "because"}
each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


@dataclass(frozen=True)
class Bench:
    """Every shipped claim at every target, judged once for all tests."""

    library: Library
    verdicts: dict[tuple[str, str, str], Verdict]
    """Target, evaluation and claim -> verdict."""

    @property
    def targets(self) -> tuple[str, ...]:
        return OWN, *sorted(self.library.deployments)


@pytest.fixture(scope="module")
def bench() -> Bench:
    """One audit a target, of the reviewed evaluations."""
    library, found = base(SHIPPED), {}
    registry, reviewed = Registry(library), [file.stem for file in FILES]
    for name in (OWN, *library.deployments):
        target = Target() if name == OWN else Target(name, library.deployments[name].setup)
        for verdict in audit(library, target, reviewed, registry=registry).verdicts:
            found[name, verdict.evaluation, verdict.claim] = verdict
    return Bench(library, found)


def _entries(file: Path) -> list[Fields]:
    return list(load(file.read_text("utf-8"))["reviewed"])


def _pairs(entry: Fields, evaluation: str, bench: Bench) -> Iterator[tuple[str, str]]:
    """Target and claim of what an entry speaks of."""
    known = [claim.id for claim in bench.library.evaluations[evaluation].claims]
    claims = known if entry["claims"] == EVERY else entry["claims"]
    targets = bench.targets if entry["targets"] == EVERY else entry["targets"]
    return ((target, claim) for target in targets for claim in claims)


@each_file
def test_every_claim_is_reviewed_once_at_every_target(file: Path, bench: Bench) -> None:
    """No pair is left out, spoken of twice, or made up."""
    record = load(file.read_text("utf-8"))
    assert record["evaluation"] == file.stem
    told = Counter(pair for entry in record["reviewed"] for pair in _pairs(entry, file.stem, bench))
    claims = [claim.id for claim in bench.library.evaluations[file.stem].claims]
    assert told == Counter((target, claim) for target in bench.targets for claim in claims)


@each_file
def test_a_review_has_its_reason(file: Path, bench: Bench) -> None:
    """A sentence, a known outcome, rules, changes and whys that exist, and a rule wherever the claim does not hold."""
    for entry in _entries(file):
        assert entry.keys() <= KEYS
        assert entry["outcome"] in set(Outcome)
        assert entry.get("disputed", "none") in {"none", *Outcome} - {entry["outcome"]}
        assert SENTENCE.fullmatch(entry["because"])
        assert ("rule" in entry) is (entry["outcome"] != "holds")
        assert set(several(entry.get("rule", []))) <= SPEAKS
        assert set(several(entry.get("change", []))) <= set(bench.library.changes)
        silent = entry.get("silent", {})
        assert set(silent) <= {*bench.library.changes, *bench.library.evaluations}
        assert set(silent.values()) <= SILENT


@each_file
def test_the_audit_says_what_the_reviewer_says(file: Path, bench: Bench) -> None:
    """Outcome, deciding rule and change, and what is rightly silent."""
    found = (
        wrong
        for entry in _entries(file)
        for target, claim in _pairs(entry, file.stem, bench)
        for wrong in _wrong(entry, target, bench.verdicts[target, file.stem, claim])
    )
    assert not list(found)


def _wrong(entry: Fields, target: str, verdict: Verdict) -> Iterator[str]:
    """What of an entry is not so, in words."""
    at = f"{verdict.evaluation}/{verdict.claim} at {target}"
    if verdict.outcome != entry["outcome"]:
        deciding = verdict.deciding
        yield f"{at}: {verdict.outcome} ({deciding.message if deciding else ''}), reviewed as {entry['outcome']}"
        return
    deciders = [each for each in verdict.rulings if each.outcome and each.rank == verdict.rulings[0].rank]
    if entry["outcome"] != "holds" and not any(_decides(entry, each) for each in deciders):
        yield f"{at}: decided by {[(each.rule, each.change, each.message) for each in deciders]}"
    if not entry.get("silent"):
        return
    silent = {(name, each.why.value) for each in verdict.checked for name in (each.change, each.evaluation)}
    for pair in entry["silent"].items():
        if pair not in silent:
            yield f"{at}: {pair} is not among what was checked"


def _decides(entry: Fields, ruling: Ruling) -> bool:
    named = all(word in ruling.message for word in entry.get("names", ()))
    change = "change" not in entry or ruling.change in several(entry["change"])
    return named and change and ruling.rule in several(entry["rule"])
