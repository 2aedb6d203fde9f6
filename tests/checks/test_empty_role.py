"""A role that is stated to be empty names no component, so that no check looks for its record."""

from typing import Any

import pytest
from pydantic import ValidationError

from kb.setup import Setup

from . import cases, fires, quiet, rows


@rows(
    "setup: {router: {component: none}, cache: {component: none}, stack: {component: none}}",
    "# entries/deployments/it.yaml\nsetup: {router: {component: none}, stack: {component: none}}",
)
def test_none_is_no_component(fragment: str) -> None:
    """Nobody has to record it."""
    quiet("unknown-record", fragment)


@cases(
    ("setup: {router: {component: nothing}}", "nothing"),
)
def test_another_word_is_one(fragment: str, says: str) -> None:
    """Only `none` is reserved."""
    fires("unknown-record", fragment, says)


@pytest.mark.parametrize(
    ("setup", "says"),
    [
        ({"router": {"component": "none", "version": "0.1.0"}}, "version of it is stated"),
        (
            {"cache": {"component": "none", "commit": "abcdef1", "as_of": "2026-01-01"}},
            "commit, as_of of it are stated",
        ),
        ({"router": {"component": "none", "policy": "fixed-pair"}}, "policy of it is stated"),
        ({"prefill": {"engine": {"component": "none", "image": "x:1"}}}, "image of it is stated"),
    ],
)
def test_an_empty_role_has_no_build(setup: dict[str, Any], says: str) -> None:
    """One of the two is wrong, and which one the author knows."""
    with pytest.raises(ValidationError, match=f"component is none, and {says}"):
        Setup.model_validate(setup)


@pytest.mark.parametrize(
    "pin", [{"component": "none"}, {"component": "gate", "version": "0.1.0"}, {"version": "unknown"}]
)
def test_an_empty_role_alone_is_a_value(pin: dict[str, Any]) -> None:
    """As is a pin whose component nobody states."""
    assert Setup.model_validate({"router": pin}).router is not None


def test_a_role_that_an_arm_empties_keeps_nothing() -> None:
    """An arm may be without the router that the setup of all has."""
    common = Setup.model_validate({"router": {"component": "gate", "version": "0.1.0"}})
    arm = common.over(Setup.model_validate({"router": {"component": "none"}}))
    assert (arm.pins(), arm.flat()) == ({}, {"router.component": "none"})
