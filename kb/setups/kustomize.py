"""Kustomizations with patches in them, and patches as lists of operations (RFC 6902)."""

from __future__ import annotations

from kb.setups.containers import variables
from kb.setups.environment import read_environment
from kb.setups.gathering import Gathering, side_in_name
from kb.setups.images import read_image
from kb.setups.manifests import KINDS, read_workload
from kb.setups.reading import Found
from kb.setups.servers import read_commands, read_server
from kb.setups.shell import LAUNCH
from kb.setups.source import Source, Table, Text

NAME = "kustomize"


def recognises(source: Source) -> bool:
    return any(
        each.get("kind") == "Kustomization" or ("patches" in each and "resources" in each) for each in source.tables
    ) or any(_operations(each) for each in source.documents)


def _operations(document: object) -> bool:
    return (
        isinstance(document, list)
        and bool(document)
        and all(isinstance(each, Table) and {"op", "path"} <= each.keys() for each in document)
    )


def read(source: Source) -> Found:
    into = Gathering(source)
    for document in source.documents:
        if _operations(document):
            _patch(document, "patch", into)
        elif isinstance(document, Table):
            _kustomization(document, into)
    return into.found()


def _kustomization(table: Table, into: Gathering) -> None:
    for resource in (*table.items_of("resources"), *table.items_of("components")):
        if isinstance(resource, Text):
            into.skip(f"resource {resource}", resource.line, "another file; what it says is not read here")
    for image in table.tables("images"):
        _image(image, into)
    for patch in (*table.tables("patches"), *table.tables("patchesJson6902")):
        text = patch.text("patch")
        target = patch.table("target")
        if text is None:
            into.skip(
                f"patch {patch.get('path', '')}", patch.line("path"), "another file; what it says is not read here"
            )
            continue
        _inline(text, str(target.get("name") or target.get("labelSelector") or "patch"), into)


def _inline(text: Text, name: str, into: Gathering) -> None:
    inner = Source(into.source.name, "\n" * (text.line - 1) + text)
    for document in inner.documents:
        if _operations(document):
            _patch(document, name, into)
        elif isinstance(document, Table) and document.get("kind") in KINDS:
            read_workload(document, into)


def _image(image: Table, into: Gathering) -> None:
    name = image.text("newName") or image.text("name")
    tag = image.text("newTag") or image.text("digest")
    if name and ("vllm" in name or "sglang" in name or "llm-d" in name):
        part = into.part()
        read_image(f"{name}:{tag}" if tag else str(name), name.line, part)
        into.facts += part.facts


def _patch(operations: list[Table], name: str, into: Gathering) -> None:
    """Operations as one instance: values of args and env paths are read, the rest is named."""
    part = into.part()
    words: list[Text] = []
    for each in operations:
        path, value = str(each.get("path")), each.get("value")
        if each.get("op") == "remove":
            into.skip(f"remove {path}", each.line("path"), "what it takes away stands in another file")
        elif "/args" in path or "/command" in path:
            words += [value] if isinstance(value, Text) else [word for word in value or [] if isinstance(word, Text)]
        elif "/env" in path:
            read_environment(variables(value if isinstance(value, list) else [value]), part)
        elif path.endswith("/replicas") and isinstance(value, Text):
            part.fact("side.instances", value, value.line, "replicas")
        elif path.endswith("/image") and isinstance(value, Text):
            read_image(value, value.line, part)
        else:
            into.skip(
                f"{each.get('op')} {path}", each.line("path"), "not about arguments, variables, replicas or the image"
            )
    line = words[0].line if words else operations[0].line("op")
    side = side_in_name(name)
    scripts = [word for word in words if LAUNCH.search(word)]
    if scripts:
        for script in scripts:
            read_commands(script, into, script.line, name=name)
        return
    own = read_server("vllm", words, line, part) if words else (None, False, "")
    given = (side, False, f"the name {name}" if side else "")
    into.instance(name, line, part, *(own if own[1] else given))
