"""KV transfer configurations on their own: one connector, and several in one."""

from __future__ import annotations

import pytest

from tests.setups.reading import reading, suggested, why_not

MULTI = """
{"kv_connector": "MultiConnector", "kv_role": "kv_both", "kv_connector_extra_config": {"connectors": [
  {"kv_connector": "NixlConnector", "kv_role": "kv_producer", "kv_load_failure_policy": "fail"},
  {"kv_connector": "%s", "kv_role": "kv_both", "kv_connector_extra_config": {"load_async": true}}]}}
"""


def test_bare() -> None:
    """A configuration alone gives the connector's class, role and options."""
    got = reading(
        '{"kv_connector":"NixlConnector","kv_role":"kv_consumer","kv_connector_extra_config":{"num_threads":8}}'
    )
    assert got.files == (("1", "kv-transfer-config"),)
    assert got.values()["decode.connector.class_name"] == "NixlConnector"
    assert got.values()["decode.connector.mode"] == "pull"
    assert got.values()["decode.kv_role"] == "kv_consumer"
    assert "the other side was not read" in why_not(got, "options.num_threads")


def test_yaml() -> None:
    """The same as nested YAML under its option's name."""
    got = reading("kv-transfer-config:\n  kv_connector: NixlPushConnector\n  kv_role: kv_both\n")
    assert got.values()["connector.mode"] == "push"
    assert {fact.key: fact.place for fact in got.read}["connector.class_name"] == "1:2"


@pytest.mark.parametrize("beside", ["MooncakeStoreConnector", "LMCacheConnectorV1", "OffloadingConnector"])
def test_the_one_that_carries(beside: str) -> None:
    """In a MultiConnector the one that moves KV between prefill and decode is the connector; the rest is named."""
    got = reading(MULTI % beside)
    assert got.values()["prefill.connector.class_name"] == "NixlConnector"
    assert got.values()["prefill.connector.wrapped_by"] == "MultiConnector"
    assert "beside the one that carries" in why_not(got, beside)
    assert "load_async" not in str(got.fields())


def test_a_cache_beside_it() -> None:
    """A store's class says which cache it is, an offload's where the KV goes."""
    assert reading(MULTI % "LMCacheConnectorV1").values()["cache.component"] == "lmcache"
    assert reading(MULTI % "OffloadingConnector").values()["prefill.offload"] == "cpu"


@pytest.mark.parametrize("beside", ["NixlPushConnector", "OurOwnConnector"])
def test_several_that_may_carry(beside: str) -> None:
    """Two that could carry, or one nobody knows: none is picked."""
    got = reading(MULTI % beside)
    assert not any(key.endswith("class_name") for key in got.values())
    assert "cannot be told" in why_not(got, "MultiConnector of")


def test_an_unknown_class() -> None:
    """A class that no component lists has a name and no mode."""
    got = reading('{"kv_connector":"OurOwnConnector","kv_role":"kv_both"}')
    assert got.values()["connector.class_name"] == "OurOwnConnector"
    assert "connector.mode" not in got.values()
    assert suggested(got) == {"both.kv_role": "kv_both"}
    assert "no component lists this class" in why_not(got, "OurOwnConnector")
    slip = reading('{"kv_connector":"NixlPushConector","kv_role":"kv_both"}')
    assert 'did you mean "NixlPushConnector"?' in why_not(slip, "NixlPushConector")


def test_the_class_before_its_component_existed() -> None:
    """A class that the engine's release does not have is not tied to a component."""
    line = (
        "docker run vllm/vllm-openai:v0.{}.0 --model m/m "
        """--kv-transfer-config '{{"kv_connector":"NixlPushConnector"}}'"""
    )
    assert "connector.mode" not in reading(line.format(11)).values()
    assert reading(line.format(30)).values()["connector.mode"] == "push"


def test_several_backends() -> None:
    """Of several backends none is said to carry it."""
    got = reading('{"kv_connector":"NixlConnector","kv_connector_extra_config":{"backends":["UCX","GDS"]}}')
    assert "transport.backend" not in got.values()
    assert "which one carries it" in why_not(got, "backends UCX, GDS")


def test_addresses_stay_out() -> None:
    """Where a connector listens is no part of a setup."""
    got = reading('{"kv_connector":"P2pNcclConnector","kv_ip":"10.0.0.1","kv_port":"21001","kv_role":"kv_both"}')
    assert "10.0.0.1" not in str(got.as_dict())
