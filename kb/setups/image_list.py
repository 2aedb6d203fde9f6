"""Image references, one a line (or `docker images --digests`-like lines cut down to them)."""

from __future__ import annotations

import re

from kb.setups.gathering import Gathering
from kb.setups.images import REFERENCE, read_image
from kb.setups.reading import Found
from kb.setups.source import Source

NAME = "image"

_TAGGED = re.compile(r"(?::[\w.-]+|@sha256:[0-9a-f]{64})$")


def _lines(source: Source) -> list[tuple[int, str]]:
    return [
        (number, line.strip())
        for number, line in enumerate(source.lines, start=1)
        if line.strip() and not line.startswith("#")
    ]


def recognises(source: Source) -> bool:
    lines = _lines(source)
    return 0 < len(lines) <= 20 and all(
        "/" in line and REFERENCE.match(line) and _TAGGED.search(line) for _, line in lines
    )


def read(source: Source) -> Found:
    into = Gathering(source)
    lines = _lines(source)
    for number, line in lines:
        if len(lines) == 1 or re.search(r"vllm|sglang|tensorrt|llm-d-(cuda|rocm)", line):
            read_image(line, number, into)
        else:
            into.skip(line, number, "an image of something beside the engine")
    return into.found()
