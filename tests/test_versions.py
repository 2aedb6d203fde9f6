"""kb.versions: PEP 440 versions and ranges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from kb.versions import PinText, RangeText, VersionText, contains, overlap, parse, parse_range

RELEASES = st.lists(st.integers(0, 30), min_size=1, max_size=3).map(lambda parts: ".".join(map(str, parts)))
RANGES = st.one_of(
    st.just("*"),
    st.builds("{}{}".format, st.sampled_from([">=", "<", "<=", ">", "==", "!="]), RELEASES),
    st.builds(">={},<{}".format, RELEASES, RELEASES),
)


@pytest.mark.parametrize(
    ("span", "version", "inside"),
    [
        (">=0.10,<0.11", "0.10.2", True),
        (">=0.9", "0.10", True),
        ("<0.9", "0.10", False),
        ("*", "0.0.1.dev0", True),
        (">=0.24.0", "0.24.0rc1", False),
        (">=0.23", "0.24.0rc1", True),
        ("==1.2.*", "1.2.7", True),
        ("~=1.2", "1.9", True),
        (">=1", "unknown", None),
        ("main", "1.0", None),
        ("", "1.0", None),
    ],
)
def test_membership_is_pips(span: str, version: str, inside: bool | None) -> None:
    """By number, not by letter; candidates count; what is no version is neither in nor out."""
    assert contains(span, version) is inside


@given(st.text(max_size=20))
def test_any_text_is_a_version_or_none(text: str) -> None:
    """Reading raises nothing."""
    parse(text)
    parse_range(text)
    contains(text, text)


@given(RANGES, RANGES, st.lists(RELEASES, max_size=4))
def test_an_overlap_lies_in_both(one: str, other: str, known: list[str]) -> None:
    """What is named is in both ranges, and a known version in both is always found."""
    found = overlap(one, other, known)
    if found is not None:
        assert contains(one, found)
        assert contains(other, found)
    else:
        assert not any(contains(one, each) and contains(other, each) for each in known)


@given(RANGES, RANGES, RELEASES)
def test_no_overlap_means_no_version_in_both(one: str, other: str, version: str) -> None:
    """An unknown release in both ranges is an overlap too."""
    if contains(one, version) and contains(other, version):
        assert overlap(one, other, ()) is not None


@pytest.mark.parametrize("text", ["0.29.0", "v0.29.0", "0.26.0rc1", "0.11.2.dev358", "0.9.0+cu129", "1!2.0", "unknown"])
def test_versions_are_accepted(text: str) -> None:
    """A leading v is dropped."""
    assert TypeAdapter(VersionText).validate_python(text) == text.removeprefix("v")
    assert TypeAdapter(PinText).validate_python(text) == text.removeprefix("v")


@pytest.mark.parametrize("text", ["0.1O.0", "main", "latest", "", "1.2.x", ">= one"])
def test_what_is_none_is_refused_with_an_example(text: str) -> None:
    """The message shows what one looks like."""
    with pytest.raises(ValidationError, match="neither a version, a range"):
        TypeAdapter(PinText).validate_python(text)


@pytest.mark.parametrize("text", ["*", ">=1.2,<1.4", "==1.3.1", "<0.24"])
def test_ranges_are_accepted(text: str) -> None:
    """In pip's spelling."""
    assert TypeAdapter(RangeText).validate_python(text) == text
    assert TypeAdapter(PinText).validate_python(text) == text


@pytest.mark.parametrize("text", ["0.29.0", "unknown", "1.2 to 1.4", "^1.2"])
def test_what_is_no_range_is_refused(text: str) -> None:
    """A single version is written ==1.2."""
    with pytest.raises(ValidationError, match="not a range"):
        TypeAdapter(RangeText).validate_python(text)


@pytest.mark.parametrize("text", ["9" * 5000, "1." * 3000 + "0", ">=" + "9" * 5000])
def test_what_is_too_long_for_a_number_is_no_version(text: str) -> None:
    assert parse(text) is None
    assert parse_range(text) is None
