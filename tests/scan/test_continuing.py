"""kb.scan.continuing: a removed function and the added one that may go on with what it did."""

from __future__ import annotations

import pytest

from kb.present.scan import scan as shown
from kb.present.text import Page, Style
from tests.scan.made import scanned

OLD = """
class Worker:
    def _sync_after_mamba_recv(self, request):
        if self.device_type == "cuda" and self.has_mamba:
            current_stream = self.platform.current_stream()
            current_stream.synchronize()
            self.finished_requests.add(request)
"""
NEW = """
class Worker:
    def _sync_after_direct_recv(self, request, blocks):
        for current_block in blocks:
            current_stream = self.platform.current_stream()
            current_stream.wait_event(current_block.event)
        if self.device_type == "cuda":
            self.finished_requests.add(request)
            self.synchronize_blocks(blocks)
"""
OTHER = """
class Worker:
    def _count_free_blocks(self, pool):
        return sum(each.reference_count == 0 for each in pool.every_block)
"""


def perhaps(old: str, new: str) -> dict[str, str | None]:
    return {each.name: each.continued_by for each in scanned(old, new).symbols if each.status.value == "removed"}


def test_the_one_that_is_like_it_is_named() -> None:
    """Half of the words in common, and nothing is taken back: one is removed, the other added."""
    report = scanned(OLD, NEW + OTHER.replace("class Worker:\n", ""))
    assert {each.name: each.status.value for each in report.symbols if each.kind} == {
        "Worker._sync_after_mamba_recv": "removed",
        "Worker._sync_after_direct_recv": "added",
        "Worker._count_free_blocks": "added",
    }
    (gone,) = [each for each in report.symbols if each.continued_by]
    assert gone.continued_by == "Worker._sync_after_direct_recv"
    assert gone.as_dict()["continued_by"] == gone.continued_by
    assert "           perhaps continued by Worker._sync_after_direct_recv" in shown(report, Page(80, Style(False)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (OLD, OTHER),
        (OLD, "class Worker:\n    pass\n"),
        (
            OLD,
            NEW.replace("class Worker", "class Sender")
            .replace("current_stream", "other")
            .replace("device_type", "kind"),
        ),
        ("def f(x):\n    return x\n", "def g(x):\n    return x + 1\n"),
        ("def free_block(b):\n    return b.open\n", "def free_chunk(b):\n    return b.open\n"),
    ],
)
def test_nothing_is_named_on_little(old: str, new: str) -> None:
    """Another function, none, one elsewhere with little in common, or too few words to tell."""
    assert set(perhaps(old, new).values()) <= {None}
