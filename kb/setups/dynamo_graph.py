"""DynamoGraphDeployment manifests, v1alpha1 (`spec.services`) and v1beta1 (`spec.components`)."""

from __future__ import annotations

from collections.abc import Iterator

from kb.setups.containers import read_container, several_gpus
from kb.setups.gathering import Gathering, side_in_name
from kb.setups.images import parts
from kb.setups.reading import Found, SideName
from kb.setups.source import Source, Table

NAME = "dynamo-graph"


def recognises(source: Source) -> bool:
    return any(table.get("kind") == "DynamoGraphDeployment" for table in source.tables)


def read(source: Source) -> Found:
    into = Gathering(source)
    for table in source.tables:
        if table.get("kind") == "DynamoGraphDeployment":
            into.fact("stack.component", "dynamo", table.line("kind"), "kind DynamoGraphDeployment")
            for name, line, service in _services(table.table("spec")):
                _service(name, line, service, table.table("spec"), into)
    return into.found()


def _services(spec: Table) -> Iterator[tuple[str, int, Table]]:
    services = spec.table("services")
    for name in services:
        yield name, services.line(name), services.table(name)
    for each in spec.tables("components"):
        yield str(each.get("name") or "component"), each.line("name"), each


def _service(name: str, line: int, service: Table, spec: Table, into: Gathering) -> None:
    kind = str(service.get("componentType") or service.get("type") or "")
    if kind == "frontend":
        into.fact("router.name", "dynamo frontend", line, f"service {name}")
    container = _container(service)
    container["env"] = [*spec.items_of("envs"), *service.items_of("envs"), *container.items_of("env")]
    part = into.part()
    _counts(service, part)
    _image(container, into)
    if kind != "frontend" and not read_container(container, into, name, part=part, side=_side(name, service)):
        into.skip(f"service {name}", line, "starts no server that this reader knows")


def _container(service: Table) -> Table:
    pod = service.table("extraPodSpec") or service.table("podTemplate").table("spec")
    container = Table()
    main = pod.table("mainContainer") or next(iter(pod.tables("containers")), Table())
    container.update(main)
    container.lines = dict(main.lines)
    return container


def _side(name: str, service: Table) -> tuple[SideName | None, bool, str]:
    stated = service.get("subComponentType") or service.get("type")
    if stated in {"prefill", "decode"}:
        return stated, True, f"subComponentType {stated}"
    side = side_in_name(name)
    return side, False, f"the name {name}" if side else ""


def _counts(service: Table, part: Gathering) -> None:
    replicas = service.text("replicas")
    if replicas:
        part.fact("side.instances", replicas, replicas.line, "replicas")
    for key in ("limits", "requests"):
        table = service.table("resources").table(key)
        if (gpu := table.text("gpu")) and (total := several_gpus(gpu, replicas)):
            part.fact("side.gpus", total, gpu.line, f"resources.{key}.gpu times replicas")
            return


def _image(container: Table, into: Gathering) -> None:
    image = container.text("image")
    if (image and "ai-dynamo" in image) or (image and "dynamo" in image):
        tag = parts(image)[1]
        if tag and not any(each.key == "stack.version" and each.value == tag for each in into.suggestions):
            into.suggest(
                "stack.version", tag, image.line, "the tag of a Dynamo image; the engine in it has a version of its own"
            )
