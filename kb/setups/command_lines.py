"""Shell text that starts servers: `vllm serve`, `python -m sglang.launch_server`, `docker run vllm/vllm-openai`...

Several commands are several instances; `export`s and assignments in front of a command are its variables.
"""

from __future__ import annotations

from kb.setups.gathering import Gathering
from kb.setups.reading import Found
from kb.setups.servers import read_commands
from kb.setups.shell import LAUNCH, commands
from kb.setups.source import Source

NAME = "command-line"


def recognises(source: Source) -> bool:
    """A launcher stands in a text that is neither YAML nor a log."""
    if not LAUNCH.search(source.text) or _structured(source) or _log(source.text):
        return False
    return bool(commands(source.text))


def _structured(source: Source) -> bool:
    """YAML or JSON that says something; a shell script with a colon in it may look like YAML by chance."""
    return any(not any(LAUNCH.search(key) or " " in key.strip() for key in table) for table in source.tables) or any(
        isinstance(each, list) and any(not isinstance(item, str) for item in each) for each in source.documents
    )


def _log(text: str) -> bool:
    return (
        "non-default args:" in text
        or "Serving Benchmark Result" in text
        or "Collecting environment information" in text
    )


def read(source: Source) -> Found:
    into = Gathering(source)
    read_commands(source.text, into)
    return into.found()
