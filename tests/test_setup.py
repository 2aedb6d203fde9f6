# ruff: noqa: E501  rows read better unbroken
"""kb.setup: keys, laying one setup over another, one row per fact."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.examples import EXAMPLES
from kb.frontmatter import load
from kb.setup import Setup, Spread, is_key, keys, plain_number
from kb.template import inner


def setup(**fields: Any) -> Setup:
    return Setup.model_validate(fields)


def test_what_holds_on_both_sides_holds_on_each() -> None:
    """A side's own fact goes before the common one."""
    flat = setup(both={"prefix_caching": "off", "tp": 2}, decode={"tp": 4}).flat()
    assert flat["prefill.prefix_caching"] == flat["decode.prefix_caching"] == "off"
    assert (flat["prefill.tp"], flat["decode.tp"]) == (2, 4)


def test_common_pins_are_repeated_for_each_side() -> None:
    """A side may run another build."""
    flat = setup(engine={"component": "vllm", "version": "0.29.0"}, decode={"engine": {"version": "0.28.0"}}).flat()
    assert (flat["prefill.engine.version"], flat["decode.engine.version"]) == ("0.29.0", "0.28.0")


def test_versions_are_listed_by_component() -> None:
    """Two when the sides run two; unknown counts as a value."""
    both = setup(
        engine={"component": "vllm", "version": "0.29.0"},
        decode={"engine": {"component": "vllm", "version": "0.28.0"}},
        transfer_library={"component": "nixl", "version": "unknown"},
    )
    assert both.flat()["versions.vllm"] == ["0.29.0", "0.28.0"]
    assert both.flat()["versions.nixl"] == "unknown"
    assert "versions.vllm" not in setup(engine={"component": "vllm"}).flat()


def test_an_arm_lays_over_the_common_part_key_by_key() -> None:
    """What it does not state stays."""
    common = setup(model="m", engine={"component": "vllm", "version": "0.28.0"}, options={"a": "1", "b": "2"})
    arm = common.over(setup(engine={"version": "0.29.0"}, options={"b": "3"}))
    assert arm.flat() == {
        "model": "m",
        **{f"{side}engine.{key}": value for side in ("", "prefill.", "decode.") for key, value in (("component", "vllm"), ("version", "0.29.0"))},
        "options.a": "1",
        "options.b": "3",
        "versions.vllm": "0.29.0",
    }  # fmt: skip


def test_a_spread_is_replaced_as_a_whole() -> None:
    """Half of one and half of another is neither."""
    common = setup(workload={"input_tokens": {"mean": 4000, "std": 10}, "output_tokens": 128})
    arm = common.over(setup(workload={"input_tokens": 2048}))
    assert arm.flat()["workload.input_tokens"] == [2048]
    assert arm.flat()["workload.output_tokens"] == [128]


STATED = st.fixed_dictionaries(
    {},
    optional={
        "model": st.sampled_from(["a", "b", "unknown"]),
        "both": st.fixed_dictionaries(
            {}, optional={"tp": st.integers(1, 8), "prefix_caching": st.sampled_from(["on", "off"])}
        ),
        "workload": st.fixed_dictionaries(
            {}, optional={"request_rate": st.integers(1, 9), "repeats": st.just("unknown")}
        ),
        "options": st.dictionaries(st.sampled_from("xyz"), st.sampled_from("123"), max_size=2),
    },
)


@given(STATED, STATED, STATED)
def test_laying_over_is_associative(a: dict[str, Any], b: dict[str, Any], c: dict[str, Any]) -> None:
    """It does not matter which pair is joined first, and a setup laid over itself is itself."""
    one, two, three = setup(**a), setup(**b), setup(**c)
    assert one.over(two).over(three).flat() == one.over(two.over(three)).flat()
    assert one.over(one).flat() == one.flat()
    assert Setup().over(one).flat() == one.over(Setup()).flat() == one.flat()


