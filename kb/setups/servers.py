"""One started server, from its words and variables: what the command-line and manifest readers share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from kb.setups.arguments import SWITCH, Argument, of_words
from kb.setups.elsewhere import filled_in, is_open, may_be_options
from kb.setups.environment import read_environment
from kb.setups.gathering import Gathering
from kb.setups.images import REFERENCE, read_image
from kb.setups.reading import SideName
from kb.setups.sglang_options import SWITCHES as SGLANG_SWITCHES
from kb.setups.sglang_options import read_sglang
from kb.setups.shell import LAUNCH, Command, commands, launched
from kb.setups.source import Text
from kb.setups.transfer import ROLES
from kb.setups.trtllm_options import read_trtllm_command
from kb.setups.vllm_options import SWITCHES as VLLM_SWITCHES
from kb.setups.vllm_options import read_vllm

ROUTERS = {"sglang-router": "sglang router", "vllm-router": "vllm-router", "dynamo-frontend": "dynamo frontend"}


def read_commands(
    text: str, into: Gathering, first: int = 1, env: Iterable[tuple[str, str, int]] = (), name: str = ""
) -> int:
    """Servers that a shell text starts, as instances; how many there were."""
    variables = {key: value for key, value, _ in env}
    before = len(into.instances)
    for number, command in enumerate(commands(text, variables, first), start=1):
        for default in command.defaults:
            into.skip(f"${default}", command.line, "only a default is given; the environment may set another value")
        for each in _inside(command, variables):
            part = into.part()
            read_environment((*env, *command.env, *(each.env if each is not command else ())), part)
            if each is not command:
                _container(command, part)
            start_server(each, part, into, name or f"command {number}")
    return len(into.instances) - before


def _inside(command: Command, variables: Mapping[str, str]) -> list[Command]:
    """The commands in a word that another program is to run (`ssh host "..."`, `bash -c '...'`), else the command."""
    if next(launched(command.words), None) is None:
        for word in command.words:
            if LAUNCH.search(word) and " " in word.strip():
                return commands(word, variables, word.line) or [command]
    return [command]


def start_server(command: Command, part: Gathering, into: Gathering, name: str, hint: str = "") -> None:
    """The instance, or router, that a command starts."""
    _container(command, part)
    found = next(launched(command.words), None)
    kind, at = found if found else ("vllm", _after_image(command.words))
    words = command.words[at:]
    if kind in ROUTERS:
        _router(kind, words, command.line, into)
        return
    side, sure, why = read_server(kind, words, command.line, part, hint)
    into.instance(name, command.line, part, side, sure, why)


def read_server(
    kind: str, words: Sequence[Text], line: int, part: Gathering, hint: str = ""
) -> tuple[SideName | None, bool, str]:
    """Facts of a server's arguments; its side, whether that is stated, and by what."""
    if kind.endswith("sglang"):
        options, rest = of_words(words, SGLANG_SWITCHES)
        if rest and rest[0].find("/") > 0:
            options.insert(0, Argument("model-path", str(rest[0]), rest[0].line, "model"))
        side = read_sglang(options, line, part)
        filled_in(rest, options, part)
        return _decided(side, part, hint, options)
    if kind.endswith("trtllm"):
        options, rest = of_words(words, frozenset())
        read_trtllm_command(options, rest, line, part)
        filled_in(rest, options, part)
        return _decided(None, part, hint, options)
    options, rest = of_words(words, VLLM_SWITCHES)
    given = any(each.name in {"model", "model-tag"} for each in options)
    model = None if given else next((word for word in rest if word), None)
    for extra in rest if given else rest[1:]:
        if not is_open(extra):
            part.skip(extra, extra.line, "an argument that belongs to no option")
    filled_in(rest if given or may_be_options(str(model)) else rest[1:], options, part)
    own = [each for each in options if each.name not in _WORKER]
    if kind.startswith("dynamo"):  # its worker takes options of its own beside vLLM's
        read_vllm(own, str(model) if model else None, line, part)
        part.fact("stack.component", "dynamo", line, kind)
    else:
        read_vllm(own, str(model) if model else None, line, part, typed=True)
    return _decided(None, part, hint, options)


_WORKER: dict[str, SideName] = {"is-prefill-worker": "prefill", "is-decode-worker": "decode"}


def _decided(
    side: SideName | None, part: Gathering, hint: str, options: Iterable[Argument]
) -> tuple[SideName | None, bool, str]:
    """The side from what the arguments say, else from the role, else from a name."""
    if side is not None:
        return side, True, "--disaggregation-mode"
    for each in options:
        if each.name in _WORKER and each.value == SWITCH:
            return _WORKER[each.name], True, each.spelled
        if each.name == "disaggregation-mode" and each.value in {"prefill", "decode"}:
            return each.value, True, each.spelled  # type: ignore[return-value]
    roles = [ROLES[fact.value] for fact in part.facts if fact.key == "side.kv_role" and fact.value in ROLES]
    if roles and len(set(roles)) == 1:
        return roles[-1], True, "kv_role"
    return None, False, hint


def _container(command: Command, part: Gathering) -> None:
    """What `docker run` says before the image: variables, GPUs and the image."""
    at = _after_image(command.words)
    if at == 0:
        return
    image = command.words[at - 1]
    read_image(str(image), image.line, part)
    options, _ = of_words(command.words[: at - 1], frozenset({"rm", "it", "d", "i", "t", "privileged"}))
    given = [each for each in options if each.name in {"e", "env"} and "=" in each.value]
    read_environment(((*each.value.split("=", 1), each.line) for each in given), part)  # type: ignore[misc]


def _after_image(words: Sequence[Text]) -> int:
    """Where the words after a container's image begin; 0 when nothing is run in a container."""
    if not {"run"} <= set(words) or not re.search(r"docker|podman|nerdctl", words[0]):
        return 0
    for at, word in enumerate(words):
        if (
            at > 1
            and REFERENCE.match(word)
            and re.search(r"[/\w]:[\w.-]+$|@sha256:|vllm|sglang", word)
            and words[at - 1] not in {"-v", "--volume", "-p", "--publish", "-e", "--env", "--name", "--mount"}
        ):
            return at + 1
    return 0


def _router(kind: str, words: Sequence[Text], line: int, into: Gathering) -> None:
    if kind == "vllm-router":
        into.fact("router.component", "vllm-router", line, kind)
    else:
        into.fact("router.name", ROUTERS[kind], line, kind)
    options, _ = of_words(words, frozenset({"pd-disaggregation", "vllm-pd-disaggregation"}))
    for each in options:
        if each.name in {"policy", "router-mode", "routing-logic"}:
            into.fact("router.policy", each.value, each.line, each.spelled)
        else:
            into.skip(f"{each.spelled} {each.value}", each.line, "an argument of the router; a setup has no key for it")
