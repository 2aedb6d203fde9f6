"""Docker compose files: each service that starts a server is an instance."""

from __future__ import annotations

from kb.setups.containers import read_container
from kb.setups.gathering import Gathering, side_in_name
from kb.setups.reading import Found
from kb.setups.source import Source, Table, Text

NAME = "compose"


def recognises(source: Source) -> bool:
    return any(
        "apiVersion" not in table
        and table.table("services")
        and any(
            isinstance(each, Table) and {"image", "command", "build"} & each.keys()
            for each in table.table("services").values()
        )
        for table in source.tables
    )


def read(source: Source) -> Found:
    into = Gathering(source)
    for table in source.tables:
        services = table.table("services")
        for name in services:
            service = services.table(name)
            part = into.part()
            _gpus(service, part)
            container = _cut(service)
            side = side_in_name(name)
            if not read_container(
                container, into, name, part=part, side=(side, False, f"the name {name}" if side else "")
            ):
                into.skip(f"service {name}", services.line(name), "starts no server that this reader knows")
    return into.found()


def _cut(service: Table) -> Table:
    """A command written as one text is a shell's, when it begins with options."""
    command = service.get("command")
    if isinstance(command, Text) and command.lstrip().startswith("-"):
        copy = Table()
        copy.update(service)
        copy.lines = dict(service.lines)
        copy["command"] = [
            Text(f"vllm serve {command}" if "vllm" in str(service.get("image")) else command, command.line)
        ]
        return copy
    return service


def _gpus(service: Table, part: Gathering) -> None:
    devices = service.table("deploy").table("resources").table("reservations").tables("devices")
    for device in devices:
        count, ids = device.text("count"), device.items_of("device_ids")
        if count and count.isdigit():
            part.fact("side.gpus", count, count.line, "device count")
        elif ids:
            part.fact("side.gpus", str(len(ids)), device.line("device_ids"), "device_ids")
    if replicas := service.table("deploy").text("replicas"):
        part.fact("side.instances", replicas, replicas.line, "deploy.replicas")
