"""Writing SVG: elements with classes only, so that a strict content policy holds and the sheet gives colours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from html import escape
from unicodedata import east_asian_width

from kb.site.body import plain

SIZE = 12.5
"""Size of letters, in the drawing's units; a drawing is never shown so small that these fall below 11 pixels."""
LINE = 17.0
"""From one line of text to the next."""

Shape = tuple[float, float, str]
"""Where a shape begins, seen from its middle, and its path from there on."""

_THIN, _WIDE = set("ijlIt.,:;|'!()[]{}/- f1r"), set("mwMW@%≈")


class Sheet:
    """One drawing being made: `width` is given, the height is what was used."""

    def __init__(self, width: float, name: str, narrow: bool) -> None:
        """`name` begins every id in it; `narrow` is the drawing for phones, where no pointer rests on a mark."""
        self.width = width
        self.name = name
        self.narrow = narrow
        self.parts: list[str] = []
        self.links: list[str] = []
        """What can be followed, on top of everything else and in the order in which it is reached by keyboard."""
        self._lines = (0, "")
        """How many parts there were after the last straight line, and its class."""

    def add(self, tag: str, cls: str = "", tip: str = "", **attributes: float | str) -> None:
        """One element; `tip` is shown where a pointer rests on it."""
        inside = f"<title>{text(tip)}</title>" if tip and not self.narrow else ""
        end = f">{inside}</{tag}>" if inside else "/>"
        self.parts.append(f"<{tag}{_class(cls)}{_attributes(attributes)}{end}")

    def line(self, x1: float, y1: float, x2: float, y2: float, cls: str) -> None:
        """A straight line; one after another of a class they are one path."""
        drawn = stroke(x1, y1, x2, y2)
        if self._lines == (len(self.parts), cls):
            self.parts[-1] = f'{self.parts[-1][:-3]}{drawn}"/>'
        else:
            self.parts.append(f'<path{_class(cls)} d="{drawn}"/>')
            self._lines = (len(self.parts), cls)

    def shape(self, x: float, y: float, drawn: Shape, cls: str, tip: str = "") -> None:
        """A shape around a place."""
        dx, dy, rest = drawn
        self.add("path", cls, tip, d=f"M{number(x + dx)} {number(y + dy)}{rest}")

    def rect(self, x: float, y: float, width: float, height: float, cls: str, tip: str = "") -> None:
        """A rectangle."""
        self.add("rect", cls, tip, x=x, y=y, width=width, height=height)

    def text(
        self, x: float, y: float, words: str, cls: str = "", anchor: str = "start", most: float | None = None
    ) -> None:
        """A line of text, cut when it is longer than `most`."""
        shown = cut(words, most) if most is not None else plain(words)
        cls = f"{cls} {anchor}".lstrip() if anchor != "start" else cls
        whole = f"<title>{text(words)}</title>" if most is not None and shown != plain(words) else ""
        self.parts.append(f'<text{_class(cls)} x="{number(x)}" y="{number(y)}">{text(shown)}{whole}</text>')

    def lines(self, x: float, y: float, words: str, most: float, cls: str = "") -> float:
        """Text over several lines; the next free baseline."""
        for row in wrapped(words, most / 1.12 if cls == "strong" else most):
            self.text(x, y, row, cls)
            y += LINE
        return y

    def link(self, href: str, label: str, x: float, y: float, radius: float = 11.0) -> None:
        """A place that leads on; `label` is read out and shown where a pointer rests on it."""
        said, place = text(label), f'cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
        tip = "/>" if self.narrow else f"><title>{said}</title></circle>"
        spot = f'<circle class="spot" {place}{tip}'
        self.links.append(f'<a href="{text(href)}" aria-label="{said}">{spot}</a>')

    @contextmanager
    def group(self, cls: str, tip: str = "") -> Iterator[None]:
        """Elements that belong together."""
        self.parts.append(f"<g{_class(cls)}>" + (f"<title>{text(tip)}</title>" if tip and not self.narrow else ""))
        yield
        self.parts.append("</g>")


def stroke(x1: float, y1: float, x2: float, y2: float) -> str:
    """A straight line as a piece of a path."""
    a, b, c, d = map(number, (x1, y1, x2, y2))
    return f"M{a} {b}V{d}" if a == c else f"M{a} {b}H{c}" if b == d else f"M{a} {b}L{c} {d}"


@lru_cache(maxsize=65536)
def number(value: float) -> str:
    """A coordinate: one digit after the point, the same on every machine."""
    rounded = f"{value:.1f}".removesuffix(".0")
    return "0" if rounded == "-0" else rounded


@lru_cache(maxsize=4096)
def text(words: str) -> str:
    """Text as SVG: escaped, without what would steer or turn it."""
    found = plain(words)
    return escape(found if found.isprintable() else "".join(each for each in found if each >= " "), quote=True)


def _class(cls: str) -> str:
    return f' class="{cls}"' if cls else ""


def _attributes(attributes: dict[str, float | str]) -> str:
    return "".join(
        f' {name.replace("_", "-")}="{each if isinstance(each, str) else number(each)}"'
        for name, each in attributes.items()
    )


@lru_cache(maxsize=4096)
def wide(words: str, strong: bool = False) -> float:
    """How wide a text is, about: fonts differ, so this is on the safe side."""
    return SIZE * (1.12 if strong else 1) * sum(_share(each) for each in words)


def _share(letter: str) -> float:
    if east_asian_width(letter) in "WF":
        return 1.0
    return 0.42 if letter in _THIN else 0.96 if letter in _WIDE else 0.72 if letter.isupper() else 0.64


def cut(words: str, most: float) -> str:
    """A text that is not wider than `most`."""
    words = plain(words)
    if wide(words) <= most:
        return words
    while words and wide(f"{words}…") > most:
        words = words[:-1]
    return f"{words.rstrip()}…"


def wrapped(words: str, most: float) -> list[str]:
    """A text as lines not wider than `most`, broken at spaces; a word that is wider is cut."""
    rows, row = [], ""
    for word in words.split():
        if row and wide(f"{row} {word}") > most:
            rows.append(row)
            row = word
        else:
            row = f"{row} {word}".strip()
    return [cut(each, most) for each in [*rows, row] if each]
