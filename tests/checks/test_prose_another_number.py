"""KB132 prose-another-number."""

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
---
Push brought TTFT down to 450 ms.
""",
        "450 ms stands beside ttft",
    ),
    (
        POINTS
        + """
---
What it shows.

The time to first token was 5x better.
""",
        "5x",
    ),
    (
        """
title: Push cuts TTFT by 90%
points:
  - {id: push-ttft, metric: ttft, stat: mean, arm: push, where: {request_rate: 8}, value: 540, unit: ms}
  - {id: pull-ttft, metric: ttft, stat: mean, arm: pull, where: {request_rate: 8}, value: 1744, unit: ms}
  - {id: push-tpot, metric: tpot, stat: mean, arm: push, where: {request_rate: 8}, value: 7, unit: ms}
  - {id: pull-tpot, metric: tpot, stat: mean, arm: pull, where: {request_rate: 8}, value: 10.4, unit: ms}
""",
        "90%",
    ),
    (POINTS + "limits: [TPOT rose by 80 % in one run.]", "80 %"),
    (
        POINTS
        + """
---
TPOT fell from 10.4 ms to 9 ms.
""",
        "9 ms",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A figure beside a metric's name stands in a point of that metric."""
    fires("prose-another-number", fragment, says)


@rows(
    POINTS
    + """
---
Push brought TTFT down from 1744 ms to 540 ms, about 3x.
""",
    POINTS
    + """
---
TPOT went from 10.4 ms to 7 ms, a third less: 33 %.
""",
    POINTS
    + """
---
The pull request's own table has TTFT at 450 ms.
""",
    POINTS
    + """
---
See [another measurement](shared-result): TTFT 450 ms.
""",
    POINTS
    + """
---
In #35264 TTFT was 450 ms.
""",
    POINTS
    + """
---
```
TTFT 450 ms
```
""",
    POINTS
    + """
---
| TTFT | 450 ms |
|---|---|
| TTFT | 12 ms |
""",
    POINTS
    + """
---
TTFT and TPOT fell by 50 % each.
""",
    POINTS
    + """
---
TTFT was judged at 8 req/s with a lease of 30 s.
""",
    POINTS
    + """
---
ITL of 12 ms is not in the points at all.
""",
    POINTS
    + """
---
A timeout of 480 s is long. TTFT is short.
""",
    POINTS
    + """
---
TTFT for 95% of requests stayed in the range.
""",
    POINTS
    + """
---
P99 TTFT on 8x H200 with vLLM 0.24.0 on 2026-10-19.
""",
    """
---
TTFT was 450 ms, says a record without points.
""",
)
def test_is_quiet(fragment: str) -> None:
    """Rounded figures, other figures, quotations, code, tables and sentences about two metrics stand."""
    quiet("prose-another-number", fragment)
