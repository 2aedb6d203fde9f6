"""Files of a component that differ and of which no symbols can be compared: other languages, and Python not parsed."""

from __future__ import annotations

from collections.abc import Iterator

from kb.component import Component
from kb.scan.compare import own
from kb.scan.match import Status
from kb.scan.report import FileDifference, Report
from kb.scan.tree import Tree


def unread(report: Report, trees: tuple[Tree, Tree], component: Component) -> tuple[FileDifference, ...]:
    """The component's own files that a scan of the trees compared by lines or by bytes only, by path."""
    found = {each.path: each for each in report.files if not each.neighbour}
    found |= {each.path: each for each in _garbled(trees, component) if each.path not in found}
    return tuple(found[path] for path in sorted(found))


def _garbled(trees: tuple[Tree, Tree], component: Component) -> Iterator[FileDifference]:
    """Python that is no UTF-8: bytes that are told apart by nothing once they are read as text."""
    both = set.intersection(*(set(own(each, component)) for each in trees))
    for path in both:
        old, new = (each.content(path) for each in trees)
        if path.endswith(".py") and old != new and not (_is_text(old) and _is_text(new)):
            yield FileDifference(path, path, Status.CHANGED, why="it is no UTF-8")


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True
