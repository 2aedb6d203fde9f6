"""Evidence: points (one number each) and the effects that claims compute from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Self

from pydantic import Field, model_validator

from kb.model import Id, Name, Names, Part, Scalar, Unknown
from kb.setup import Quantity
from kb.vocabulary import EffectForm, Qualifier, Reported, Stage, Statistic

Number = Annotated[float, Field(allow_inf_nan=False)]
"""A finite number; missing is missing, never zero."""

METRIC = r"^[a-z][a-z0-9_]*$"


class Where(Part):
    """The load point a number was taken at, as far as the source states it."""

    input_tokens: Quantity | None = None
    """Prompt length in tokens."""
    output_tokens: Quantity | None = None
    """Answer length in tokens."""
    request_rate: Quantity | None = None
    """Arrival rate in requests per second; `inf` sends all at once."""
    concurrency: Quantity | None = None
    """Requests in flight."""
    burstiness: Quantity | None = None
    """1 is Poisson arrival."""
    num_prompts: Quantity | None = None
    """Requests of the run."""
    dataset: Name | None = None
    """Data set."""
    model: Name | None = None
    """Model, where the evaluation used several."""
    factors: dict[Name, Scalar] = Field(default_factory=dict)
    """The sweep's own further factors, by name."""
    words: Name | None = None
    """The source's own description where it gives no load point, e.g. "the demanding end of the sweep"."""

    @property
    def is_load_point(self) -> bool:
        """Whether any load key is stated, not only words."""
        return bool(self.model_fields_set & {"input_tokens", "output_tokens", "request_rate", "concurrency"})


class PointSpread(Part):
    """How repeated measurements of one number scatter."""

    ALONE = True

    std: Number | None = None
    """Standard deviation, in the point's unit."""
    low: Number | None = None
    """Lower end of the interval or smallest run."""
    high: Number | None = None
    """Upper end of the interval or largest run."""
    kind: Name | None = None
    """What low and high are: `min-max`, `95% CI`..."""


class Point(Part):
    """One number of a source: what, of which arm, where, how exact."""

    ALONE = True

    id: Id | None = None
    """Name by which claims refer to it."""
    metric: Annotated[str, Field(pattern=METRIC)]
    """Metric in canonical spelling, as the tool labels it (`ttft`, `tpot`, `itl`, `post_duration`...)."""
    definition: Name | None = None
    """What was measured, as an id of the vocabulary's definitions; comparison goes by this."""
    stat: Statistic = Statistic.UNKNOWN
    """Statistic; `unknown` where the source gives none."""
    arm: Id | None = None
    """Arm it was measured on; for a reported comparison the arm that is compared."""
    against: Id | None = None
    """For a reported comparison: the arm compared with."""
    reported: Reported | None = None
    """Set when the source states only a comparison: how it words it."""
    stage: Stage | None = None
    """Stage of the wait it belongs to."""
    where: Where | None = None
    """Load point, or the source's words for it."""
    value: Number | None = None
    """The number."""
    low: Number | None = None
    """Lower end where the source gives a range."""
    high: Number | None = None
    """Upper end where the source gives a range."""
    qualifier: Qualifier | None = None
    """about, up-to, at-least, more-than, less-than; nothing when the source states the number flatly."""
    unit: Name
    """Unit, always written: ms, s, tok/s, req/s, count, GB/s, x, %..."""
    n: Annotated[int, Field(ge=1)] | Unknown | None = None
    """Runs or samples behind it."""
    best_of: Annotated[int, Field(ge=2)] | None = None
    """The best of that many runs, where the source picked it."""
    spread: PointSpread | None = None
    """Scatter over runs."""

    @model_validator(mode="after")
    def _one_number(self) -> Self:
        ranged = self.low is not None or self.high is not None
        ordered = self.reported is Reported.ORDER
        if not ordered and (self.value is not None) == ranged:
            raise ValueError("a point has a value or a range (low, high): one of them")
        if ranged and (self.low is None or self.high is None or self.low > self.high):
            raise ValueError("a range has low and high, low first; one end alone is a value with a qualifier")
        if (self.reported is not None) != (self.against is not None):
            raise ValueError("reported and against go together: a comparison names the arm compared with")
        if self.against is not None and self.against == self.arm:
            raise ValueError("an arm is not compared with itself")
        return self

    @property
    def number(self) -> float | tuple[float, float] | None:
        """The value, or the range as (low, high)."""
        return (self.low, self.high) if self.low is not None and self.high is not None else self.value

    @property
    def midpoint(self) -> float | None:
        """The value, None for a range: the middle of a range is nobody's measurement."""
        return self.value