@given(STATED, STATED)
def test_the_upper_setup_wins(a: dict[str, Any], b: dict[str, Any]) -> None:
    """Every fact of the upper one is in the result."""
    upper = setup(**b).flat()
    joined = setup(**a).over(setup(**b)).flat()
    assert {key: joined[key] for key in upper} == upper


def test_unknown_is_a_value() -> None:
    """It is stated, and differs from absent."""
    flat = setup(model="unknown", workload={"request_rate": "unknown"}).flat()
    assert flat == {"model": "unknown", "workload.request_rate": "unknown"}


@pytest.mark.parametrize("written", ["yes", "true", "enabled", "ON", True])
def test_switches_read_many_words(written: Any) -> None:
    """On is on."""
    assert setup(both={"prefix_caching": written}).flat()["both.prefix_caching"] == "on"


def test_keys_are_read_off_the_models() -> None:
    """Every key has a meaning; options and environment are open."""
    assert all(keys().values())
    assert {"model", "prefill.tp", "decode.connector.mode", "workload.input_tokens", "slo.ttft"} <= set(keys())
    assert not {"options", "env", "workload.input_tokens.mean", "both"} & set(keys())


@pytest.mark.parametrize(
    ("key", "known"),
    [
        ("decode.prefix_caching", True),
        ("options.anything", True),
        ("env.UCX_TLS", True),
        ("versions.vllm", True),
        ("caller.num_threads", True),
        ("options.", False),
        ("options", False),
        ("decode", False),
        ("prefix_caching", False),
        ("", False),
    ],
)
def test_what_a_condition_may_speak_of(key: str, known: bool) -> None:
    """A setup key, or an open prefix with a name after it."""
    assert is_key(key) is known


def test_every_stated_fact_has_a_key() -> None:
    """`flat` and `keys` name facts alike."""
    full = setup(
        model="m",
        hardware={"gpu": "H200"},
        connector={"component": "vllm-nixl-push", "mode": "push"},
        both={"tp": 2, "kv_memory": "fresh"},
        workload={"input_tokens": "1000..16000"},
        slo={"ttft": 200},
        options={"a": "1"},
    )
    assert [key for key in full.flat() if not is_key(key)] == []


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"values": [1, 2.5]}, "1, 2.5"),
        ({"min": 1000, "max": 16000, "shape": "sweep"}, "1000 to 16000"),
        ({"min": 1, "max": 9, "shape": "uniform"}, "uniform 1 to 9"),
        ({"shape": "lognormal", "mean": 4000, "p99": 9000}, "lognormal mean 4000 p99 9000"),
        ({"shape": "unknown"}, "unknown"),
        ({"values": [float("inf")]}, "inf"),
        ({}, "unknown"),
    ],
)
def test_a_spread_reads_as_words(fields: dict[str, Any], text: str) -> None:
    """For tables and messages."""
    assert str(Spread.model_validate(fields)) == text


def test_plain_numbers() -> None:
    """No needless `.0`."""
    assert [plain_number(each) for each in (3.0, 0.5, None, float("inf"), 1e20)] == [
        "3",
        "0.5",
        "?",
        "inf",
        "100000000000000000000",
    ]


def test_an_empty_role_has_no_pin() -> None:
    """It is a fact among the others, and no component."""
    stated = setup(engine={"component": "vllm", "version": "0.29.0"}, router={"component": "none"})
    assert list(stated.pins()) == ["engine"]
    assert stated.flat()["router.component"] == "none"
    assert list(stated.versions()) == ["vllm"]


def test_examples_are_what_the_fields_take() -> None:
    """Every table of a setup has an example that a record may hold as it stands."""
    tables = {name for name, field in Setup.model_fields.items() if inner(field.annotation)}
    assert tables <= EXAMPLES.keys() <= Setup.model_fields.keys()
    for field, text in EXAMPLES.items():
        assert field in Setup.model_validate(load(f"{field}: {text}")).stored()
