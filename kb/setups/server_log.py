"""A server's log: vLLM's banner with its version, "non-default args", and the engine's resolved configuration.

vLLM 0.6 prints `vLLM API server version X`, 0.10 and later `version X` beside the logo and
`Initializing a V1 LLM engine (vX) with config: ...`; "non-default args" is a Python dictionary from 0.9, before it was
`Namespace(...)`.
SGLang prints `server_args=ServerArgs(...)`.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

from kb.setups.arguments import Argument
from kb.setups.elsewhere import MAY
from kb.setups.gathering import Gathering
from kb.setups.reading import Found, SideName
from kb.setups.sglang_options import read_sglang
from kb.setups.source import Source
from kb.setups.transfer import ROLES
from kb.setups.vllm_options import read_vllm

NAME = "server-log"

VERSION = re.compile(r"(?:vLLM API server version|LLM engine \(v|█\s+version)\s*v?(?P<version>\d+\.\d+[\w.+]*)")
ARGS = re.compile(r"non-default args: (?P<args>\{.*\})")
NAMESPACE = re.compile(r"(?m)api_server\.py:\d+\] args: Namespace\((?P<args>.*)\)\s*$")
SGLANG = re.compile(r"(?m)server_args=ServerArgs\((?P<args>.*)\)\s*$")
ARCHITECTURE = re.compile(r"Resolved architectures?: (?P<name>\w+)")
LAYOUT = re.compile(r"Using (?P<name>NHD|HND|LBHNC|LBNHC) KV cache layout")
BACKEND = re.compile(r"Using (?P<name>[A-Z_0-9]+|Flash Attention|FlashInfer) (?:attention )?backend")
RUNNER = re.compile(r"Using (?:the )?V(?P<n>[12]) [Mm]odel [Rr]unner|using the V(?P<m>[12]) model runner")
RESOLVED = {
    "tensor_parallel_size": "tp", "pipeline_parallel_size": "pp", "data_parallel_size": "dp",
    "decode_context_parallel_size": "dcp", "kv_cache_dtype": "kv_dtype", "dtype": "dtype",
    "enable_prefix_caching": "prefix_caching", "enable_chunked_prefill": "chunked_prefill",
}  # fmt: skip
CONFIG = re.compile(r"LLM engine \(v[^)]*\) with config: (?P<config>.*)")
_FIELD = re.compile(r"(?<![\w.])(\w+)=('[^']*'|[\w./:+-]+)")
MOST_LINES = 20_000
"""Lines looked at; a server says what it runs with at its start."""


def recognises(source: Source) -> bool:
    head = source.text[:2_000_000]
    return any(pattern.search(head) for pattern in (VERSION, ARGS, SGLANG, NAMESPACE))


def read(source: Source) -> Found:
    into = Gathering(source)
    part = into.part()
    part.whole = False
    side: SideName | None = None
    line = 1
    for number, text in enumerate(source.lines[:MOST_LINES], start=1):
        if match := VERSION.search(text):
            part.fact("engine.component", "vllm", number, "banner")
            part.fact("engine.version", match["version"], number, "version in the log")
            line = number
        side = _arguments(text, number, part) or side
        _said(text, number, part)
    side = side or next(
        (ROLES[fact.value] for fact in part.facts if fact.key == "side.kv_role" and fact.value in ROLES), None
    )
    _failed(source, into)
    if not part.whole and not part.may_transfer:
        part.may_transfer = True
        into.skip("arguments of the server", line, f"the log does not show them; {MAY}")
    into.instance("server", line, part, side, side is not None, "kv_role" if side else "")
    return into.found()


def _arguments(text: str, number: int, part: Gathering) -> SideName | None:
    if match := ARGS.search(text):
        part.whole = True
        options = list(_of_python(match["args"], number, part, "non-default args"))
        read_vllm(options, None, number, part)
    elif "non-default args: {" in text:
        part.skip(text[text.index("non-default args") :], number, f"the line is cut; {MAY}")
        part.may_transfer = True
    elif match := SGLANG.search(text):
        part.whole = True
        options = list(_of_python(f"dict({match['args']})", number, part, "server_args"))
        return read_sglang(options, number, part, all_stated=True)
    elif NAMESPACE.search(text):
        part.may_transfer |= "kv_transfer_config=None" not in text
        part.whole = True
        part.skip("Namespace(...)", number, "every argument with its default; which of them somebody set is not said")
    return None


def _of_python(text: str, line: int, part: Gathering, how: str) -> Iterator[Argument]:
    """Arguments out of a printed dictionary; objects in it are printed in a way that cannot be read back."""
    try:
        tree = ast.parse(_OBJECT.sub(lambda match: repr(match[0]), text), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        part.may_transfer = True
        part.skip(f"{how}: {text}", line, f"not readable as a dictionary; {MAY}")
        return
    for key, node in _pairs(tree):
        value = _value(node)
        if value is None:
            carries = key.replace("-", "_") == "kv_transfer_config"
            part.may_transfer |= carries
            why = f"; {MAY}" if carries else ""
            part.skip(f"{how}: {key}", line, f"an object that the log does not print in full{why}")
        else:
            yield Argument(key.replace("_", "-"), value, line, f"{how}: {key}")


_OBJECT = re.compile(r"<[A-Z]\w*(?:\.\w+)*: [^<>]*>")


def _pairs(tree: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(tree, ast.Dict):
        for key, node in zip(tree.keys, tree.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, node
    elif isinstance(tree, ast.Call):
        yield from ((each.arg, each.value) for each in tree.keywords if each.arg)


def _value(node: ast.expr) -> str | None:
    """A literal as an argument's text; a call such as KVTransferConfig(...) as JSON of its fields."""
    if isinstance(node, ast.Call):
        fields = {each.arg: _literal(each.value) for each in node.keywords if each.arg}
        return json.dumps({key: value for key, value in fields.items() if value is not None})
    value = _literal(node)
    if value is None:
        return "null" if isinstance(node, ast.Constant) else None
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value)


