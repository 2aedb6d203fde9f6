"""SGLang's server arguments as setup facts, from a command line, a table or `server_info`.

Names as `python -m sglang.launch_server --help` prints them, from 0.4 to 0.5.
"""

from __future__ import annotations

from collections.abc import Iterable

from kb.setups.arguments import Argument
from kb.setups.elsewhere import MAY, named_file
from kb.setups.gathering import Gathering
from kb.setups.reading import SideName
from kb.setups.vllm_options import is_path

SWITCHES = frozenset(
    {
        "trust-remote-code", "disable-radix-cache", "disable-cuda-graph", "disable-overlap-schedule",
        "enable-dp-attention", "enable-metrics", "enable-hierarchical-cache", "enable-torch-compile",
        "disable-flashinfer-autotune", "enable-lmcache", "enable-deepep-moe", "enable-ep-moe", "skip-tokenizer-init",
        "enable-cache-report", "disable-shared-experts-fusion", "enable-mixed-chunk", "enable-memory-saver",
        "enable-p2p-check", "log-requests", "disable-custom-all-reduce", "enable-eplb", "enable-two-batch-overlap",
        "disable-chunked-prefix-cache", "enable-flashinfer-mla", "pd-disaggregation", "disable-cuda-graph-padding",
        "enable-nccl-nvls", "enable-symm-mem", "enable-flashinfer-trtllm-moe",
    }
)  # fmt: skip

SIDE = {
    "tp-size": "tp", "tensor-parallel-size": "tp", "tp": "tp",
    "dp-size": "dp", "data-parallel-size": "dp", "dp": "dp",
    "pp-size": "pp", "pipeline-parallel-size": "pp",
    "ep-size": "ep", "expert-parallel-size": "ep", "ep": "ep",
    "page-size": "block_size", "kv-cache-dtype": "kv_dtype", "dtype": "dtype",
    "attention-backend": "attention", "max-running-requests": "max_num_seqs",
}  # fmt: skip
SWITCHED = {"disable-radix-cache": "prefix_caching", "disable-cuda-graph": "graphs"}
_NOTHING = frozenset({"null", "None", ""})


def read_sglang(options: Iterable[Argument], line: int, into: Gathering, all_stated: bool = False) -> SideName | None:
    """Facts of an SGLang server's arguments; the side its disaggregation mode names.

    With `all_stated` the arguments are everything the server runs with, defaults included, not what somebody set.
    """
    last = {_long(each.name): each for each in options}
    if _value(last, "disaggregation-mode") in _NOTHING:
        last.pop("disaggregation-transfer-backend", None)
    into.fact("engine.component", "sglang", line, "sglang")
    _model(last, into)
    for name, each in last.items():
        if each.value not in _NOTHING:
            _one(name, each, into, all_stated)
    _speculative(last, into)
    if "config" in last and not all_stated:
        named_file(last["config"], into)
    mode = _value(last, "disaggregation-mode")
    if mode not in _NOTHING | {"prefill", "decode"}:
        into.may_transfer = True
        into.skip(
            f"--disaggregation-mode {mode}", last["disaggregation-mode"].line, f"neither prefill nor decode; {MAY}"
        )
    return "prefill" if mode == "prefill" else "decode" if mode == "decode" else None


def _value(last: dict[str, Argument], name: str) -> str:
    return last[name].value if name in last else ""


def _long(name: str) -> str:
    return {"model": "model-path", "speculative-algo": "speculative-algorithm"}.get(name, name)


def _model(last: dict[str, Argument], into: Gathering) -> None:
    model, served = last.get("model-path"), last.get("served-model-name")
    if model and not is_path(model.value):
        into.fact("model", model.value, model.line, model.spelled)
    elif model:
        into.skip(f"{model.spelled} {model.value}", model.line, "a folder, not the publisher's name of the model")
    if served and (model is None or is_path(model.value)) and served.value not in _NOTHING:
        into.suggest("model", served.value, served.line, "the name it is served under")


_APART = frozenset(
    {"model-path", "served-model-name", "tokenizer-path", "disaggregation-mode", "speculative-algorithm"}
    | {"speculative-num-steps", "config"}
)
"""Arguments that are read with others."""


def _one(name: str, each: Argument, into: Gathering, all_stated: bool) -> None:
    if name in _APART:
        return
    if name in SIDE:
        if not (each.value == "auto" and all_stated):
            into.fact(f"side.{SIDE[name]}", each.value, each.line, each.spelled)
    elif name in SWITCHED:
        into.fact(f"side.{SWITCHED[name]}", "off" if each.value.lower() == "true" else "on", each.line, each.spelled)
    elif name == "quantization":
        into.fact("precision", each.value, each.line, each.spelled)
    else:
        _further(name, each, into)
        if not all_stated or name == "disaggregation-transfer-backend":
            into.option(name, each.value, each.line, each.spelled)


def _further(name: str, each: Argument, into: Gathering) -> None:
    """Options that say a fact of the side beside their own value."""
    if name == "chunked-prefill-size":
        into.fact("side.chunked_prefill", "off" if each.value == "-1" else "on", each.line, each.spelled)
    elif name == "enable-hierarchical-cache" and each.value.lower() == "true":
        into.fact("side.offload", "cpu", each.line, each.spelled)


def _speculative(last: dict[str, Argument], into: Gathering) -> None:
    method, steps = last.get("speculative-algorithm"), last.get("speculative-num-steps")
    if method is None or method.value in _NOTHING:
        return
    depth = f" {steps.value}" if steps and steps.value not in _NOTHING else ""
    into.fact("side.speculative", f"{method.value}{depth}", method.line, method.spelled)
