"""The scenario part of llm-d benchmark reports 0.1, 0.2 and 0.2.1 (YAML or JSON)."""

from __future__ import annotations

from kb.setups.arguments import of_table
from kb.setups.containers import several_gpus, variables
from kb.setups.environment import read_environment
from kb.setups.gathering import Gathering
from kb.setups.images import read_image
from kb.setups.reading import Found, SideName
from kb.setups.source import Source, Table, Text
from kb.setups.vllm_options import read_vllm
from kb.versions import parse

NAME = "llm-d-report"

_SIDES: dict[str, SideName] = {"prefill": "prefill", "decode": "decode"}
PARALLEL = ("tp", "pp", "dp", "ep")


def recognises(source: Source) -> bool:
    return any(
        isinstance(table.get("version"), Text)
        and table.table("scenario")
        and bool({"metrics", "results", "run"} & table.keys())
        for table in source.tables
    )


def read(source: Source) -> Found:
    into = Gathering(source)
    table = next(each for each in source.tables if each.table("scenario"))
    scenario = table.table("scenario")
    if scenario.tables("stack"):
        _stack(scenario, into)
    else:
        _first(scenario, into)
    return into.found()


def _first(scenario: Table, into: Gathering) -> None:
    """0.1: parallel lists of hosts, accelerators and engines."""
    host, engines = scenario.table("host"), scenario.table("platform").tables("engine")
    types = [str(each) for each in host.items_of("type")]
    accelerators = host.tables("accelerator")
    model = scenario.table("model")
    if name := model.text("name"):
        into.fact("model", name, name.line, "scenario.model.name")
    if precision := model.text("quantization"):
        into.fact("precision", precision, precision.line, "scenario.model.quantization")
    for number, engine in enumerate(engines):
        part = into.part()
        kind = types[number] if number < len(types) else ""
        _engine(engine, part)
        if number < len(accelerators):
            _accelerator(accelerators[number], part, None)
        side = _SIDES.get(kind)
        into.instance(
            f"{kind or 'engine'} {number + 1}", engine.line("name"), part, side, side is not None, f"host.type {kind}"
        )
    for side_name in _SIDES.values():
        own = [number for number, kind in enumerate(types) if kind == side_name]
        if not own:
            continue
        into.fact(f"{side_name}.instances", str(len(own)), host.line("type"), "entries of host.type")
        counts = [accelerators[number].text("count") for number in own if number < len(accelerators)]
        if len(counts) == len(own) and all(each and each.isdigit() for each in counts):
            total = sum(int(each) for each in counts if each)
            into.fact(f"{side_name}.gpus", str(total), host.line("accelerator"), "accelerator.count of all its hosts")
    load = scenario.table("load")
    if name := load.text("name"):
        into.fact("client.name", name, name.line, "scenario.load.name")
    if load.table("args"):
        into.skip(
            f"load.args {', '.join(load.table('args'))}", load.line("args"), "arguments in the harness's own words"
        )


def _engine(engine: Table, part: Gathering) -> None:
    name, version = engine.text("name"), engine.text("version")
    args = engine.table("args")
    if name in {"vllm", "sglang"}:
        part.fact("engine.component", name, name.line, "engine.name")
    if name == "vllm":
        read_vllm(of_table(args), None, engine.line("name"), part)
    if version:
        part.fact("engine.version", version, version.line, "engine.version")


def _accelerator(accelerator: Table, part: Gathering, replicas: Text | None) -> None:
    if model := accelerator.text("model"):
        part.fact("side.gpu", model, model.line, "accelerator.model")
    count = accelerator.text("count")
    if count and replicas and (total := several_gpus(count, replicas)):
        part.fact("side.gpus", total, count.line, "accelerator.count times replicas")
    parallelism = accelerator.table("parallelism")
    for key in PARALLEL:
        if value := parallelism.text(key):
            part.agreed(f"side.{key}", value, value.line, f"accelerator.parallelism.{key}")


def _stack(scenario: Table, into: Gathering) -> None:
    """0.2: a list of components, each standardised and in its own words."""
    for component in scenario.tables("stack"):
        standard = component.table("standardized")
        label = str(component.table("metadata").get("label") or standard.get("tool") or "component")
        if standard.get("kind") == "inference_engine":
            _inference(label, standard, component.table("native"), into)
        else:
            _generic(standard, into)
    _load(scenario.table("load").table("standardized"), into)


def _inference(label: str, standard: Table, native: Table, into: Gathering) -> None:
    part = into.part()
    line = standard.line("kind")
    version = standard.text("tool_version")
    if version and "/" in version:
        read_image(version, version.line, part)
    elif version and parse(version):
        part.fact("engine.version", version, version.line, "tool_version")
    read_vllm(of_table(native.table("args")), None, line, part)
    if model := standard.table("model").text("name"):
        part.fact("model", model, model.line, "standardized.model.name")
    replicas = standard.text("replicas")
    if replicas:
        part.fact("side.instances", replicas, replicas.line, "standardized.replicas")
    _accelerator(standard.table("accelerator"), part, replicas)
    read_environment(variables(native.table("envars")), part)
    side = _SIDES.get(str(standard.get("role")))
    into.instance(label, line, part, side, side is not None, f"role {standard.get('role')}")


def _generic(standard: Table, into: Gathering) -> None:
    tool, version = standard.text("tool"), standard.text("tool_version")
    if not tool:
        return
    if standard.get("kind_draft") == "router" or "scheduler" in tool or "router" in tool:
        into.fact("router.name", tool, tool.line, "standardized.tool")
        if version and "/" in version:
            into.fact("router.image", version, version.line, "standardized.tool_version")
    else:
        into.skip(f"component {tool}", tool.line, "a setup has no key for it")


def _load(load: Table, into: Gathering) -> None:
    if tool := load.text("tool"):
        into.fact("client.name", tool, tool.line, "load.tool")
        if (version := load.text("tool_version")) and parse(version):
            into.fact("client.version", version, version.line, "load.tool_version")
    for key, name in (("input_seq_len", "input_tokens"), ("output_seq_len", "output_tokens")):
        length = load.table(key)
        value = length.text("value")
        if value and length.get("distribution") == "fixed":
            into.fact(f"workload.{name}", value, length.line("value"), f"load.{key}")
        elif value:
            into.skip(
                f"{key} {length.get('distribution')} {value}",
                length.line("value"),
                "a distribution; whether it was met stands in the results",
            )
    if rate := load.text("rate_qps"):
        into.fact("workload.request_rate", rate, rate.line, "load.rate_qps")
    if (turns := load.table("multi_turn")) and turns.get("enabled") in {"true", "false"}:
        into.fact(
            "workload.turns",
            "multi" if turns["enabled"] == "true" else "single",
            turns.line("enabled"),
            "load.multi_turn.enabled",
        )
