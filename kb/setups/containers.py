"""A container as manifests, compose files and charts write it: image, command, args, env, GPUs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from kb.setups.arguments import is_option, of_words
from kb.setups.environment import read_environment
from kb.setups.gathering import Gathering
from kb.setups.images import read_image
from kb.setups.reading import SideName
from kb.setups.servers import ROUTERS, read_commands, read_server, start_server
from kb.setups.shell import LAUNCH, Command, commands, filled, launched
from kb.setups.source import Table, Text

GPU_RESOURCES = ("nvidia.com/gpu", "amd.com/gpu", "gpu.intel.com/i915", "gpu")


def variables(env: object) -> list[tuple[str, str, int]]:
    """Variables of a container: a list of {name, value}, a list of NAME=value, or a table."""
    return list(_variables(env))


def _variables(env: object) -> Iterator[tuple[str, str, int]]:
    if isinstance(env, Table):
        for key, value in env.items():
            if isinstance(value, str):
                yield key, str(value), env.line(key)
    elif isinstance(env, list):
        for each in env:
            if isinstance(each, Table) and (name := each.text("name")) and (value := each.text("value")) is not None:
                yield str(name), str(value), name.line
            elif isinstance(each, Text) and "=" in each:
                name_, _, value_ = each.partition("=")
                yield name_, value_, each.line


def words(value: object) -> list[Text]:
    """A command or arguments as words: a list, or one text that a shell would cut."""
    if isinstance(value, list):
        return [each for each in value if isinstance(each, Text)]
    return [value] if isinstance(value, Text) else []


def gpus(container: Table) -> tuple[str, int] | None:
    """GPUs that a container asks for, and the line."""
    resources = container.table("resources")
    for name in ("limits", "requests"):
        table = resources.table(name)
        for key in GPU_RESOURCES:
            if value := table.text(key):
                return str(value), table.line(key)
    return None


def read_container(
    container: Table,
    into: Gathering,
    name: str,
    *,
    part: Gathering | None = None,
    extra: Iterable[Text] = (),
    side: tuple[SideName | None, bool, str] = (None, False, ""),
) -> bool:
    """The server that a container starts, as an instance; whether it starts one (or a router)."""
    part = part or into.part()
    env = variables(container.get("env") if "env" in container else container.get("environment"))
    known = {key: value for key, value, _ in env}
    _elsewhere(container, part)
    given = (words(container.get(key)) for key in ("command", "entrypoint", "args"))
    started = [_filled(word, known) for word in (*chain.from_iterable(given), *extra)]
    image = _image(container)
    for script in started:
        if LAUNCH.search(script) and (" " in script or "\n" in script):
            return _script(script, env, image, part, into, name, side)
    found = next(launched(tuple(started)), None)
    if found is None and started and any(word in {"--routing-logic", "--policy"} for word in started):
        return _other_router(started, image, into)
    if found is None and not (image and _serves(image) and started and is_option(started[0])):
        return False
    kind, at = found or (_serves(image) or "vllm", 0)
    if kind in ROUTERS:
        start_server(Command(tuple(started), (), started[0].line), part, into, name)
        return True
    read_environment(env, part)
    if image:
        read_image(str(image), image.line, part)
    _finish(read_server(kind, started[at:], started[0].line, part), side, started[0].line, part, into, name)
    return True


def _elsewhere(container: Table, part: Gathering) -> None:
    for each in container.tables("env"):
        if "valueFrom" in each:
            why = "taken from a secret, a field or a map; its value stands elsewhere"
            part.skip(str(each.get("name")), each.line("name"), why)


def _other_router(started: list[Text], image: Text | None, into: Gathering) -> bool:
    """A router known by its arguments alone."""
    options, _ = of_words(started, frozenset())
    for each in options:
        if each.name in {"routing-logic", "policy"}:
            into.fact("router.policy", each.value, each.line, each.spelled)
    if image:
        into.fact("router.image", image, image.line, "image")
    return True


def _filled(word: Text, known: dict[str, str]) -> Text:
    return Text(filled(word, known), word.line)


def _image(container: Table) -> Text | None:
    image = container.get("image")
    if isinstance(image, Table):
        repository, tag = image.text("repository"), image.text("tag")
        return Text(f"{repository}:{tag}" if tag else str(repository), image.line("repository")) if repository else None
    return image if isinstance(image, Text) else None


def _serves(image: Text | None) -> str | None:
    """The server that an image starts when it is only given arguments."""
    if image is None:
        return None
    name = image.partition(":")[0]
    return "vllm" if re.search(r"vllm-openai|llm-d-(cuda|rocm|xpu)|/vllm$", name) else None


def _script(
    script: Text,
    env: list[tuple[str, str, int]],
    image: Text | None,
    part: Gathering,
    into: Gathering,
    name: str,
    side: tuple[SideName | None, bool, str],
) -> bool:
    """A shell text that starts one server; with several each is an instance of its own."""
    found = commands(script, {key: value for key, value, _ in env}, script.line)
    if len(found) != 1:
        return bool(read_commands(script, into, script.line, env, name))
    command = found[0]
    kind, at = next(launched(command.words), ("vllm", 0))
    if kind in ROUTERS:
        start_server(command, part, into, name)
        return True
    read_environment((*env, *command.env), part)
    if image:
        read_image(str(image), image.line, part)
    _finish(read_server(kind, command.words[at:], command.line, part), side, command.line, part, into, name)
    return True


def _finish(
    own: tuple[SideName | None, bool, str],
    given: tuple[SideName | None, bool, str],
    line: int,
    part: Gathering,
    into: Gathering,
    name: str,
) -> None:
    """The instance; what its arguments say of the side goes before what its surroundings say."""
    side, sure, why = own if own[1] else given if given[0] else own
    into.instance(name, line, part, side, sure, why)


def several_gpus(count: str, replicas: Any) -> str | None:
    """GPUs of all replicas together; None when either is no number."""
    if str(count).isdigit() and (replicas is None or str(replicas).isdigit()):
        return str(int(count) * int(replicas or 1))
    return None