def _literal(node: ast.expr) -> object:
    try:
        value = ast.literal_eval(node)
        json.dumps(value)
    except (ValueError, TypeError, RecursionError):
        return None
    return value


def _said(text: str, number: int, part: Gathering) -> None:
    if match := ARCHITECTURE.search(text):
        part.fact("model_class", match["name"], number, "resolved architecture")
    if match := LAYOUT.search(text):
        part.fact("side.kv_layout", match["name"], number, "KV cache layout in the log")
    if match := BACKEND.search(text):
        part.fact("side.attention", match["name"], number, "attention backend in the log")
    if match := RUNNER.search(text):
        part.option("model runner", f"V{match['n'] or match['m']}", number, "model runner in the log")
    if match := CONFIG.search(text):
        _resolved(match["config"], number, part)


def _resolved(text: str, number: int, part: Gathering) -> None:
    """What the engine runs with after defaults; the log's word goes before an option's `auto`."""
    fields = {name: value.strip("'") for name, value in _FIELD.findall(text.partition("compilation_config=")[0])}
    for name, key in RESOLVED.items():
        value = fields.get(name, "")
        if value and value not in {"auto", "None"}:
            part.fact(f"side.{key}", value.removeprefix("torch."), number, f"engine configuration: {name}")
    if (quantization := fields.get("quantization")) and quantization != "None":
        part.fact("precision", quantization, number, "engine configuration: quantization")


def _failed(source: Source, into: Gathering) -> None:
    for number, text in enumerate(source.lines[:MOST_LINES], start=1):
        if re.search(r"EngineCore failed to start|Traceback \(most recent call last\)", text):
            into.skip(text.strip()[:120], number, "the server failed: nothing was measured on it")
            return
