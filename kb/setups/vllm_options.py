"""vLLM's engine arguments as setup facts.

Names as `vllm serve --help` prints them, from 0.8 to 0.33; underscores and dashes are one to its parser, and the last
of two counts. An option without a setup key of its own goes to `options` under its Python name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches

from kb.setups.arguments import SWITCH, Argument
from kb.setups.gathering import Gathering
from kb.setups.source import Table, as_json, of_json
from kb.setups.transfer import read_transfer_text
from kb.setups.vllm_option_names import known, nearest

SWITCHES = frozenset(
    {
        "enforce-eager", "enable-prefix-caching", "enable-chunked-prefill", "enable-expert-parallel",
        "trust-remote-code", "disable-log-requests", "disable-log-stats", "enable-log-requests",
        "disable-uvicorn-access-log", "enable-eplb", "disable-frontend-multiprocessing", "enable-auto-tool-choice",
        "disable-hybrid-kv-cache-manager", "enable-lora", "enable-sleep-mode", "async-scheduling",
        "language-model-only", "enable-server-load-tracking", "headless", "data-parallel-hybrid-lb",
        "data-parallel-external-lb", "disable-custom-all-reduce", "use-v2-block-manager", "enable-dbo",
        "enable-cumem-allocator", "enable-ep-weight-filter", "enable-prompt-tokens-details", "numa-bind",
        "is-prefill-worker", "is-decode-worker", "multi-step-stream-outputs", "enable-flashinfer-autotune",
        "return-tokens-as-token-ids", "calculate-kv-scales", "skip-tokenizer-init", "enable-request-id-headers",
    }
)  # fmt: skip
"""Options that take no value of their own."""

SIDE = {
    "tensor-parallel-size": "tp",
    "pipeline-parallel-size": "pp",
    "data-parallel-size": "dp",
    "decode-context-parallel-size": "dcp",
    "prefill-context-parallel-size": "pcp",
    "block-size": "block_size",
    "kv-cache-dtype": "kv_dtype",
    "dtype": "dtype",
    "max-num-seqs": "max_num_seqs",
    "attention-backend": "attention",
}
SWITCHED = {
    "enable-prefix-caching": ("prefix_caching", "on", "off"),
    "enable-chunked-prefill": ("chunked_prefill", "on", "off"),
    "enforce-eager": ("graphs", "off", ""),
}
"""Switch -> key, its value when the switch is on, and when it is off (nothing: then it depends on more)."""

NAMES = frozenset({"model", "model-tag", "served-model-name", "quantization", "tokenizer", "revision"})


def read_vllm(
    options: Iterable[Argument],
    model: str | None,
    line: int,
    into: Gathering,
    typed: bool = False,
) -> None:
    """Facts of a vLLM server's arguments; `model` is its positional argument. What somebody `typed` may be nothing that
    vLLM takes, so that unknown names are said and left out; what a log prints was taken."""
    last = {each.name: each for each in _without_no(options)}
    into.fact("engine.component", "vllm", line, "vllm")
    _model(model, last, line, into)
    for name, each in last.items():
        if name in NAMES - {"tokenizer", "revision"}:
            continue
        _one(name, each, into, typed)
    quantization = last.get("quantization")
    if quantization and quantization.value not in {"null", "None"}:
        into.fact("precision", quantization.value, quantization.line, quantization.spelled)


def _without_no(options: Iterable[Argument]) -> Iterable[Argument]:
    """`--no-x` is `x` switched off; `--no-disable-x` too."""
    for each in options:
        if each.name.startswith("no-"):
            yield Argument(each.name[3:], "false", each.line, each.spelled)
        else:
            yield each


def is_path(model: str) -> bool:
    """Whether a model is named by where it lies."""
    return model.startswith(("/", "./", "../", "~", "s3://", "gs://"))


def _model(positional: str | None, last: dict[str, Argument], line: int, into: Gathering) -> None:
    flag = last.get("model") or last.get("model-tag")
    value, at = (positional, line) if positional else (flag.value, flag.line) if flag else ("", line)
    served = last.get("served-model-name")
    if value and not is_path(value):
        into.fact("model", value, at, "model")
    elif value:
        into.skip(f"model {value}", at, "a folder, not the publisher's name of the model")
    if served and (not value or is_path(value)) and "$" not in served.value:
        into.suggest("model", served.value.split()[0], served.line, "the name it is served under")


def _one(name: str, each: Argument, into: Gathering, typed: bool) -> None:
    if name in SIDE:
        _side(name, each, into)
    elif name in SWITCHED:
        _switch(name, each, into)
    elif name in READERS:
        READERS[name](each, into)
    elif name == "config":
        into.may_transfer = True
        why = f"what {each.value} states was not read; put its options, --kv-transfer-config too, on the command line"
        into.skip(f"{each.spelled} {each.value}", each.line, why)
    elif slip := next(iter(get_close_matches(name, [*SIDE, *SWITCHED, *READERS], 1, 0.9)), None):
        if slip.startswith(name):  # argparse takes the beginning of a name for the name
            _one(slip, each, into, typed)
            return
        into.may_transfer |= slip == "kv-transfer-config"
        into.skip(f"{each.spelled} {each.value}", each.line, f"no option of that name; did you mean --{slip}?")
    elif typed and not known(name):
        value = "" if each.value == SWITCH or each.spelled.startswith("--no-") else f" {each.value}"
        meant = f"; did you mean --{near}?" if (near := nearest(name)) else ""
        into.skip(f"{each.spelled}{value}", each.line, f"not known here as an option of vllm serve{meant}")
    else:
        into.option(name.replace("-", "_"), each.value, each.line, each.spelled)


def _side(name: str, each: Argument, into: Gathering) -> None:
    if each.value not in {"null", "None"}:
        into.fact(f"side.{SIDE[name]}", each.value, each.line, each.spelled)


def _switch(name: str, each: Argument, into: Gathering) -> None:
    key, on, off = SWITCHED[name]
    value = on if each.value.lower() in {"true", "1", "null"} else off
    if value:
        into.fact(f"side.{key}", value, each.line, each.spelled)
    else:
        into.option(name.replace("-", "_"), each.value, each.line, each.spelled)


def _table(each: Argument, into: Gathering) -> Table | None:
    try:
        table = of_json(each.value, each.line)
    except (ValueError, RecursionError):
        table = None
    if isinstance(table, Table):
        return table
    into.skip(f"{each.spelled} {each.value}", each.line, "not readable as JSON")
    return None


def _transfer(each: Argument, into: Gathering) -> None:
    if each.value not in {"null", "None"}:
        read_transfer_text(each.value, each.line, into)


def _speculative(each: Argument, into: Gathering) -> None:
    table = _table(each, into)
    if table is None:
        return
    method, depth = table.text("method"), table.text("num_speculative_tokens")
    if method and depth:
        into.fact("side.speculative", f"{method} {depth}", each.line, each.spelled)
    rest = {
        key: value
        for key, value in table.items()
        if key not in {"method", "num_speculative_tokens"} or not (method and depth)
    }
    _kept(each, table, frozenset(rest), into)


def _compilation(each: Argument, into: Gathering) -> None:
    if each.value.isdigit():
        into.option("compilation_config", each.value, each.line, each.spelled)
        return
    table = _table(each, into)
    if table is None:
        return
    if mode := table.text("cudagraph_mode"):
        into.fact(
            "side.graphs", "off" if mode.upper() == "NONE" else "on", each.line, f"{each.spelled} cudagraph_mode {mode}"
        )
    _kept(each, table, frozenset(table), into)


def _attention(each: Argument, into: Gathering) -> None:
    table = _table(each, into)
    if table is None:
        return
    if backend := table.text("backend"):
        into.fact("side.attention", backend, each.line, each.spelled)
    _kept(each, table, frozenset(table) - {"backend"}, into)


def _kept(each: Argument, table: Table, names: frozenset[str], into: Gathering) -> None:
    """Fields of a table that have no key of their own, as options `table.field`."""
    for key in table:
        if key in names and table[key] is not None:
            value = table[key]
            text = value if isinstance(value, str) else as_json(value)
            into.option(f"{each.name.replace('-', '_')}.{key}", text, each.line, f"{each.spelled} {key}")


def _offload(each: Argument, into: Gathering) -> None:
    if each.value not in {"null", "None", "0"}:
        into.fact("side.offload", "cpu", each.line, each.spelled)
        into.option("kv_offloading_size", each.value, each.line, each.spelled)


READERS: dict[str, Callable[[Argument, Gathering], None]] = {
    "kv-transfer-config": _transfer,
    "speculative-config": _speculative,
    "compilation-config": _compilation,
    "attention-config": _attention,
    "kv-offloading-size": _offload,
}
"""Options that take a table, or say more than one fact."""
