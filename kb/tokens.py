"""One tokenizer for every index: text -> parts in order, and names (whole identifiers, versions, surface forms).

Chosen per run of characters, never per document, because documents mix languages:

* Japanese, Chinese, Korean run -> overlapping pairs of characters (a single character alone); a katakana word of four
  and more loses its trailing long-vowel mark (サーバー = サーバ). Segmenters cut query and document differently.
* Other run -> without accents and case; an identifier gives its parts (camelCase, `_ - .`, letter/digit) and, as a
  name, its whole form without separators: NixlPushConnector = nixl_push_connector = "nixl push connector".
* Version -> its numbers, and as names itself and its prefixes: `v0.11.0` = `0.11.0`, and `0.11` finds it while
  `1.0.11` does not match.
* Plurals are folded lightly (English, Portuguese); the surface form stays as a name, for `prefix*` and spelling.

No stop words, no minimum length. A twin in JavaScript, for the site, has to follow the same rules.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from operator import add
from typing import NamedTuple

VERSION = 1
"""Goes up with every change of what this module returns; an index made by another version is rebuilt."""

GAP = "\ue000"
"""A token nobody can type: keeps phrases from reaching over the end of a run, a sentence or a value."""

# Japanese, Chinese and Korean letters, first and last.
_CJK_RANGES = (
    (0x1100, 0x11FF), (0x3005, 0x3007), (0x3041, 0x3096), (0x3099, 0x309F), (0x30A1, 0x30FA), (0x30FC, 0x30FF),
    (0x3130, 0x318F), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)  # fmt: skip
_CJK_EDGES = [edge for first, last in _CJK_RANGES for edge in (first, last + 1)]
_CJK = "".join(f"{chr(first)}-{chr(last)}" for first, last in _CJK_RANGES)
_RUN = re.compile(r"[^\W_]+(?:[._-]{1,2}[^\W_]+)*")
_LONG_VOWEL = re.compile(r"([\u30a1-\u30fa\u30fc]{3,})\u30fc(?![\u30a1-\u30fa\u30fc])")
_VERSION = re.compile(r"[vV]?(\d+(?:\.\d+)+)(.*)")
_RELEASE = re.compile(r"(?:[._-]?(?:a|b|c|rc|alpha|beta|post|dev|pre)[._-]?\d*)*", re.IGNORECASE)
_PIECE = re.compile(r"\d+|[A-Z]{2,}s(?![a-z])|[a-z]?[A-Z]+(?=[A-Z][a-z])|[a-z]?[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]+")
_FOREIGN_PIECE = re.compile(r"\d+|[^\W\d_]+")
_SQUASH = re.compile(r"[_-]+|(?<!\d)\.|\.(?!\d)")
_SEPARATORS = re.compile(r"[_-]+")
_NAME_LIMIT = 80


class Token(NamedTuple):
    """One part and where it stands in the text; the pairs of a Japanese run overlap."""

    text: str
    start: int
    end: int
    run: int | None = None
    """Number of the run it is part of; None in a Japanese run, which can be cut anywhere."""


class Unit(NamedTuple):
    """What one run of a query asks for: any of `names`, or (where given) the parts as a phrase."""

    parts: tuple[str, ...]
    name: str | None
    exact: bool = False
    """Only the name will do: versions, but not `10.4ms`."""


class Analysed(NamedTuple):
    """A text as the index sees it."""

    parts: list[str]
    names: list[str]
    runs: list[str]
    """The runs it was cut from, as written."""


def fold(text: str) -> str:
    """Text without width, case and accent differences; Japanese voicing marks stay. Folding twice changes nothing."""
    text = unicodedata.normalize("NFKC", text)
    if text.isascii():
        return text.casefold()
    folded = "".join(_bare(c) if c < "\u1100" else c for c in unicodedata.normalize("NFC", text))
    return unicodedata.normalize("NFKC", folded)


def tokens(text: str) -> list[str]:
    """Parts of a text in order, with GAP between neighbouring Japanese runs."""
    return analyse(text).parts


def names(text: str) -> list[str]:
    """Whole forms in a text: identifiers, versions and their prefixes, surface forms of folded plurals."""
    return analyse(text).names


def analyse(text: str) -> Analysed:
    """Parts and names of a text in one pass."""
    runs = _RUN.findall(unicodedata.normalize("NFKC", text))
    if text.isascii():
        found = [*map(_word, runs)]
        return Analysed([p for w in found for p in w[0]], [n for w in found if w[1] for n in w[1]], runs)
    parts: list[str] = []
    names: list[str] = []
    after_cjk = False
    for run in runs:
        if not run.isascii():
            after_cjk = _analyse_mixed(run, after_cjk, parts, names)
            continue
        word = _word(run)
        parts += word.parts
        if word.names:
            names += word.names
        after_cjk = False
    return Analysed(parts, names, runs)


def _analyse_mixed(run: str, after_cjk: bool, parts: list[str], names: list[str]) -> bool:
    """The same for a run with other than ASCII letters; whether it ends in a Japanese one."""
    for match in _mixed().finditer(run):
        is_cjk = match[1] is not None
        if is_cjk and after_cjk:
            parts.append(GAP)
        each = _cjk(match[0]) if is_cjk else _word(match[0])
        parts += each.parts
        names += each.names
        after_cjk = is_cjk
    return after_cjk


def words(runs: Iterable[str]) -> set[str]:
    """Words of runs as written (folded, plurals kept) with parts and names, for spelling; no Japanese pairs."""
    return {word for run in runs for each in _word_runs(run) for word in _word(each).words}


def _word_runs(run: str) -> list[str]:
    """The runs of letters and digits in a run, without Japanese ones."""
    return [run] if run.isascii() else [match[0] for match in _mixed().finditer(run) if match[1] is None]


def units(text: str) -> list[Unit]:
    """What a query text asks for, one unit a run."""
    return [_unit(match[0], is_cjk) for match, is_cjk in _runs(unicodedata.normalize("NFKC", text))]


def spans(text: str) -> list[Token]:
    """Parts with their places in `text` as given; for snippets and for finding terms inside a query."""
    if unicodedata.is_normalized("NFKC", text):
        return list(_tokens(text))
    flat, places = _normal(text)
    return [
        Token(token, places[start], max(places[end], places[end - 1] + 1), run)
        for token, start, end, run in _tokens(flat)
    ]


def _tokens(text: str) -> Iterator[Token]:
    for number, (match, is_cjk) in enumerate(_runs(text)):
        for placed in _placed(match, is_cjk):
            yield Token(*placed, None if is_cjk else number)


def squash(text: str) -> str:
    """A name without case, accents, width and separators: the key under which two spellings are the same."""
    runs = _runs(unicodedata.normalize("NFKC", text))
    words = (_LONG_VOWEL.sub(r"\1", m[0]) if is_cjk else _squash(_strip(m[0])) for m, is_cjk in runs)
    return "".join(_without_v(word) for word in words)


def _runs(text: str) -> Iterator[tuple[re.Match[str], bool]]:
    """Runs of a text and whether each is Japanese, Chinese or Korean."""
    for match in _RUN.finditer(text):
        if match[0].isascii():
            yield match, False
        else:
            yield from _cut(text, match.start(), match.end())


def _cut(text: str, start: int, end: int) -> Iterator[tuple[re.Match[str], bool]]:
    """A run cut where its script changes. Letter by letter: a pattern for it takes 6 ms to compile."""
    for is_cjk, letters in groupby(range(start, end), key=lambda at: bisect_right(_CJK_EDGES, ord(text[at])) % 2 == 1):
        end = start + len(list(letters))
        yield from ((match, is_cjk) for match in _RUN.finditer(text, start, end))
        start = end


@lru_cache(1)
def _mixed() -> re.Pattern[str]:
    """Does the same in one pattern, for indexing: faster by the text, and 6 ms to compile."""
    letter = rf"[^\W_{_CJK}]"
    return re.compile(rf"([{_CJK}]+)|{letter}+(?:[._-]{{1,2}}{letter}+)*")


def _unit(run: str, is_cjk: bool) -> Unit:
    if is_cjk:
        return Unit(_cjk(run).parts, None)
    word = _word(run)
    version = _VERSION.fullmatch(run)
    if version and _RELEASE.fullmatch(version[2]):
        return Unit(word.parts, word.names[0], exact=True)
    return Unit(word.parts, word.whole)


class _Run(NamedTuple):
    parts: tuple[str, ...]
    names: tuple[str, ...] = ()
    whole: str | None = None
    words: tuple[str, ...] = ()
    pieces: tuple[tuple[str, int, int], ...] = ()


def _cjk(run: str) -> _Run:
    if "ー" in run:
        run = _LONG_VOWEL.sub(r"\1", run)
    return _Run(tuple(map(add, run, run[1:])) or (run,))


@lru_cache(1 << 16)
def _word(run: str) -> _Run:
    """Parts and names of one run without Japanese in it."""
    if run.islower() and run.isascii() and run.isalpha():
        part = _singular(run)
        return _Run((part,), () if part == run else (run,), None, (run,), ((part, 0, len(run)),))
    pieces = tuple(_pieces(run))
    parts = tuple(part for part, _, _ in pieces)
    names = tuple(dict.fromkeys(_names(_strip(run), parts)))
    words = names[:1] or parts
    return _Run(parts, names, _whole(run, parts), words if len(parts) == 1 else (*parts, *names), pieces)


def _whole(run: str, parts: tuple[str, ...]) -> str | None:
    return _without_v(_squash(_strip(run))) if len(parts) > 1 else None


def _pieces(run: str) -> Iterator[tuple[str, int, int]]:
    """Parts of a run with their places in it (places are exact where the run has no marks to strip)."""
    bare = _strip(run, lower=False)
    pattern = _PIECE if bare.isascii() else _FOREIGN_PIECE
    scale = len(run) == len(bare)
    for segment in re.finditer(r"[^_-]+", bare):
        version = _VERSION.fullmatch(segment[0])
        start = segment.start() + (1 if version and segment[0][0] in "vV" else 0)
        for piece in pattern.finditer(bare, start, segment.end()):
            place = piece.span() if scale else (0, len(run))
            yield (_part(piece[0]), *place)


def _part(piece: str) -> str:
    if len(piece) > 2 and piece[-1] == "s" and piece[:-1].isupper():
        return piece[:-1].casefold()
    return _singular(piece.casefold())


def _names(run: str, parts: tuple[str, ...]) -> Iterator[str]:
    """Whole forms of a run: the run, each of its segments, and of versions every prefix."""
    segments = _SEPARATORS.split(run)
    if len(parts) > 1 or run != parts[0]:
        yield _without_v(_squash(run))[:_NAME_LIMIT]
    for segment in segments:
        version = _VERSION.fullmatch(segment)
        if version:
            yield from _version_names(version[1], version[2])
        elif len(segments) > 1 and segment not in parts:
            yield _squash(segment)[:_NAME_LIMIT]


def _version_names(numbers: str, rest: str) -> Iterator[str]:
    if rest:
        yield numbers + _squash(rest)
    pieces = numbers.split(".")
    for end in range(len(pieces), 1, -1):
        yield ".".join(pieces[:end])


def _without_v(name: str) -> str:
    return name[1:] if len(name) > 3 and name[0] == "v" and _VERSION.fullmatch(name) else name


def _squash(run: str) -> str:
    return _SQUASH.sub("", run)


def _strip(run: str, lower: bool = True) -> str:
    """Without accents (and case)."""
    if run.isascii():
        return run.casefold() if lower else run
    bare = "".join(c for c in unicodedata.normalize("NFD", run) if unicodedata.category(c) != "Mn")
    return fold(bare) if lower else unicodedata.normalize("NFC", bare)


def _bare(char: str) -> str:
    kept = "".join(c for c in unicodedata.normalize("NFD", char) if unicodedata.category(c) != "Mn")
    folded = kept.casefold()
    return "".join(c for c in unicodedata.normalize("NFD", folded) if unicodedata.category(c) != "Mn")


# (ending, what it becomes, shortest word it applies to). Order matters; first match wins.
_ENDINGS = (
    ("oes", "ao", 5),  # conclusões -> conclusão
    ("aes", "ao", 5),  # pães -> pão
    ("eis", "el", 5),  # níveis -> nível
    ("ais", "al", 5),  # canais -> canal
    ("ies", "y", 5),  # latencies -> latency
    ("sses", "ss", 5),  # processes -> process
    ("xes", "x", 4),  # indexes -> index
    ("shes", "sh", 5),  # pushes -> push
    ("tches", "tch", 6),  # batches -> batch
    ("pus", "pu", 4),  # gpus -> gpu
    ("ss", "ss", 4),
    ("us", "us", 4),
    ("is", "is", 4),
    ("s", "", 4),
)
_NASAL = ("agem", "igem", "ugem", "rdem", "uvem", "omem", "item")


@lru_cache(1 << 16)
def _singular(word: str) -> str:
    """A word without its plural; not a stem, only what makes singular and plural meet."""
    if len(word) < 4 or not word.isalpha() or word > "\u02ff":
        return word
    for _ in range(3):
        shorter = _final_e(_ending(word))
        if shorter == word:
            break
        word = shorter
    return word


def _ending(word: str) -> str:
    for ending, becomes, shortest in _ENDINGS:
        if len(word) >= shortest and word.endswith(ending):
            word = word[: -len(ending)] + becomes
            break
    return word[:-1] + "n" if word.endswith(_NASAL) else word  # imagem, imagens


def _final_e(word: str) -> str:
    """Drops a final e of longer words, so that servidores meets servidor and approaches meets approach."""
    return word[:-1] if len(word) > 5 and word[-1] == "e" else word


def _placed(match: re.Match[str], is_cjk: bool) -> list[tuple[str, int, int]]:
    start = match.start()
    if not is_cjk:
        return [(part, start + a, start + b) for part, a, b in _word(match[0]).pieces]
    run = _LONG_VOWEL.sub("\\1\0", match[0])
    places = [i for i, c in enumerate(run) if c != "\0"]
    pairs = [places[i : i + 2] for i in range(max(1, len(places) - 1))]
    return [("".join(match[0][p] for p in pair), start + pair[0], start + pair[-1] + 1) for pair in pairs]


def _normal(text: str) -> tuple[str, list[int]]:
    """Text in NFKC and, for each of its characters, the place in `text` it came from."""
    flat: list[str] = []
    places: list[int] = []
    for cluster in re.finditer(r".[\u0300-\u036f\u3099\u309a\uff9e\uff9f]*", text, re.DOTALL):
        normal = unicodedata.normalize("NFKC", cluster[0])
        flat.append(normal)
        places.extend([cluster.start()] * len(normal))
    places.append(len(text))
    return "".join(flat), places