class Effect(Part):
    """What a measured claim says the numbers show. The number itself is computed from the points."""

    form: EffectForm
    """ratio or difference between arms, parity within a margin, bound, threshold (capacity), absolute value, ratio of
    two statistics of one arm, or order only (which arm is better, without a figure)."""
    metric: Annotated[str, Field(pattern=METRIC)]
    """Metric it is about."""
    arm: Id | None = None
    """Arm the claim speaks for."""
    against: Id | None = None
    """Baseline arm, for comparisons."""
    points: Names = ()
    """Ids of the points it is computed from: arm first, then baseline; or the reported comparison."""
    better: Id | None = None
    """Arm that came out better, where the claim says so."""
    at_most: Number | None = None
    """Bound: not more than this, in `unit`."""
    at_least: Number | None = None
    """Bound or capacity: not less than this, in `unit`."""
    margin: Number | None = None
    """Parity: arms differ by at most this, in `unit` (usually %); absent when the source says only "about equal"."""
    value: Number | None = None
    """Only where no point can carry it; a figure that points give is computed, not typed."""
    unit: Name | None = None
    """Unit of at_most, at_least, margin and value."""


@dataclass(frozen=True, slots=True)
class Computed:
    """A number computed from points: value (or range), its unit, and the points it came from."""

    low: float
    high: float
    unit: str
    reported: bool
    points: tuple[str, ...]
    qualifier: Qualifier | None = None

    @property
    def value(self) -> float | None:
        """The number, None for a range."""
        return self.low if self.low == self.high else None


def compute(effect: Effect, points: Mapping[str, Point]) -> Computed | None:
    """The effect's number from its points; None when they do not give one.

    A ratio is arm / baseline, a difference arm - baseline (the order of `points`); a comparison that the source
    reports is taken as it is reported, never inverted.
    """
    used = [points[name] for name in effect.points if name in points]
    if len(used) != len(effect.points) or not used or any(point.number is None for point in used):
        return None
    if len(used) == 1:
        return _single(effect, used[0])
    if len(used) == 2 and used[0].unit == used[1].unit and not any(point.reported for point in used):
        return _pair(effect, used)
    return None


def _single(effect: Effect, point: Point) -> Computed:
    low, high = _ends(point)
    return Computed(low, high, point.unit, point.reported is not None, effect.points, point.qualifier)


def _pair(effect: Effect, used: Sequence[Point]) -> Computed | None:
    (a_low, a_high), (b_low, b_high) = _ends(used[0]), _ends(used[1])
    about = next((point.qualifier for point in used if point.qualifier), None)
    if effect.form is EffectForm.DIFFERENCE:
        return Computed(a_low - b_high, a_high - b_low, used[0].unit, False, effect.points, about)
    if effect.form not in {EffectForm.RATIO, EffectForm.STATISTIC_RATIO} or b_low <= 0 or b_high <= 0:
        return None
    return Computed(a_low / b_high, a_high / b_low, "x", False, effect.points, about)


def _ends(point: Point) -> tuple[float, float]:
    number = point.number
    assert number is not None
    return number if isinstance(number, tuple) else (number, number)
