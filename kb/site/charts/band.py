"""Outcomes of one claim over releases: a band with a sign for each stretch, and the stretches in words below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from kb.site.charts.chart import Chart, chart
from kb.site.charts.outcomes import SIGNS, Judged, because, confirm, outcome, sign, word
from kb.site.charts.svg import LINE, Sheet, wide
from kb.versions import parse
from kb.vocabulary import Outcome

HIGH = 30.0


class Stretch(NamedTuple):
    """Neighbouring releases with one outcome."""

    outcome: Outcome
    confirm: bool
    releases: tuple[str, ...]
    because: str

    @property
    def name(self) -> str:
        """From which to which."""
        first, last = self.releases[0], self.releases[-1]
        return first if first == last else f"{first} to {last}"


def version_band(
    verdicts: Sequence[tuple[str, Judged]], prefix: str = "version-band", title: str = "Outcome by release"
) -> Chart | None:
    """Release by release, in their order. None without any."""
    ordered = sorted(verdicts, key=_order)
    if not ordered:
        return None
    found = list(_stretches(ordered))

    def paint(sheet: Sheet) -> float:
        return _words(sheet, _band(sheet, found, len(ordered)), found)

    rows = [
        (release, f"{SIGNS[outcome(each)]} {word(outcome(each))}", "yes" if confirm(each) else "", because(each))
        for release, each in ordered
    ]
    caption = ["Every release that was asked about is as wide as any other, whenever it came out."]
    caption += ["Dotted: a person must confirm."] if any(each.confirm for each in found) else []
    says = "; ".join(f"{each.name}: {word(each.outcome)}" for each in found)
    columns = ("release", "outcome", "to be confirmed", "because")
    return chart("version_band", title, caption, (columns, rows), paint, f"{says}.", prefix)


def _order(pair: tuple[str, Judged]) -> tuple[bool, object]:
    """Versions in their order, then what is none as it is written."""
    version = parse(pair[0])
    return (False, version) if version else (True, pair[0])


def _stretches(ordered: Iterable[tuple[str, Judged]]) -> Iterable[Stretch]:
    for (result, ask), those in groupby(ordered, key=lambda pair: (outcome(pair[1]), confirm(pair[1]))):
        alike = list(those)
        yield Stretch(result, ask, tuple(release for release, _ in alike), because(alike[0][1]))


def _band(sheet: Sheet, found: Sequence[Stretch], many: int) -> float:
    step = sheet.width / many
    x = 0.0
    for each in found:
        width = step * len(each.releases)
        ask = " ask" if each.confirm else ""
        sheet.rect(
            x + 0.5,
            1,
            max(width - 1, 1),
            HIGH,
            f"stretch fill-{each.outcome.value}{ask}",
            f"{each.name}: {word(each.outcome)}",
        )
        for n in range(1, len(each.releases)):
            sheet.line(x + n * step, 1, x + n * step, 6, "notch")
        label = f"{SIGNS[each.outcome]} {word(each.outcome)}"
        if wide(label) < width - 6:
            sheet.text(x + width / 2, HIGH / 2 + 5, label, "on", "middle")
        elif width > 13:
            sheet.text(x + width / 2, HIGH / 2 + 5, SIGNS[each.outcome], "on", "middle")
        x += width
    first, last = found[0].releases[0], found[-1].releases[-1]
    sheet.text(0, HIGH + 17, first, "tick")
    if first != last:
        sheet.text(sheet.width, HIGH + 17, last, "tick", "end")
    return HIGH + 26


def _words(sheet: Sheet, top: float, found: Sequence[Stretch]) -> float:
    left = 22.0
    for each in found:
        sign(sheet, 8, top + 13, each.outcome)
        ask = ", to be confirmed" if each.confirm else ""
        count = f" ({len(each.releases)} releases)" if len(each.releases) > 1 else ""
        sheet.text(left, top + 13, f"{word(each.outcome)}{ask}", "strong")
        at = left + wide(f"{word(each.outcome)}{ask}", True) + 10
        sheet.text(at, top + 13, f"{each.name}{count}", "", most=sheet.width - at)
        top += LINE
        if each.because:
            top = sheet.lines(left, top + 13, each.because, sheet.width - left, "soft") - 13
        top += 4
    return top
