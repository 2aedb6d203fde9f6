"""Conditions around the code that differs."""

from __future__ import annotations

import pytest

from tests.scan.made import scanned

READS = "        self.deep = config.get_from_extra_config('enable_deep', False)\n"


def guarded(body: str, old: str = "old()", new: str = "new()", name: str = "Worker") -> list[str]:
    """Guards of a method, as `key op value` or as code."""
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    text = f"class {name}:\n    def __init__(self, config):\n{READS}    def go(self):\n{lines}"
    found = scanned(text, text.replace(old, new)).symbols
    (changed,) = [each for each in found if each.name.endswith("go")]
    return [f"{each.key} {each.op} {each.value}" if each.key else str(each) for each in changed.guards]


GUARDS = [
    ("if self.use_mla:\n    old()", ["kv_form is mla"]),
    ("if not self.use_mla:\n    old()", ["kv_form is-not mla"]),
    ("if self.use_mla:\n    a()\nelse:\n    old()", ["kv_form is-not mla"]),
    ("if not self.use_mla:\n    return\nold()", ["kv_form is mla"]),
    ("if self._has_mamba and x:\n    old()", ["family is hybrid-ssm"]),
    ("if self.deep:\n    old()", ["options.enable_deep is true"]),
    ("if envs.VLLM_DEEP:\n    old()", ["env.VLLM_DEEP set None"]),
    ("if self.kv_buffer_device == 'cpu':\n    old()", ["options.kv_buffer_device is cpu"]),
    ("if current_platform.is_rocm():\n    old()", ["current_platform.is_rocm()"]),
    ("for x in y:\n    if self.use_mla:\n        old()", ["kv_form is mla"]),
    ("old()", []),
    ("if x in y:\n    old()", []),
    ("if self.use_mla:\n    a()\nold()", []),
    ("if self.use_mla:\n    old()\nb(old())", []),
    ("if self.use_mla:\n    a()\n    return\nelse:\n    b()\nold()", []),
]


@pytest.mark.parametrize(("body", "said"), GUARDS)
def test_guards_around_what_differs(body: str, said: list[str]) -> None:
    """A guard is said when all that differs stands below it; conditions beside it or of no setup are none."""
    assert guarded(body) == said


ADDED = [
    ("if self.use_mla:\n    new()", ["kv_form is mla"]),
    ("if current_platform.is_rocm():\n    # flush\n    new()", ["current_platform.is_rocm()"]),
    ("if self.use_mla:\n    if self._has_mamba:\n        new()", ["kv_form is mla"]),
    ("if self.use_mla:\n    new()\nelse:\n    b()", []),
    ("if self.use_mla:\n    new()\nnew()", []),
]


@pytest.mark.parametrize(("body", "said"), ADDED)
def test_conditions_that_came_with_their_code(body: str, said: list[str]) -> None:
    """A condition that is new with all that is below it guards it; one with another branch does not."""
    block = body.replace("\n", "\n        ") + "\n        "
    assert guarded(f"a()\n{body}\nc()", block, "") == said


def test_classes_named_for_a_direction_guard_their_code() -> None:
    """Code of a pull class runs where the connector pulls."""
    assert guarded("old()", name="NixlPullWorker") == ["connector.mode is pull"]


@pytest.mark.parametrize("name", ["Pusher", "Pulley", "Worker"])
def test_other_words_are_no_direction(name: str) -> None:
    """A word that only begins like a direction says nothing."""
    assert guarded("old()", name=name) == []


def test_comments_are_not_what_differs() -> None:
    """A comment outside of the condition does not take its guard away."""
    assert guarded("# old() is below\nif self.use_mla:\n    old()") == ["kv_form is mla"]
