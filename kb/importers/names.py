"""Facts that file and folder names hint at. They are offered as suggestions: names are typed by hand, and they lie."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from kb.importers.run import Fact, Suggestion
from kb.redact import redacted

_GPUS = r"gb300|gb200|b300|b200|h200|h100|h20|a100|l40s?|mi3\d{2}x?|a10g?|rtx-?4090|5090"
_HINTS: tuple[tuple[str, str], ...] = (
    ("topology", r"(?<![0-9a-z])(\d{1,3}p\d{1,3}d)(?![0-9a-z])|(?<![0-9a-z])pd_(\d{1,3}p\d{1,3}d)(?![0-9a-z])"),
    ("where.concurrency", r"(?<![a-z])(?:concurrency|concurrent|conc|max_concurrency=)[-_]?(\d+)(?!\d)"),
    ("where.concurrency", r"(?<![a-z0-9])c(\d{1,5})(?![0-9a-z])"),
    ("where.input_tokens", r"(?<![a-z])(?:isl|input_len|input|in|ip|i)[-_=]?(\d{2,7})(?!\d)"),
    ("where.output_tokens", r"(?<![a-z])(?:osl|output_len|output|out|op|o)[-_=]?(\d{2,7})(?!\d)"),
    ("where.request_rate", r"(?<![a-z0-9])(?:rate|rps|qps)[-_=]?(\d+(?:\.\d+)?|inf)(?![0-9a-z])"),
    ("where.request_rate", r"(?<![a-z0-9.])(\d+(?:\.\d+)?|inf)(?:qps|rps)(?![a-z])"),
    ("where.num_prompts", r"(?<![a-z])(?:num_prompts=|np|req|n)(\d{2,7})(?![0-9a-z])"),
    ("both.tp", r"(?<![a-z])tp[-_]?(\d{1,3})(?![0-9])"),
    ("both.dp", r"(?<![a-z])dp[-_]?(\d{1,3})(?![0-9])"),
    ("both.ep", r"(?<![a-z])ep[-_]?(\d{1,3})(?![0-9])"),
    ("both.pp", r"(?<![a-z])pp[-_]?(\d{1,3})(?![0-9])"),
    ("hardware.gpu", rf"(?<![a-z0-9])({_GPUS})(?![0-9])"),
    ("precision", r"(?<![a-z0-9])(nvfp4|mxfp4|fp4|fp8|int8|int4|bf16|awq|gptq)(?![0-9a-z])"),
)  # fmt: skip
_COMPILED = tuple((key, re.compile(pattern, re.I)) for key, pattern in _HINTS)
FOLDERS = 3
"""Folders above the file that are looked at."""


def suggestions(path: str) -> tuple[Suggestion, ...]:
    """What the names of a file and of its nearest folders hint at; the nearest name wins."""
    if path == "-":
        return ()
    parts = PurePath(path.replace("\\", "/")).parts
    made: dict[str, Suggestion] = {}
    for n, part in enumerate(reversed(parts[-FOLDERS - 1 :])):
        origin = f"{'file' if n == 0 else 'folder'} name {redacted(part)}"
        for key, value in _hints(part):
            made.setdefault(key, Suggestion(key, value, origin))
    return tuple(made.values())


def _hints(name: str) -> Iterator[tuple[str, Fact]]:
    for key, pattern in _COMPILED:
        if found := pattern.search(name):
            text = next(group for group in found.groups() if group)
            yield key, _typed(key, text)


def _typed(key: str, text: str) -> Fact:
    if key == "topology":
        return text.upper()
    if key == "hardware.gpu":
        return text.upper()
    if text.isdigit():
        return int(text)
    return float(text) if re.fullmatch(r"\d+\.\d+", text) else text.lower()
