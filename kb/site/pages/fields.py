"""The record reference: every field of every kind of record, from the schemas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kb.schema import MODELS, schema
from kb.site import address
from kb.site.gather import Gathered
from kb.site.page import Later, Page


def pages(gathered: Gathered) -> Iterator[Later]:
    """One page for each kind of record, and their list."""
    del gathered
    yield Later("fields", "", _made)


def _made() -> Iterator[Page]:
    names = list(MODELS)
    schemas = {name: schema(name) for name in names}
    for name, found in schemas.items():
        parts = [_part(name, found), *(_part(each, inner) for each, inner in sorted(found.get("$defs", {}).items()))]
        values = {"name": name, "parts_list": parts, "names": names, "says": found.get("description", "")}
        yield Page(f"fields/{name}.html", "fields", f"Fields: {name}", values, section="fields")
    rows = [{"name": name, "says": found.get("description", "")} for name, found in schemas.items()]
    yield Page("fields/index.html", "fieldlist", "Fields of records", {"rows": rows}, section="fields")


def _part(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    required = set(found.get("required", ()))
    return {
        "name": name,
        "anchor": address.anchor("part", name),
        "says": found.get("description", ""),
        "members": [str(each) for each in found.get("enum", ())],
        "fields": [
            {
                "name": field,
                "says": inner.get("description", ""),
                "type": list(_types(inner)),
                "required": field in required,
            }
            for field, inner in found.get("properties", {}).items()
        ],
    }


def _types(inner: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """What a field takes: words, and the parts that it leads to."""
    if "$ref" in inner:
        name = inner["$ref"].rpartition("/")[2]
        yield {"text": name, "anchor": address.anchor("part", name)}
    elif "anyOf" in inner or "oneOf" in inner:
        for each in inner.get("anyOf", inner.get("oneOf", ())):
            if each.get("type") != "null":
                yield from _types(each)
    elif inner.get("type") == "array":
        items = inner.get("items") or (inner.get("prefixItems") or [{}])[0]
        yield from ({**each, "text": f"list of {each['text']}"} for each in _types(items))
    elif "enum" in inner:
        yield {"text": ", ".join(map(str, inner["enum"])), "anchor": ""}
    elif "const" in inner:
        yield {"text": str(inner["const"]), "anchor": ""}
    else:
        yield {"text": str(inner.get("type", "any")), "anchor": ""}
