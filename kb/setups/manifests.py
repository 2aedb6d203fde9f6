"""Kubernetes manifests: Deployment, StatefulSet, LeaderWorkerSet, Pod, Job, what templates print, and patches.

The side of a workload is read from the label `llm-d.ai/role`; a name alone only suggests it.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.setups.containers import gpus, read_container, several_gpus, words
from kb.setups.gathering import Gathering, side_in_name
from kb.setups.reading import Found, SideName
from kb.setups.shell import LAUNCH
from kb.setups.source import Source, Table

NAME = "kubernetes"

KINDS = frozenset(
    {
        "Deployment",
        "StatefulSet",
        "DaemonSet",
        "ReplicaSet",
        "Pod",
        "Job",
        "LeaderWorkerSet",
        "InferenceService",
        "LLMInferenceService",
    }
)
ROLE_LABELS = ("llm-d.ai/role", "llm-d.ai/role-type", "role", "nvidia.com/dynamo-sub-component-type")
"""Labels by which routers tell the sides apart; `role` alone is a common habit and only suggests."""
ACCELERATOR = (
    "nvidia.com/gpu.product",
    "cloud.google.com/gke-accelerator",
    "gpu.nvidia.com/model",
    "node.kubernetes.io/instance-type",
)


def _workloads(source: Source) -> Iterator[Table]:
    for table in source.tables:
        if table.get("kind") == "List":
            yield from table.tables("items")
        else:
            yield table


def recognises(source: Source) -> bool:
    found = list(_workloads(source))
    return any(each.get("kind") in KINDS and "apiVersion" in each for each in found) and not any(
        each.get("kind") in {"DynamoGraphDeployment", "Kustomization"} for each in found
    )


def read(source: Source) -> Found:
    into = Gathering(source)
    for table in _workloads(source):
        if table.get("kind") in KINDS:
            read_workload(table, into)
    if not into.instances and not into.facts:
        into.skip("no server", 1, "no container starts a server that this reader knows")
    return into.found()


def read_workload(table: Table, into: Gathering) -> None:
    """The servers of one workload."""
    name = str(table.table("metadata").get("name") or table.get("kind"))
    for template, size, leader in _templates(table):
        spec = template.table("spec") if "spec" in template else template
        side = _side(table, template, name)
        for container in spec.tables("containers"):
            own = _with_script(container, spec)
            if not _container(own, table, spec, size, f"{name} {leader}".strip(), side, into):
                line = container.line("name")
                into.skip(f"container {container.get('name', '')}", line, "starts no server that this reader knows")


def _with_script(container: Table, spec: Table) -> Table:
    """A container whose command is a script that an init container writes: with the script as its command."""
    command = words(container.get("command"))
    for each in spec.tables("initContainers"):
        for text in (*words(each.get("command")), *words(each.get("args"))):
            if len(command) == 1 and f"> {command[0]} " in text.replace("\n", " \n") and LAUNCH.search(text):
                copy = Table()
                copy.update(container)
                copy.lines = dict(container.lines)
                copy["command"] = [text]
                return copy
    return container


def _templates(table: Table) -> Iterator[tuple[Table, str | None, str]]:
    """Pod templates with the machines of a group and the part they play in it."""
    spec = table.table("spec")
    if group := spec.table("leaderWorkerTemplate"):
        size = group.text("size")
        for key in ("leaderTemplate", "workerTemplate"):
            if group.table(key):
                yield group.table(key), size, key.removesuffix("Template")
        return
    yield (spec.table("template") or (table if table.get("kind") == "Pod" else spec)), None, ""


def _side(table: Table, template: Table, name: str) -> tuple[SideName | None, bool, str]:
    labels = [template.table("metadata").table("labels"), table.table("metadata").table("labels")]
    for label in ROLE_LABELS:
        for each in labels:
            value = each.get(label)
            if value in {"prefill", "decode"}:
                return value, label != "role", f"label {label}: {value}"
    side = side_in_name(name)
    return side, False, f"the name {name}" if side else ""


def _container(
    container: Table,
    table: Table,
    spec: Table,
    size: str | None,
    name: str,
    side: tuple[SideName | None, bool, str],
    into: Gathering,
) -> bool:
    part = into.part()
    replicas = table.table("spec").text("replicas")
    if found := gpus(container):
        count, line = found
        each = several_gpus(count, size)
        total = several_gpus(each, replicas) if each else None
        if total and (replicas or table.get("kind") == "Pod"):
            part.fact(
                "side.gpus", total, line, "GPUs asked for, times replicas" if total != count else "GPUs asked for"
            )
        elif replicas is None:
            into.skip(f"{count} GPUs each", line, "replicas are not given here, so the total is not known")
    if replicas:
        part.fact("side.instances", replicas, replicas.line, "replicas")
    _machine(spec, into)
    before = len(into.instances) + len(into.facts)
    read_container(container, into, name, part=part, side=side)
    return len(into.instances) + len(into.facts) > before


def _machine(spec: Table, into: Gathering) -> None:
    """A node selector names a product by a label of the cluster, not by the maker's name: a suggestion."""
    selector = spec.table("nodeSelector")
    for label in ACCELERATOR:
        if value := selector.text(label):
            key = "hardware.instance" if "instance-type" in label else "hardware.gpu"
            if not any(each.value == value for each in into.suggestions):
                into.suggest(key, value, value.line, f"node selector {label}")
