"""kb.prose: figures in prose, and the numbers behind them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.evidence import Point
from kb.prose import figures, numbers_of, stands_behind


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("540 ms", [(540, 540, "ms")]),
        ("540ms and 1.7 s", [(540, 540, "ms"), (1.7, 1.7, "s")]),
        ("1,744 ms", [(1744, 1744, "ms")]),
        ("3x, 3 x, 3× and 3 times", [(3, 3, "x")] * 4),
        ("30%, 30 %, 30 per cent and 30 percent", [(30, 30, "%")] * 4),
        ("30 to 58 per cent", [(30, 58, "%")]),
        ("2–3x", [(2, 3, "x")]),
        ("about 3x", [(3, 3, "x")]),
        ("120 tokens/s", [(120, 120, "tok/s")]),
        ("-12.5 %", []),
        ("12.5 GB/s", [(12.5, 12.5, "GB/s")]),
        ("at 8 req/s", [(8, 8, "req/s")]),
    ],
)
def test_figures_have_ends_and_a_unit(text: str, found: list[tuple[float, float, str]]) -> None:
    """One number or a range; a sign belongs to something else."""
    assert [(each.low, each.high, each.unit) for each in figures(text)] == found


@pytest.mark.parametrize(
    "text",
    [
        "vLLM 0.24.0 and NIXL 1.3.1",
        "1P1D, 4P2D, P99, p50, KV8",
        "2026-10-19, 2026s, the 1990s",
        "#35264, PR 45211, issue 50913",
        "16000 tokens in, 128 tokens out, 4096-token prompts",
        "8x H200, 8xH200, 2 x 8 GPUs, 16 x 200 Gb/s"[:27],
        "4x the load, 2x more requests, 2x as many GPUs",
        "a hit rate of 50%, 90% cache hits, 80% utilisation, 95% of requests",
        "a timeout of 30 s, a lease of 30 s, 480 s TTL, every 20 s",
        "a noise floor of 5 %, a margin of 3 %, ±2 %",
        "about a third, half of it, twice as long",
        "Qwen3-32B, p5en.48xlarge, H100-80GB, fp8, TP4, 0x1F",
        "https://example.org/30x/40ms",
        "3xyz, 5mss, 7%s",
        "",
    ],
)
def test_what_is_no_figure_of_a_result(text: str) -> None:
    """Versions, lengths, names, dates and figures of something else."""
    assert list(figures(text)) == []


@pytest.mark.parametrize(
    ("text", "value", "unit", "language"),
    [
        ("1.744 ms", 1744, "ms", "pt"),
        ("10,4 ms", 10.4, "ms", "pt"),
        ("3,2 vezes", 3.2, "x", "pt"),
        ("約3倍", 3, "x", "ja"),
    ],
)
def test_figures_in_other_languages(text: str, value: float, unit: str, language: str) -> None:
    """Portuguese writes the comma for the point."""
    assert [(each.low, each.unit) for each in figures(text, language)] == [(value, unit)]


@pytest.mark.parametrize(
    ("text", "value", "unit", "given"),
    [
        ("3x", 3.23, "x", True),
        ("3x", 3.6, "x", True),
        ("3x", 4.1, "x", False),
        ("3.2x", 3.23, "x", True),
        ("3.2x", 3.31, "x", False),
        ("3.23x", 3.24, "x", False),
        ("1700 ms", 1744, "ms", True),
        ("1700 ms", 1.744, "s", True),
        ("1744 ms", 1745, "ms", False),
        ("about 3x", 3.3, "x", True),
        ("about 3x", 3.5, "x", True),
        ("about 3x", 4.5, "x", False),
        ("more than 3x", 3.9, "x", True),
        ("more than 4x", 3.23, "x", False),
        ("up to 4x", 3.23, "x", True),
        ("up to 3x", 4.2, "x", False),
        ("30 to 58 %", 44, "%", True),
        ("30 to 58 %", 60, "%", False),
    ],
)
def test_a_figure_may_round(text: str, value: float, unit: str, given: bool) -> None:
    """To its last place, up or down; words of comparison are taken at their word."""
    [figure] = figures(text)
    assert stands_behind(figure, text, [(value, unit)]) is given


def point(name: str, value: float, **more: object) -> Point:
    return Point.model_validate({"id": name, "metric": "ttft", "unit": "ms", "value": value, **more})


def test_numbers_of_a_pair() -> None:
    """Values, difference, ratios both ways and percentages."""
    known = [(round(value, 2), unit) for value, unit in numbers_of([point("a", 540), point("b", 1744)])]
    assert {(540, "ms"), (1744, "ms"), (1204, "ms"), (0.31, "x"), (3.23, "x"), (69.04, "%"), (222.96, "%")} <= set(
        known
    )


def test_numbers_of_a_reported_comparison() -> None:
    """As it is reported and as it may be worded."""
    reported = point("r", 30, unit="%", arm="a", against="b", reported="percent-improvement")
    known = [(round(value, 2), unit) for value, unit in numbers_of([reported])]
    assert {(30, "%"), (0.7, "x"), (1.43, "x")} <= set(known)


@given(st.text())
def test_any_text_has_figures_or_none(text: str) -> None:
    """Reading raises nothing, in any language; figures lie where they are said to lie."""
    for language in ("en", "pt", "ja"):
        for figure in figures(text, language):
            assert text[figure.start : figure.end].strip() == figure.text
