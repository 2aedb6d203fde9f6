"""Recipes of srt-slurm (InferenceX's multi-node runs): resources, backend with its sides, frontend, benchmark."""

from __future__ import annotations

from kb.setups.arguments import of_table
from kb.setups.containers import variables
from kb.setups.environment import read_environment
from kb.setups.gathering import Gathering
from kb.setups.images import read_image
from kb.setups.reading import Found, SideName
from kb.setups.sglang_options import read_sglang
from kb.setups.source import Source, Table, as_json
from kb.setups.trtllm_options import read_trtllm
from kb.setups.vllm_options import is_path, read_vllm

NAME = "srt-slurm"

_SIDES: dict[str, SideName | None] = {"prefill": "prefill", "decode": "decode", "aggregated": None}
_CONFIGS = ("vllm_config", "sglang_config", "trtllm_config")


def recognises(source: Source) -> bool:
    return any(
        "resources" in table and any(name in table.table("backend") for name in _CONFIGS) for table in source.tables
    )


def read(source: Source) -> Found:
    into = Gathering(source)
    for table in source.tables:
        _model(table, into)
        _machines(table.table("resources"), into)
        _stack(table, into)
        _workers(table, into)
        _benchmark(table.table("benchmark"), into)
    return into.found()


def _model(table: Table, into: Gathering) -> None:
    model, identity = table.table("model"), table.table("identity")
    if repo := identity.table("model").text("repo"):
        into.fact("model", repo, repo.line, "identity.model.repo")
    elif (path := model.text("path")) and "/" in path and not is_path(path):
        into.fact("model", path, path.line, "model.path")
    elif path:
        into.skip(f"model.path {path}", path.line, "a name of the cluster, not the publisher's name of the model")
    if precision := model.text("precision"):
        into.fact("precision", precision, precision.line, "model.precision")


def _engine(table: Table, part: Gathering) -> None:
    if image := table.table("model").text("container"):
        read_image(image, image.line, part)
    frameworks = table.table("identity").table("frameworks")
    for name in ("vllm", "sglang", "tensorrt_llm"):
        if version := frameworks.text(name):
            part.fact("engine.version", version, version.line, f"identity.frameworks.{name}")


def _machines(resources: Table, into: Gathering) -> None:
    for key, name in (("gpu_type", "hardware.gpu"), ("gpus_per_node", "hardware.gpus_per_node")):
        if value := resources.text(key):
            into.fact(name, value.upper() if key == "gpu_type" else value, value.line, f"resources.{key}")
    nodes = [resources.text(key) for key in ("prefill_nodes", "decode_nodes", "agg_nodes")]
    counts = [each for each in nodes if each and each.isdigit()]
    if counts:
        into.fact("hardware.nodes", str(sum(map(int, counts))), counts[0].line, "nodes of all workers")


def _stack(table: Table, into: Gathering) -> None:
    dynamo = table.table("dynamo")
    if dynamo.get("install") != "false" and dynamo:
        line = table.line("dynamo")
        into.fact("stack.component", "dynamo", line, "dynamo")
        if version := dynamo.text("version") or dynamo.text("wheel"):
            into.fact(
                "stack.version", version, version.line, "dynamo.version" if "version" in dynamo else "dynamo.wheel"
            )
        elif commit := dynamo.text("hash"):
            into.fact("stack.commit", commit, commit.line, "dynamo.hash")
    frontend = table.table("frontend")
    if kind := frontend.text("type"):
        into.fact(
            "router.name", "dynamo frontend" if kind == "dynamo" else f"{kind} frontend", kind.line, "frontend.type"
        )
    if mode := frontend.table("args").text("router-mode"):
        into.fact("router.policy", mode, mode.line, "frontend.args.router-mode")
    for key, value in frontend.items():
        if key not in {"type", "args", "env"}:
            into.skip(f"frontend.{key} {value}", frontend.line(key), "a setup has no key for it")


def _workers(table: Table, into: Gathering) -> None:
    backend = table.table("backend")
    config = next((backend.table(name) for name in _CONFIGS if backend.table(name)), Table())
    kind = str(backend.get("type"))
    for name, side in _SIDES.items():
        section = config.table(name)
        if not section:
            continue
        part = into.part()
        _engine(table, part)
        _arguments(kind, section, config.line(name), part)
        read_environment(variables(table.table("environment")), part)
        read_environment(variables(backend.table(f"{name}_environment")), part)
        _counts(table.table("resources"), "agg" if name == "aggregated" else name, part)
        _settle_model(part, into)
        into.instance(name, config.line(name), part, side, side is not None, f"section {name}")
    if "aggregated" in config and not {"prefill", "decode"} & config.keys():
        into.fact("topology", "aggregated", config.line("aggregated"), "section aggregated")
    if store := backend.table("mooncake_kv_store"):
        into.skip(
            f"mooncake_kv_store {as_json(store.table('store_config'))}",
            backend.line("mooncake_kv_store"),
            "settings of the store; its build is not said",
        )


def _settle_model(part: Gathering, into: Gathering) -> None:
    """The recipe's identity names the model; what the worker serves it as only suggests it."""
    if any(fact.key == "model" for fact in into.facts):
        part.facts[:] = [fact for fact in part.facts if fact.key != "model"]
        into.suggestions[:] = [each for each in into.suggestions if each.key != "model"]


def _arguments(kind: str, section: Table, line: int, part: Gathering) -> None:
    if kind == "trtllm":
        read_trtllm(section, line, part)
    elif kind == "sglang":
        read_sglang(of_table(section), line, part)
    else:
        read_vllm(of_table(section), None, line, part)


def _counts(resources: Table, name: str, part: Gathering) -> None:
    workers, each = resources.text(f"{name}_workers"), resources.text(f"gpus_per_{name}")
    if workers:
        part.fact("side.instances", workers, workers.line, f"resources.{name}_workers")
    if workers and each and workers.isdigit() and each.isdigit():
        part.fact("side.gpus", str(int(workers) * int(each)), each.line, f"resources.gpus_per_{name} times workers")


def _benchmark(benchmark: Table, into: Gathering) -> None:
    for key, name in (("isl", "input_tokens"), ("osl", "output_tokens"), ("req_rate", "request_rate")):
        if value := benchmark.text(key):
            into.fact(f"workload.{name}", value, value.line, f"benchmark.{key}")
    if several := benchmark.text("concurrencies"):
        values = several.replace("x", " ").replace(",", " ").split()
        into.fact("workload.concurrency", ", ".join(values), several.line, "benchmark.concurrencies")
    if kind := benchmark.text("type"):
        into.fact("client.name", kind, kind.line, "benchmark.type") if kind != "custom" else into.skip(
            f"benchmark {benchmark.get('command', kind)}",
            kind.line,
            "a script of its own; what it sends is not said here",
        )
    if ratio := benchmark.text("random_range_ratio"):
        into.skip(
            f"random_range_ratio {ratio}",
            ratio.line,
            "lengths are spread; its meaning differs between clients and is not said",
        )
