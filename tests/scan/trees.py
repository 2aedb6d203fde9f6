"""Trees from texts."""

from __future__ import annotations

from textwrap import dedent

from kb.scan.tree import Tree


def tree(label: str = "1.0.0", **files: str | bytes) -> Tree:
    """A release with these files; `__` in a name is a slash, a last `_py` or `_txt` its ending."""
    return of({_path(name): text for name, text in files.items()}, label)


def of(files: dict[str, str | bytes], label: str = "1.0.0") -> Tree:
    """A release with files by path."""
    data = {path: dedent(text).encode() if isinstance(text, str) else text for path, text in files.items()}
    return Tree(label, tuple(sorted(data)), data.__getitem__)


def _path(name: str) -> str:
    stem, _, ending = name.replace("__", "/").rpartition("_")
    return f"{stem}.{ending}" if ending in {"py", "txt", "toml", "so"} else name.replace("__", "/")
