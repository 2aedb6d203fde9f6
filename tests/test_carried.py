"""kb.carried: the releases a change ships in, and where it came and went."""

from __future__ import annotations

import pytest

from kb.carried import introduced, removed, versions
from kb.change import Change

RELEASES = {"orbit": ("1.0.0", "1.10.0", "1.2.0", "1.3.0rc1", "1.3.0"), "lib": ("0.1.0",)}


def change(*ships: tuple[str, str], checked: tuple[str, ...] = ()) -> Change:
    facts = [
        {"distribution": "orbit", "artifact": "wheel", "versions": span, "ships": ships_, "checked": checked}
        for span, ships_ in ships
    ]
    fields = {"id": "x", "title": "x", "component": "orbit", "kind": "fix", "status": "merged", "summary": "x"}
    return Change.model_validate({**fields, "ships": facts})


@pytest.mark.parametrize(
    ("ships", "carried", "came", "gone"),
    [
        ([("<1.2.0", "no"), (">=1.2.0", "yes")], ("1.2.0", "1.3.0rc1", "1.3.0", "1.10.0"), ("1.2.0",), ()),
        ([("<1.2.0", "yes"), (">=1.2.0", "no")], ("1.0.0",), (), ("1.2.0",)),
        ([("==1.2.0", "yes")], ("1.2.0",), (), ()),
        ([("==1.0.0", "no"), ("==1.3.0", "yes")], ("1.3.0",), ("1.3.0",), ()),
        ([("==1.0.0", "no"), ("==1.2.0", "yes"), ("==1.3.0", "no"), ("==1.10.0", "yes")],
         ("1.2.0", "1.10.0"), ("1.2.0", "1.10.0"), ("1.3.0",)),
        ([("*", "not-established")], (), (), ()),
        ([(">=1.2.0", "yes"), (">=1.3.0", "no"), ("<1.2.0", "no")], ("1.2.0", "1.3.0rc1"), ("1.2.0",), ()),
        ([], (), (), ()),
    ],
)  # fmt: skip
def test_releases_of_a_change(
    ships: list[tuple[str, str]], carried: tuple[str, ...], came: tuple[str, ...], gone: tuple[str, ...]
) -> None:
    """Ordered as PEP 440 orders them; what is not established, or said both ways, is in no list."""
    record = change(*ships)
    assert versions(record, RELEASES) == carried
    assert introduced(record, RELEASES) == came
    assert removed(record, RELEASES) == gone


def test_unknown_distribution_has_what_was_opened() -> None:
    """Without a list of releases, versions that were opened are all that is known."""
    assert versions(change((">=1.0", "yes"), checked=("1.1.0", "abcdef0")), {}) == ("1.1.0",)
    assert introduced(change((">=1.0", "yes"), checked=("1.1.0",)), {}) == ()


def test_other_distribution_counts_nothing() -> None:
    """Releases of another distribution carry nothing."""
    assert versions(change(("*", "yes")), {"lib": ("0.1.0",)}) == ()
