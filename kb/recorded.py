"""What goes with measuring a load point again: how often each command is run, and how what came out is recorded."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from kb.commands import plain
from kb.evaluation import Evaluation
from kb.matching import ClaimAt, Subject, points_of

FEWEST = 3
"""Runs of each arm where the record has one, or does not say: with two, a 95% interval is wider than most effects."""


class Repeats(NamedTuple):
    """How often each arm is measured, and why."""

    times: int
    why: str


def repeats(claims: Iterable[ClaimAt], arms: Iterable[Subject]) -> Repeats:
    """As often as the record has it, where it has more than one run."""
    counts = [point.n for at in claims for point in points_of(at) if isinstance(point.n, int)]
    known = max([*counts, *filter(None, map(stated_repeats, arms))], default=None)
    if known is not None and known > 1:
        return Repeats(known, "as often as the record has it")
    why = "the record has one, and with it no noise floor" if known else "how many runs the record has is not stated"
    return Repeats(FEWEST, why)


def stated_repeats(arm: Subject) -> int | None:
    """Runs of a point, as the arm's workload states them."""
    count = arm.setup.workload.repeats if arm.setup.workload else None
    return count if isinstance(count, int) and count > 0 else None


class Recording(NamedTuple):
    """How results of runs for one evaluation get into the base."""

    evaluation: str
    claims: tuple[str, ...]
    new: str
    """Command that makes an evaluation of them: what another build, another day or other machines gave."""
    relations: str
    """Field of that evaluation, as YAML: how it stands to the one that was measured again."""
    into: str
    """Command that adds them to the record, where they are repeats on its own builds."""

    def as_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return self._asdict() | {"claims": list(self.claims)}


Files = Mapping[str, Sequence[str | None]]
"""Arm -> names of its result files, without an ending; None where a tool has no option for it."""


def recording(evaluation: Evaluation, claims: Iterable[str], files: Files) -> Recording:
    """The commands for what these files hold."""
    named = tuple(dict.fromkeys(claims))
    arms = " ".join(f"--arm {shlex.quote(arm)}={where}" for arm, own in files.items() for where in _patterns(arm, own))
    base = next((arm.id for arm in evaluation.arms if arm.role == "baseline" and arm.id in files), None)
    baseline = f" --baseline {shlex.quote(base)}" if base and len(files) > 1 else ""
    return Recording(
        evaluation.id,
        named,
        f"kb new evaluation {evaluation.id[:74]}-again --from <folder of the results> {arms}{baseline}",
        f"relations: [{{relation: replicates, to: {evaluation.id}, claims: [{', '.join(named)}]}}]",
        f"kb import <folder of these results and of those before> --into {evaluation.id} {arms} --replace",
    )


def _patterns(arm: str, names: Sequence[str | None]) -> list[str]:
    """Patterns of an arm's files: each run's, whatever its ending and the count of its repeat."""
    known = [shlex.quote(f"{name}[-.]*") for name in dict.fromkeys(names) if name]
    return [*known, *([f"<results of {plain(arm)}>"] if None in names else [])]
