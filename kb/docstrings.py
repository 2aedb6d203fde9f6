"""What stands under the fields of a model: their help text, read from the source when somebody asks for it.

pydantic can read it, too, but does so for every field whenever the models are imported: a fifth of the time it takes.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache

from pydantic import BaseModel


@cache
def descriptions(model: type[BaseModel]) -> Mapping[str, str]:
    """Field -> the text under it, those of the models it is made from included; the nearest goes first."""
    found: dict[str, str] = {}
    for each in reversed(model.__mro__):
        found |= _written(each.__module__).get(each.__qualname__, {}) if issubclass(each, BaseModel) else {}
    return {name: found[name] for name in model.model_fields if name in found}


@cache
def _written(module: str) -> Mapping[str, Mapping[str, str]]:
    """Class -> field -> text, of the classes of a module; nothing where its source is not there."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (KeyError, OSError, TypeError):
        return {}
    return {each.name: dict(_under_fields(each)) for each in tree.body if isinstance(each, ast.ClassDef)}


def _under_fields(found: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in zip(found.body, found.body[1:], strict=False):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, inspect.cleandoc(text)
