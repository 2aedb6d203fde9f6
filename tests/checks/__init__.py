# ruff: noqa: E501  records read better unbroken
"""Tests of the checks: a small base in words, and helpers that complete a fragment of YAML to a record in it.

A fragment is what one would write in a page's example: some fields of an evaluation, or of another kind when it begins with
`# entries/changes/it.md`; after a line `---` comes the body. Id, title and two arms (pull, push) are added when missing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from textwrap import dedent

import pytest

from kb.checks import find
from kb.digests import Digests, Table
from kb.digests import read as read_table
from kb.finding import Problem
from kb.library import Library, model_of
from kb.reading import Loaded, read

VOCABULARY = """
questions:
  - {id: push-vs-pull-handoff, asks: {en: [Is push or pull faster?]}, goal: a shorter hand-off}
dimensions:
  - {id: post-thread, means: which thread submits, titles: {en: [posting thread]}}
  - {id: write-path, means: the library's WRITE, titles: {en: [write path]}, formerly: [paths]}
  - {id: read-path, means: the library's READ, titles: {en: [read path]}, formerly: [paths]}
  - {id: scheduler, means: the engine's scheduler, titles: {en: [scheduler]}, formerly: [admission]}
metrics:
  - id: ttft
    unit: ms
    better: lower
    titles: {en: [TTFT, time to first token], ja: [初回トークン遅延], pt: [tempo até o primeiro token]}
    plausible: [1, 600000]
    definitions: [{id: vllm-bench.ttft, tool: vllm bench serve, says: from sending to the first token}]
  - {id: tpot, unit: ms, better: lower, titles: {en: [TPOT, time per output token]}, plausible: [0.5, 5000], implies: [scheduler]}
  - id: itl
    unit: ms
    better: lower
    titles: {en: [ITL]}
    plausible: [0.5, 5000]
    definitions:
      - {id: aiperf.itl, tool: AIPerf, says: per token after the first, same_as: vllm-bench.tpot}
      - {id: vllm-bench.tpot, tool: vllm bench serve, says: per token after the first}
      - {id: guidellm.tpot, tool: GuideLLM, says: "per token, the first included"}
  - {id: output_throughput, unit: tok/s, better: higher, titles: {en: [output throughput, throughput]}}
  - {id: transfer_bandwidth, unit: GB/s, better: higher, titles: {en: [bandwidth]}, plausible: [0.001, 2000]}
  - {id: hit_rate, unit: fraction, units: ["%"], better: higher, titles: {en: [hit rate]}, plausible: [0, 1]}
  - {id: completed, unit: count, better: neither, titles: {en: [completed requests]}}
  - {id: descriptors, unit: count, better: neither, titles: {en: [descriptors]}}
terms:
  - {id: hand-over, titles: {en: [hand-over], ja: [引き渡し]}}
"""
VLLM = """
id: vllm
title: vLLM
kind: engine
ships_in: vllm
releases:
  - {version: 0.20.0, date: 2026-04-27}
  - {version: 0.24.0, date: 2026-06-20}
  - {version: 0.25.0, date: 2026-07-04}
  - {version: 0.26.0, date: 2026-07-20}
  - {version: 0.29.0, date: 2026-09-02}
"""
PULL = """
id: vllm-nixl-pull
title: pull connector
kind: connector
aliases: [nixl pull]
ships_in: vllm
classes:
  - {name: NixlConnector, mode: pull, versions: ">=0.9.0"}
  - {name: NixlPullConnector, mode: pull, versions: ">=0.24.0"}
"""
PUSH = """
id: vllm-nixl-push
title: push connector
kind: connector
ships_in: vllm
classes: [{name: NixlPushConnector, mode: push, versions: ">=0.24.0"}]
"""
NIXL = """
id: nixl
title: NIXL
kind: transfer-library
ships_in: nixl
also_ships_in: [nixl-cu12]
releases: [{version: 1.2.0, date: 2026-06-01}, {version: 1.3.1, date: 2026-07-10}]
"""
SHARED = """
id: shared-result
title: A shared result
aliases: [taken-id]
claims: [{id: heavy, kind: hypothesis, says: Push wins.}, {id: light, kind: hypothesis, says: Both are equal.}]
limits: [One pair.]
"""
TAKEN = """
id: taken-change
title: A change
component: vllm
kind: fix
status: merged
summary: Something was mended.
"""
BASE = {
    "shipped:entries/vocabulary.yaml": VOCABULARY,
    "shipped:entries/components/vllm.yaml": VLLM,
    "shipped:entries/components/vllm-nixl-pull.yaml": PULL,
    "shipped:entries/components/vllm-nixl-push.yaml": PUSH,
    "shipped:entries/components/nixl.yaml": NIXL,
    "shipped:entries/evaluations/shared-result.md": SHARED,
    "shipped:entries/changes/taken-change.md": TAKEN,
}
TABLES = {
    "vllm-nixl-pull": """# component: vllm-nixl-pull
# distribution: vllm
# languages: python
# releases: 0.20.0 0.24.0 0.26.0 0.29.0
symbol digest first last how was stands_on
NixlConnectorWorker c1 0.20.0 0.20.0
NixlConnectorWorker._read_blocks r1 0.20.0 0.20.0
NixlConnectorWorker.old_only o1 0.20.0 0.20.0
NixlBaseConnectorWorker b1 0.24.0 0.29.0 refactor
NixlBaseConnectorWorker.get_finished g1 0.24.0 0.29.0 behaviour
NixlPullConnectorWorker c1 0.24.0 0.29.0 - NixlConnectorWorker NixlBaseConnectorWorker
NixlPullConnectorWorker._read_blocks r1 0.24.0 0.24.0 - NixlConnectorWorker._read_blocks
NixlPullConnectorWorker._read_blocks r2 0.26.0 0.29.0 behaviour
""",
    "nixl": """# component: nixl
# languages: python, others not listed
# releases: 1.2.0 1.3.1
symbol digest first last
nixl_agent a1 1.2.0 1.3.1
""",
    "damaged": "# component: damaged\n",
    "taken": """# component: another
# releases: 1.0
symbol digest first last
""",
}
"""Tables of symbols; a space is a tab, a dash an empty cell."""
ARMS = """arms:
  - {id: pull, role: baseline, setup: {connector: {component: vllm-nixl-pull, mode: pull}}}
  - {id: push, role: candidate, setup: {connector: {component: vllm-nixl-push, mode: push}}}
"""
PAIR = """points:
  - {id: push-ttft, metric: ttft, stat: mean, arm: push, where: {request_rate: 8}, value: 540, unit: ms}
  - {id: pull-ttft, metric: ttft, stat: mean, arm: pull, where: {request_rate: 8}, value: 1744, unit: ms}
"""
RATIO = "effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}"

_PLACE = re.compile(r"\s*#\s*(entries/\S+)\s*\n")


def record(fragment: str) -> Loaded:
    """The fragment, completed and read."""
    fragment = dedent(fragment)
    place = _PLACE.match(fragment)
    path = place[1] if place else "entries/evaluations/it.md"
    front, _, body = fragment.partition("\n---\n")
    if fragment.startswith("---\n"):
        front, body = "", fragment[4:]
    return _read(path, _completed(front, path), body)


def _completed(front: str, path: str) -> str:
    def lacks(key: str) -> bool:
        return re.search(rf"^{key}:", front, re.MULTILINE) is None

    name = Path(path).name.partition(".")[0]
    added = ""
    if not path.endswith("vocabulary.yaml") and lacks("translates"):
        added += f"id: {name}\n" if lacks("id") else ""
        added += "title: A record\n" if lacks("title") else ""
    if "/evaluations/" in path and lacks("arms") and lacks("translates"):
        added += ARMS
    return f"{added}{front.strip(chr(10))}\n"


def _read(path: str, front: str, body: str = "") -> Loaded:
    text = f"---\n{front}---\n{body}" if path.endswith(".md") else front
    return read(model_of(Path(path.rpartition(":")[2])), path, text)


@lru_cache(maxsize=1)
def base() -> tuple[Loaded, ...]:
    """The mounted records."""
    return tuple(_read(path, text.lstrip()) for path, text in BASE.items())


def library(*fragments: str, mounted: bool = True) -> Library:
    """A base that holds the fragments and mounts the small base above."""
    own = tuple(record(each) for each in fragments)
    return Library((*own, *(base() if mounted else ())), (), frozenset(each.path for each in own), Digests(_table))


def _table(component: str) -> Table | None:
    lines = TABLES[component].splitlines() if component in TABLES else None
    cells = (line if line.startswith("#") else line.replace(" ", "\t").replace("-\t", "\t") for line in lines or ())
    return read_table("\n".join(cells), component) if lines is not None else None


def problems(name: str, *fragments: str) -> list[Problem]:
    """What a check says of the first fragment; the others are in the base too."""
    records = library(*fragments)
    check = find(name)
    assert check is not None, name
    return list(check.check(records.loaded[0], records))


def fires(name: str, fragment: str, says: str, *others: str) -> None:
    """The check has something to say, and one of its sentences or hints contains `says`."""
    found = problems(name, fragment, *others)
    assert found, "nothing found"
    assert any(says in f"{each.message} | {each.hint}" for each in found), found


def quiet(name: str, fragment: str, *others: str) -> None:
    """The check has nothing to say."""
    assert problems(name, fragment, *others) == []


def rows(*fragments: str) -> pytest.MarkDecorator:
    """Parametrises `fragment`."""
    return pytest.mark.parametrize("fragment", fragments)


def cases(*pairs: tuple[str, str]) -> pytest.MarkDecorator:
    """Parametrises `fragment` and `says`."""
    return pytest.mark.parametrize(("fragment", "says"), pairs)
