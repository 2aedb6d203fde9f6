"""KB131 says-another-number."""

from . import cases, fires, quiet, rows

POINTS = """
points:
  - {id: push-ttft, metric: ttft, stat: mean, arm: push, where: {request_rate: 8}, value: 540, unit: ms}
  - {id: pull-ttft, metric: ttft, stat: mean, arm: pull, where: {request_rate: 8}, value: 1744, unit: ms}
  - {id: push-tpot, metric: tpot, stat: mean, arm: push, where: {request_rate: 8}, value: 7, unit: ms}
  - {id: pull-tpot, metric: tpot, stat: mean, arm: pull, where: {request_rate: 8}, value: 10.4, unit: ms}
"""


@cases(
    (
        POINTS
        + """
claims:
  - id: heavy
    kind: measured
    says: "Push was 5x faster to the first token."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
        "says 5x",
    ),
    (
        POINTS
        + """
claims:
  - id: heavy
    kind: measured
    says: "Push was 3.5 times faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
        "says 3.5 times",
    ),
    (
        POINTS
        + """
claims:
  - id: heavy
    kind: measured
    says: "Push brought the first token from 1744 ms to 450 ms."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
        "450 ms",
    ),
    (
        POINTS
        + """
claims:
  - id: heavy
    kind: measured
    says: "Push saved 2.7 s."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
        "2.7 s",
    ),
    (
        POINTS
        + """
claims:
  - id: heavy
    kind: measured
    says: "Push cut TTFT by 80 %."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
        "80 %",
    ),
    (
        POINTS
        + """
claims:
  - id: heavy
    kind: measured
    says: "Push cut TTFT by about 50%."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
        "50%",
    ),
    (
        POINTS
        + """
claims:
  - id: heavy
    kind: measured
    says: "Push was more than 4x faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
        "4x",
    ),
    (
        POINTS
        + """
claims:
  - id: heavy
    kind: measured
    says: "Push needed less than 20% of pull's time."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
        "20%",
    ),
    (
        POINTS
        + """
claims:
  - id: heavy
    kind: measured
    says: "Between 4x and 6x faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
        "4x",
    ),
    (
        POINTS
        + """
claims:
  - id: heavy
    kind: measured
    says: "Push was 2 to 2.5x faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
        "2 to 2.5x",
    ),
    (
        POINTS
        + """
claims:
  - id: heavy
    kind: measured
    says: "At 8 req/s push waited 1,540 ms."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
        "1,540 ms",
    ),
    (
        """
claims:
  - id: heavy
    kind: measured
    says: "Push was 5x faster."
    effect: {form: order, metric: ttft, arm: push, against: pull}
""",
        "says 5x",
    ),
    (
        """
points:
  - {id: r, metric: ttft, arm: push, against: pull, reported: improvement-factor, value: 3, unit: x}
claims:
  - id: heavy
    kind: measured
    says: "Push is 4x faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [r]}
""",
        "4x",
    ),
    (
        """
language: pt
points:
  - {id: push-ttft, metric: ttft, stat: mean, arm: push, where: {request_rate: 8}, value: 540, unit: ms}
  - {id: pull-ttft, metric: ttft, stat: mean, arm: pull, where: {request_rate: 8}, value: 1744, unit: ms}
  - {id: push-tpot, metric: tpot, stat: mean, arm: push, where: {request_rate: 8}, value: 7, unit: ms}
  - {id: pull-tpot, metric: tpot, stat: mean, arm: pull, where: {request_rate: 8}, value: 10.4, unit: ms}
claims:
  - id: heavy
    kind: measured
    says: "O push foi 5,5 vezes mais rápido."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
        "5,5 vezes",
    ),
    (
        """
language: ja
points:
  - {id: push-ttft, metric: ttft, stat: mean, arm: push, where: {request_rate: 8}, value: 540, unit: ms}
  - {id: pull-ttft, metric: ttft, stat: mean, arm: pull, where: {request_rate: 8}, value: 1744, unit: ms}
  - {id: push-tpot, metric: tpot, stat: mean, arm: push, where: {request_rate: 8}, value: 7, unit: ms}
  - {id: pull-tpot, metric: tpot, stat: mean, arm: pull, where: {request_rate: 8}, value: 10.4, unit: ms}
claims:
  - id: heavy
    kind: measured
    says: "pushは5倍速かった。"
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
        "5倍",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A figure of a measured claim stands in its points."""
    fires("says-another-number", fragment, says)


@rows(
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "Push was 3x faster to the first token."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "Push was 3.2x faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "Push was 3.23 times faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "Push was about 3.3x faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "Push was nearly 3.5x faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "Push was more than 3x faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "Push needed about a third of pull's time."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "Push needed 31% of pull's time."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "Push needed less than a third, under 32 %."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "Push brought TTFT down by 69 %."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "Pull took 223 % longer."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "The first token came 1204 ms earlier, 1.2 s."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "From 1744 ms down to 540 ms."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "From about 1,700 ms to 540 ms."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "From 1.74 s to 0.54 s."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "TPOT went from 10.4 ms to 7 ms as well."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "3x faster, once the noise floor of 5 % is taken off."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "vLLM 0.24.0 with NIXL 1.3.1 and 1P1D: push was faster at P99."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "In #35264 and PR 45211 of 2026-10-19 push was faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "With 16000 tokens in and 128 tokens out push was faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "With 4096-token prompts at 8 req/s push was faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "On 8x H200 and 2 x 8 GPUs push was faster; 16 x 200 Gb/s links."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "With 2x more requests push was still faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "With 4x the load push was still faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "At a hit rate of 50% push was faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "With 90% cache hits push was faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "For 95% of requests push was faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "At 80% utilisation push was faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "A lease of 30 s and a timeout of 480 s did not matter."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "With the TTL of 480 s, checked every 20 s, push was faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "Within a TTFT limit of 200 ms push was faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "After 3600 s push was still faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "The 95% confidence interval excludes zero."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "Above 4 ms nothing changed."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
noise: {stated: "yes", value: 4, unit: ms}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: mechanism
    says: "Push was faster at 2x."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: hypothesis
    says: "Push would be 5x faster."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    """
points:
  - {id: r, metric: ttft, arm: push, against: pull, reported: improvement-factor, value: 3, unit: x}
claims:
  - id: heavy
    kind: measured
    says: "Up to 3x better."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [r]}
""",
    """
points:
  - {id: r, metric: tpot, arm: push, against: pull, reported: percent-improvement, value: 30, unit: '%'}
claims:
  - id: heavy
    kind: measured
    says: "Up to 30 % better per token."
    effect: {form: ratio, metric: tpot, arm: push, against: pull, points: [r]}
""",
    """
points:
  - {id: r, metric: ttft, arm: push, against: pull, reported: percent-change, value: -12.5, unit: '%'}
claims:
  - id: heavy
    kind: measured
    says: "Latency fell by 12.5 %."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [r]}
""",
    """
claims:
  - id: heavy
    kind: measured
    says: "At most 15 % slower."
    effect: {form: bound, metric: ttft, arm: push, at_most: 15, unit: '%'}
""",
    POINTS
    + """
claims:
  - id: heavy
    kind: measured
    says: "At a rate of 8 req/s, with 25 % of it reused."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
    conditions: [{key: decode.hit_rate, value: '0.25', why: w}]
""",
    """
language: pt
points:
  - {id: push-ttft, metric: ttft, stat: mean, arm: push, where: {request_rate: 8}, value: 540, unit: ms}
  - {id: pull-ttft, metric: ttft, stat: mean, arm: pull, where: {request_rate: 8}, value: 1744, unit: ms}
  - {id: push-tpot, metric: tpot, stat: mean, arm: push, where: {request_rate: 8}, value: 7, unit: ms}
  - {id: pull-tpot, metric: tpot, stat: mean, arm: pull, where: {request_rate: 8}, value: 10.4, unit: ms}
claims:
  - id: heavy
    kind: measured
    says: "O push foi 3,2 vezes mais rápido: de 1.744 ms para 540 ms."
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
    """
language: ja
points:
  - {id: push-ttft, metric: ttft, stat: mean, arm: push, where: {request_rate: 8}, value: 540, unit: ms}
  - {id: pull-ttft, metric: ttft, stat: mean, arm: pull, where: {request_rate: 8}, value: 1744, unit: ms}
  - {id: push-tpot, metric: tpot, stat: mean, arm: push, where: {request_rate: 8}, value: 7, unit: ms}
  - {id: pull-tpot, metric: tpot, stat: mean, arm: pull, where: {request_rate: 8}, value: 10.4, unit: ms}
claims:
  - id: heavy
    kind: measured
    says: "pushは約3倍速く、1744ミリ秒から540ミリ秒になった。"
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
""",
)
def test_is_quiet(fragment: str) -> None:
    """Rounding, ratios, differences and figures of something else stand."""
    quiet("says-another-number", fragment)


def test_a_translation_is_held_to_the_originals_points() -> None:
    """A figure that got lost in translation is found."""
    original = (
        POINTS
        + """
claims:
  - id: heavy
    kind: measured
    says: Push was 3x faster.
    effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}
"""
    )
    head = "# entries/evaluations/it.ja.md\ntranslates: it\nlanguage: ja\ntitle: t\n"
    fires("says-another-number", head + "claims: [{id: heavy, says: pushは5倍速かった。}]", "5倍", original)
    quiet("says-another-number", head + "claims: [{id: heavy, says: pushは3倍速かった。}]", original)
