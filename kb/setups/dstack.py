"""dstack configurations: an image, variables, and commands that start a server."""

from __future__ import annotations

from kb.setups.containers import variables, words
from kb.setups.gathering import Gathering
from kb.setups.images import read_image
from kb.setups.reading import Found
from kb.setups.servers import read_commands
from kb.setups.shell import LAUNCH
from kb.setups.source import Source, Table, Text

NAME = "dstack"

TYPES = frozenset({"task", "service", "dev-environment"})


def recognises(source: Source) -> bool:
    return any(_dstack(table) for table in source.tables)


def _dstack(table: Table) -> bool:
    return (
        table.get("type") in TYPES and bool({"image", "commands", "env"} & table.keys()) and "deploy_type" not in table
    )


def read(source: Source) -> Found:
    into = Gathering(source)
    for table in source.tables:
        if _dstack(table):
            _read(table, into)
    if not into.instances:
        _why_nothing(source, into)
    return into.found()


def _read(table: Table, into: Gathering) -> None:
    part = into.part()
    if image := table.text("image"):
        read_image(image, image.line, part)
    env = variables(table.get("env"))
    for each in words(table.get("env")):
        if "=" not in each:
            into.skip(f"env {each}", each.line, "taken from whoever starts it")
    commands = words(table.get("commands"))
    text, line = "\n".join(commands), commands[0].line if commands else 1
    before = len(into.instances)
    inner = Gathering(into.source, not_read=into.not_read, suggestions=into.suggestions)
    read_commands(_spread(commands), inner, line, env)
    for instance in inner.instances:
        own = into.part()
        own.facts = [*([] if _built(text) else part.facts), *instance.facts]
        into.instance("commands", line, own, instance.side, instance.sure, instance.why)
    if _built(text) and len(into.instances) > before:
        into.skip(
            "git clone and build", line, "the engine is built from a branch without a commit; its version is not said"
        )
        if image:
            into.skip(f"image {image}", image.line, "the engine was built in it; the image does not say which")


def _spread(commands: list[Text]) -> str:
    """Commands one below the other, on the lines they stand on."""
    out: list[str] = []
    for each in commands:
        out += [""] * (each.line - commands[0].line - len(out))
        out += each.split("\n")
    return "\n".join(out)


def _built(text: str) -> bool:
    return "git clone" in text and ("setup.py" in text or "pip install -e" in text or "pip install ." in text)


def _why_nothing(source: Source, into: Gathering) -> None:
    for number, line in enumerate(source.lines, start=1):
        if line.lstrip().startswith("#") and LAUNCH.search(line):
            into.skip(line.strip(" #-"), number, "commented out: it did not run as written here")
