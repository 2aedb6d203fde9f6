# ruff: noqa: E501  tables of damage read better unbroken
"""Damaged files: a sentence, or what could be read and what could not. Never a traceback, a hang, or a made-up number.

One small file of every format is cut at every hundredth of its length, its bytes are flipped, its values get other
types, its keys stand twice, and it is written in other encodings.
"""

from __future__ import annotations

import codecs
import json
import math
import random
import re
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from kb.importers import read_source
from kb.importers.findings import judged
from kb.importers.run import Imported, Run
from kb.importers.source import Source

FIXTURES = Path(__file__).parent / "fixtures"
LONGEST = 5.0
"""Seconds that one damaged file may take on a slow machine."""


def smallest() -> list[Path]:
    """Of every importer and kind of file the smallest fixture."""
    found: dict[tuple[str, str], Path] = {}
    for path in sorted(FIXTURES.rglob("*"), key=lambda path: path.stat().st_size if path.is_file() else 0):
        if path.is_file():
            found.setdefault((path.parent.name, path.suffix), path)
    return sorted(found.values())


FILES = smallest()
each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
OF_REQUESTS = {"lmcache-requests"}
"""Importers whose statistics are taken over the rows of a file."""
Key = tuple[int, str | None, str, str, str | None]


def read(data: bytes, path: Path) -> Imported:
    """What is made of these bytes; it takes no longer than it may, and keeps the contract."""
    started = time.monotonic()
    got = read_source(Source(path.name, BytesIO(data)))
    runs = judged(got.runs)
    json.dumps(Imported(runs, got.declined).as_dict(), allow_nan=False)
    assert time.monotonic() - started < LONGEST
    assert runs or got.declined
    assert all(each.why.strip() for each in got.declined)
    assert all(math.isfinite(point.value) for run in runs for point in run.points)
    return Imported(runs, got.declined)


def points(runs: tuple[Run, ...]) -> dict[Key, float]:
    return {
        (run.record, run.stage, point.metric, point.stat.value, point.definition): point.value
        for run in runs
        for point in run.points
    }


@each_file
def test_cut_anywhere(path: Path) -> None:
    """Each number that is still read is that of the whole file, or it is said that the end is missing.

    A table of requests that ends with a whole row is the table of fewer requests.
    """
    whole = path.read_bytes()
    numbers = points(read(whole, path).runs)
    for percent in range(100):
        got = read(whole[: len(whole) * percent // 100], path)
        said = {finding.name for run in got.runs for finding in run.findings}
        left = {key: value for key, value in points(got.runs).items() if numbers.get(key) != value}
        assert not left or "read-in-part" in said or path.parent.name in OF_REQUESTS, (percent, left)


@each_file
def test_flipped_bytes(path: Path) -> None:
    """Any byte may be any other."""
    whole, seeded = path.read_bytes(), random.Random(path.name)
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(seeded.choice((1, 1, 3, 20))):
            data[seeded.randrange(len(data))] = seeded.randrange(256)
        read(bytes(data), path)


@each_file
def test_lines_lost_or_doubled(path: Path) -> None:
    """Lines may be missing, come twice, or come in another order."""
    lines, seeded = path.read_bytes().splitlines(keepends=True), random.Random(path.name)
    for _ in range(30):
        kept = [line for line in lines for _ in range(seeded.choice((1, 1, 1, 1, 0, 2)))]
        if seeded.random() < 0.3:
            seeded.shuffle(kept)
        read(b"".join(kept), path)


OTHER: tuple[Any, ...] = (
    None, True, "soon", "", "inf", math.nan, math.inf, -1, 0, 1e300, 10**400, 1.5, [], [1], [[]], [{}], {}, {"a": 1}, "9" * 5000,
)  # fmt: skip


def json_files() -> list[Path]:
    return [path for path in FILES if path.suffix in {".json", ".jsonl"}]


each_json = pytest.mark.parametrize("path", json_files(), ids=lambda path: f"{path.parent.name}/{path.name}")


@each_json
def test_values_of_another_type(path: Path) -> None:
    """Whatever stands where a number, a text or a table should."""
    text = path.read_text(encoding="utf-8")
    values = [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else [json.loads(text)]
    seeded = random.Random(path.name)
    places = [(n, place) for n, value in enumerate(values) for place in _places(value)]
    for n, place in seeded.sample(places, min(len(places), 40)):
        for other in seeded.sample(OTHER, 5):
            changed = [_with(value, place, other) if at == n else value for at, value in enumerate(values)]
            read("\n".join(map(json.dumps, changed)).encode(), path)


def _places(value: Any) -> Iterator[tuple[str | int, ...]]:
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in members:
        yield (key,)
        yield from ((key, *rest) for rest in _places(inner))


def _with(value: Any, place: tuple[Any, ...], other: Any) -> Any:
    if not place:
        return other
    copied = value.copy()
    copied[place[0]] = _with(value[place[0]], place[1:], other)
    return copied


@each_json
def test_keys_that_stand_twice(path: Path) -> None:
    """The last one counts, and it is said."""
    text = path.read_text(encoding="utf-8")
    key = re.search(r'\{\s*("[^"]+")\s*:', text)
    assert key is not None
    doubled = text.replace(key[0], f"{{{key[1]}: null, {key[0].lstrip('{')}", 1)
    got = read(doubled.encode(), path)
    assert all("KB342" in {finding.code for finding in run.findings} for run in got.runs)
    assert points(got.runs) == points(read(text.encode(), path).runs)


ENCODED = {
    "byte order mark": lambda text: codecs.BOM_UTF8 + text.encode(),
    "utf-16": lambda text: text.encode("utf-16"),
    "utf-16 without mark": lambda text: text.encode("utf-16-be"),
    "windows line ends": lambda text: re.sub("(?<!\r)\n", "\r\n", text).encode(),
}


@each_file
@pytest.mark.parametrize("name", ENCODED)
def test_other_encodings_read_the_same(path: Path, name: str) -> None:
    """The same runs, whatever editor it went through."""
    text = path.read_bytes().decode()
    assert points(read(ENCODED[name](text), path).runs) == points(read(text.encode(), path).runs)


HOSTILE = {
    "deep lists": "[" * 100_000, "deep objects": '{"a":' * 100_000, "deep and closed": "[" * 50_000 + "]" * 50_000,
    "deep yaml": "a: " + "[" * 100_000, "deep yaml blocks": "\n".join(" " * n + "a:" for n in range(2_000)),
    "huge number": '{"mean_ttft_ms": ' + "9" * 100_000 + ', "num_prompts": 1, "model_id": "m", "request_throughput": 1}',
    "one long line": "x" * 9_000_000, "one long cell": 'a,b\n"' + "x" * 9_000_000, "many commas": "," * 500_000,
    "many columns": ",".join(f"c{n}" for n in range(50_000)) + "\n" + "1," * 50_000,
    "nothing but quotes": '"' * 1_000_000, "nothing but ends of lines": "\n" * 500_000, "escapes": "\x1b[31m" * 100_000,
    "rules": ("=" * 5_000 + "\n") * 500, "colons": ":" * 1_000_000, "brackets of a namespace": "Namespace(" + "(" * 500_000,
    "a block without end": "============ Serving Benchmark Result ============\n" + "Mean TTFT (ms): 1\n" * 300_000,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts(name: str) -> None:
    """Depth, length and repetition cost neither a traceback nor minutes."""
    read(HOSTILE[name].encode(), Path("hostile"))
