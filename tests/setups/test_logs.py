"""Server logs, server_info, metrics: what a running server says of itself."""

from __future__ import annotations

import json

import pytest

from tests.setups.reading import reading, suggested, values, why_not

LOG = """\
\x1b[36m(APIServer pid=1)\x1b[0m INFO 08-18 [api_server.py:1] vLLM API server version 0.11.0
(APIServer pid=1) INFO 08-18 [utils.py:1] non-default args: {'model': 'm/m', 'tensor_parallel_size': 8, 'enable_prefix_caching': False, 'kv_transfer_config': KVTransferConfig(kv_connector='NixlConnector', kv_role='kv_producer', kv_connector_extra_config={'backends': ['UCX']}), 'api_key': ['sk-abcdefghijklmnopqrstu'], 'compilation_config': {'mode': <CompilationMode.NONE: 0>}}
(EngineCore pid=2) INFO 08-18 [core.py:1] Initializing a V1 LLM engine (v0.11.0) with config: model='m/m', dtype=torch.bfloat16, tensor_parallel_size=8, quantization=None, kv_cache_dtype=auto, enable_prefix_caching=False, compilation_config={"dtype":"x"}
"""  # noqa: E501


def test_vllm_log() -> None:
    """Version, arguments that somebody set, and what the engine resolved."""
    got = reading(LOG)
    assert got.values() == {
        "prefill.engine.component": "vllm",
        "prefill.engine.version": "0.11.0",
        "model": "m/m",
        "prefill.tp": "8",
        "prefill.prefix_caching": "off",
        "prefill.kv_role": "kv_producer",
        "prefill.connector.class_name": "NixlConnector",
        "prefill.connector.component": "vllm-nixl-pull",
        "prefill.connector.mode": "pull",
        "transport.backend": "UCX",
        "prefill.dtype": "bfloat16",
    }
    assert "sk-abc" not in str(got.as_dict())


def test_a_log_and_its_command_are_one_server() -> None:
    """Two kinds of text that never disagree about a server describe one."""
    command = "vllm serve m/m -tp 8 --no-enable-prefix-caching"
    log = "INFO vLLM API server version 0.11.0\nINFO non-default args: {'model': 'm/m', 'tensor_parallel_size': 8}\n"
    got = reading(command, log)
    assert len(got.sides) == 1
    assert got.values()["engine.version"] == "0.11.0"
    assert got.values()["both.prefix_caching"] == "off"


def test_a_log_of_another_server_is_not() -> None:
    """With another size in the log they are two."""
    log = "INFO vLLM API server version 0.11.0\nINFO non-default args: {'model': 'm/m', 'tensor_parallel_size': 4}\n"
    assert len(reading("vllm serve m/m -tp 8", log).sides) == 2


BANNER = "INFO vLLM API server version 0.11.0\n"
ARGS = "INFO non-default args: {'model': 'm/m', 'tensor_parallel_size': 8%s}\n"


@pytest.mark.parametrize(
    "log",
    [
        BANNER,
        BANNER + ARGS % ", 'kv_transfer_config': <KVTransferConfig object at 0x7f2a>",
        BANNER + ARGS % ", 'kv_transfer_config': KVTransferConfig(kv_connector=NAME)",
        BANNER + ARGS % ", 'kv_transfer_config': CONFIG",
        BANNER + (ARGS % ", 'kv_transfer_config': KVTrans")[:-3] + "\n",
        BANNER + "INFO api_server.py:496] args: Namespace(model='m/m', kv_transfer_config=KVTransferConfig(x))\n",
        "INFO server_args=ServerArgs(model_path='m/m', disaggregation_mode=)\n",
    ],
)
def test_a_log_whose_transfer_configuration_is_not_read_leaves_the_topology_open(log: str) -> None:
    """Cut, printed as an object, or not shown at all: no aggregated server, and what was not read is said."""
    got = reading(log)
    assert got.setup.topology is None
    assert not any(key.startswith(("connector.", "both.")) for key in got.values())
    assert any(text in str(got.not_read) for text in ("may hold a KV transfer", "kv_connector", "args", "Namespace"))


def test_a_log_that_shows_its_arguments_decides() -> None:
    """What a command fills in elsewhere stands in its log; a log that shows none leaves the command's word."""
    open_command = "vllm serve m/m -tp 8 $EXTRA_ARGS"
    assert reading(open_command, BANNER + ARGS % "").setup.topology == "aggregated"
    resolved = (
        "INFO [core.py:1] Initializing a V1 LLM engine (v0.11.0) with config: model='m/m', tensor_parallel_size=8\n"
    )
    assert reading(open_command, BANNER + resolved).setup.topology is None
    old = BANNER + "INFO api_server.py:496] args: Namespace(model='m/m', kv_transfer_config=None)\n"
    assert reading(old).setup.topology == "aggregated"


def test_arguments_with_all_defaults() -> None:
    """An old log prints every argument: which of them somebody set is not said."""
    got = reading(
        "INFO api_server.py:495] vLLM API server version 0.6.6\n"
        "INFO api_server.py:496] args: Namespace(host=None, model='m/m')\n"
    )
    assert got.values()["engine.version"] == "0.6.6"
    assert "model" not in got.values()
    assert "which of them somebody set is not said" in why_not(got, "Namespace")


def test_sglang_log() -> None:
    """SGLang's log prints its arguments, defaults included: facts of the side, no options."""
    got = values(
        "[2026-01-01] server_args=ServerArgs(model_path='m/m', tp_size=2, dtype='auto', disaggregation_mode='null', "
        "disaggregation_transfer_backend='mooncake', page_size=64)\n"
    )
    assert got["both.tp"] == "2"
    assert got["both.block_size"] == "64"
    assert got["topology"] == "aggregated"
    assert not any(key.startswith("options.") for key in got)
    assert "both.dtype" not in got


def info(mode: str, version: str, tp: int) -> dict[str, object]:
    return {
        "model_path": "m/m",
        "tp_size": tp,
        "version": version,
        "disaggregation_mode": mode,
        "disaggregation_transfer_backend": "nixl",
        "disable_radix_cache": False,
        "api_key": "secret-value",
    }


def test_server_info_behind_a_router() -> None:
    """Each side's own arguments and version; how many of each run is not said."""
    text = json.dumps(
        {
            "tag": "x",
            "server_info": {
                "internal_states": [],
                "prefill": [info("prefill", "0.5.5", 2)],
                "decode": [info("decode", "0.5.6", 4)],
            },
        }
    )
    got = reading(text)
    assert got.values()["prefill.engine.version"] == "0.5.5"
    assert got.values()["decode.engine.version"] == "0.5.6"
    assert (got.values()["prefill.tp"], got.values()["decode.tp"]) == ("2", "4")
    assert got.values()["connector.component"] == "sglang-nixl"
    assert got.setup.topology is None
    assert suggested(got)["topology"] == "1P1D"
    assert "secret-value" not in str(got.as_dict())


def test_metrics_page() -> None:
    """The cache configuration on the metrics page; the served name only suggests the model."""
    got = reading(
        "# TYPE vllm:cache_config_info gauge\n"
        'vllm:cache_config_info{block_size="16",cache_dtype="fp8",enable_prefix_caching="True"} 1.0\n'
        'vllm:num_requests_running{engine="0",model_name="mine"} 0.0\n'
    )
    assert got.values()["both.block_size"] == "16"
    assert got.values()["both.prefix_caching"] == "on"
    assert suggested(got) == {"model": "mine"}
