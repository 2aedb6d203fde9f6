# ruff: noqa: E501  rows read better unbroken
"""KB153 hedged-measurement."""

from . import cases, fires, quiet, rows


@cases(
    (
        "claims: [{id: c, kind: measured, says: Push should win with several decoders., effect: {form: order, metric: ttft, arm: push, against: pull, better: push}}]",
        'says "should"',
    ),
    (
        "claims: [{id: c, kind: measured, says: Push is expected to win., effect: {form: order, metric: ttft, arm: push, against: pull, better: push}}]",
        "is expected to",
    ),
    (
        "claims: [{id: c, kind: measured, says: The gain is probably due to the writer thread., effect: {form: order, metric: ttft, arm: push, against: pull, better: push}}]",
        "probably",
    ),
    (
        "claims: [{id: c, kind: measured, says: We believe that push wins., effect: {form: order, metric: ttft, arm: push, against: pull, better: push}}]",
        "We believe",
    ),
    (
        "claims: [{id: c, kind: measured, says: O push provavelmente vence., effect: {form: order, metric: ttft, arm: push, against: pull, better: push}}]",
        "provavelmente",
    ),
    (
        "claims: [{id: c, kind: measured, says: pushの方が速いと考えられる。, effect: {form: order, metric: ttft, arm: push, against: pull, better: push}}]",
        "と考えられる",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """What is measured does not suppose."""
    fires("hedged-measurement", fragment, says)


@rows(
    "claims: [{id: c, kind: measured, says: Push needed about a third of the time., effect: {form: order, metric: ttft, arm: push, against: pull, better: push}}]",
    "claims: [{id: c, kind: measured, says: The best improvement is reported as a factor., effect: {form: order, metric: ttft, arm: push, against: pull, better: push}}]",
    "claims: [{id: c, kind: measured, says: Push was ahead by roughly 3x and may not be repeated lightly., effect: {form: order, metric: ttft, arm: push, against: pull, better: push}}]",
    "claims: [{id: c, kind: measured, says: The ratio should not be read as capacity., effect: {form: order, metric: ttft, arm: push, against: pull, better: push}}]",
    "claims: [{id: c, kind: measured, says: The shoulder of the curve moved; likelihoods were not looked at., effect: {form: order, metric: ttft, arm: push, against: pull, better: push}}]",
    "claims: [{id: c, kind: hypothesis, says: Push should win with several decoders., rests_on: [post-thread]}]",
    "claims: [{id: c, kind: mechanism, says: A later read would wait for the handshake., rests_on: [post-thread]}]",
)
def test_is_quiet(fragment: str) -> None:
    """Rounding, reporting, and claims that admit to supposing are fine."""
    quiet("hedged-measurement", fragment)
