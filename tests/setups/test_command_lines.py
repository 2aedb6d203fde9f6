"""Command lines: several servers, variables, continuations, JSON, dotted options, containers."""

from __future__ import annotations

import pytest

from kb.setups import NotASetup, read_texts
from tests.setups.reading import reading, suggested, values, why_not

PAIR = """\
#!/bin/bash
# the prefill side
MODEL=Qwen/Qwen3-32B
export TP=8
VLLM_NIXL_SIDE_CHANNEL_PORT=5600 UCX_TLS=rc,cuda_copy vllm serve $MODEL \\
  --tensor-parallel-size ${TP} \\
  --no-enable-prefix-caching --max-num-seqs=64 \\
  --kv-transfer-config '{"kv_connector":"NixlPushConnector","kv_role":"kv_producer","kv_connector_extra_config":{"backends":["LIBFABRIC"]}}' > p.log 2>&1 &

UCX_TLS=rc,cuda_copy vllm serve "$MODEL" -tp 4 --max-num-seqs 256 --no-enable-prefix-caching \\
  --kv-transfer-config.kv_connector NixlPushConnector --kv-transfer-config.kv_role kv_consumer \\
  --kv-transfer-config.kv_connector_extra_config.backends+ LIBFABRIC && echo ready
wait
"""  # noqa: E501


def test_a_pair() -> None:
    """Prefill and decode are told by their roles; what both share is common, what differs stands by side."""
    got = reading(PAIR)
    assert got.values() == {
        "env.UCX_TLS": "rc,cuda_copy",
        "engine.component": "vllm",
        "model": "Qwen/Qwen3-32B",
        "prefill.tp": "8",
        "decode.tp": "4",
        "both.prefix_caching": "off",
        "prefill.max_num_seqs": "64",
        "decode.max_num_seqs": "256",
        "prefill.kv_role": "kv_producer",
        "decode.kv_role": "kv_consumer",
        "connector.class_name": "NixlPushConnector",
        "connector.component": "vllm-nixl-push",
        "connector.mode": "push",
        "options.backends": '["LIBFABRIC"]',
        "transport.backend": "LIBFABRIC",
    }
    assert [(side.side, side.sure, side.why) for side in got.sides] == [
        ("prefill", True, "kv_role"),
        ("decode", True, "kv_role"),
    ]


def test_lines() -> None:
    """Each fact names the line its word stands on."""
    places = {fact.key: fact.place for fact in reading(PAIR).read}
    assert (places["prefill.tp"], places["decode.tp"], places["connector.class_name"]) == ("1:6", "1:10", "1:8")


def test_counted_commands_are_a_suggestion() -> None:
    """Two commands may be started any number of times: a topology is suggested, never stated."""
    got = reading(PAIR)
    assert suggested(got) == {"topology": "1P1D"}
    assert got.setup.topology is None


def test_kv_both_names_no_side() -> None:
    """Roles of kv_both leave the sides open: what differs is not placed."""
    line = """vllm serve m/m -tp {} --kv-transfer-config '{{"kv_connector":"NixlConnector","kv_role":"kv_both"}}'"""
    got = reading(line.format(8) + "\n" + line.format(4))
    assert got.setup.prefill is None
    assert got.setup.decode is None
    assert got.values()["both.kv_role"] == "kv_both"
    assert [each.text for each in got.not_read if "which side" in each.why] == ["-tp 8", "-tp 4"]
    assert "--for prefill=FILE --for decode=FILE" in why_not(got, "-tp 8")


def test_the_caller_may_say_the_side() -> None:
    """The caller's word settles which side a file describes."""
    line = """vllm serve m/m -tp {} --kv-transfer-config '{{"kv_connector":"NixlConnector","kv_role":"kv_both"}}'"""
    got = reading(line.format(8), line.format(4), sides=("prefill", "decode"))
    assert (got.values()["prefill.tp"], got.values()["decode.tp"]) == ("8", "4")
    assert got.sides[0].why == "said by the caller"


def test_one_of_a_pair() -> None:
    """A single server that takes either role is one side of two: its own facts are suggestions, what both share is
    read. Who asks what runs there may take them for both sides; how many run is never taken so."""
    got = reading(
        """vllm serve m/m -tp 8 --kv-transfer-config '{"kv_connector":"NixlConnector","kv_role":"kv_both"}'"""
    )
    assert got.values() == {
        "engine.component": "vllm",
        "model": "m/m",
        "connector.class_name": "NixlConnector",
        "connector.component": "vllm-nixl-pull",
        "connector.mode": "pull",
    }
    assert suggested(got) == {"both.tp": "8", "both.kv_role": "kv_both"}


@pytest.mark.parametrize(
    "words",
    [
        '--kv-transfer-config "$KV_CONFIG"',
        """--kv-transfer-config "{'kv_connector': 'NixlConnector'}" """,
        """--kv-transfer-config '{"kv_connector":"$CONNECTOR","kv_role":"kv_both"}'""",
        "--config config.yaml",
        """--kv-transfer-confg '{"kv_connector":"NixlConnector","kv_role":"kv_both"}'""",
        "$EXTRA_ARGS",
        "${KV_CONFIG}",
        '"${EXTRA[@]}"',
        "$(cat options.txt)",
        '"$@"',
        "--enforce-eager $EXTRA_ARGS",
        "--max-model-len 8192 ${EXTRA_ARGS:-}",
        "--our-own-switch $EXTRA_ARGS",
        "{{ extra_args }}",
    ],
)
def test_what_may_hold_a_connector_leaves_the_topology_open(words: str) -> None:
    """What could not be read may hand KV over: no aggregated server, and it is said."""
    got = reading(f"vllm serve m/m {words}")
    assert got.setup.topology is None
    assert not any(key.startswith("connector.") for key in got.values())
    assert got.not_read


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("vllm serve $VLLM_ARGS", "$VLLM_ARGS"),
        ("vllm serve --model m/m $REST", "$REST"),
        ("docker run vllm/vllm-openai:v0.11.0 --model m/m $EXTRA_ARGS", "$EXTRA_ARGS"),
        ("python -m sglang.launch_server --model-path m/m --config server.yaml", "--config server.yaml"),
        ("python -m sglang.launch_server --model-path m/m $EXTRA_ARGS", "$EXTRA_ARGS"),
        ("python -m sglang.launch_server --model-path m/m --disaggregation-mode $MODE", "--disaggregation-mode $MODE"),
        ("trtllm-serve m/m --tp_size 4 --extra_llm_api_options llm.yaml", "--extra_llm_api_options llm.yaml"),
        ("trtllm-serve m/m --config=llm.yaml", "--config llm.yaml"),
        ("trtllm-serve m/m $EXTRA", "$EXTRA"),
    ],
)
def test_options_that_stand_elsewhere_leave_the_topology_open(command: str, said: str) -> None:
    """In a file that is named, or in a variable: of any engine, and with the place."""
    got = reading(command)
    assert got.values()["engine.component"] in {"vllm", "sglang", "tensorrt-llm"}
    assert got.setup.topology is None
    assert not any(key.startswith(("connector.", "both.")) for key in got.values())
    assert "it may hold a KV transfer configuration" in why_not(got, said)
    assert all(each.place == "1:1" for each in got.not_read)


@pytest.mark.parametrize(
    "command",
    [
        "vllm serve $MODEL -tp $TP --max-model-len $MAX_LEN",
        "vllm serve m/m --kv-transfer-config null",
        "vllm serve m/m --served-model-name $NAME --port $PORT",
        "python -m sglang.launch_server --model-path m/m --tp $TP --disaggregation-mode null",
        "trtllm-serve m/m --tp_size 4 --host $HOST",
    ],
)
def test_a_value_that_stands_elsewhere_hides_no_connector(command: str) -> None:
    """What is filled in is the value of an option that is none of a transfer: one server alone."""
    assert reading(command).setup.topology == "aggregated"


def test_a_slip_in_an_options_name() -> None:
    """Is no option of the setup; the nearest is named."""
    got = reading("vllm serve m/m --tensor-paralel-size 4")
    assert "did you mean --tensor-parallel-size?" in why_not(got, "--tensor-paralel-size 4")
    assert not any(key.startswith("options.") for key in got.values())


def test_alone() -> None:
    """A single server without a connector that hands KV over is an aggregated setup."""
    got = values("vllm serve m/m --tensor-parallel-size 2 --enforce-eager --speculative-config.method mtp "
                 "--speculative-config.num_speculative_tokens 3")  # fmt: skip
    assert got == {
        "engine.component": "vllm",
        "model": "m/m",
        "both.tp": "2",
        "both.graphs": "off",
        "both.speculative": "mtp 3",
        "topology": "aggregated",
    }


@pytest.mark.parametrize(
    ("words", "key", "value"),
    [
        ("--block-size 128", "both.block_size", "128"),
        ("--block_size=128", "both.block_size", "128"),
        ("--kv-cache-dtype fp8", "both.kv_dtype", "fp8"),
        ("--quantization fp8", "precision", "fp8"),
        ("--enable-chunked-prefill", "both.chunked_prefill", "on"),
        ("--no-enable-chunked-prefill", "both.chunked_prefill", "off"),
        ("--enable-chunked-prefill=False", "both.chunked_prefill", "off"),
        ("-dp 4", "both.dp", "4"),
        ('--compilation-config \'{"cudagraph_mode":"NONE"}\'', "both.graphs", "off"),
        ("-cc.cudagraph_mode=FULL", "both.graphs", "on"),
        ("--max-model-len 16384", "options.max_model_len", "16384"),
        ("--async-scheduling", "options.async_scheduling", "true"),
        ("--no-async-scheduling", "options.async_scheduling", "false"),
        ("--kv-offloading-size 64", "both.offload", "cpu"),
        ("--max-num-seqs 8 --max-num-seqs 16", "both.max_num_seqs", "16"),
    ],
)
def test_options(words: str, key: str, value: str) -> None:
    """Options become the setup key they mean; those without a key stay options; the last of two counts."""
    assert values(f"vllm serve m/m {words}")[key] == value


@pytest.mark.parametrize(
    ("words", "text", "why"),
    [
        ("--tensor-parallel-size $TP", "--tensor-parallel-size $TP", "filled in elsewhere"),
        ("--max-model-len ${LEN:-4096}", "$LEN", "only a default is given"),
        ("--max-model-len $(cat len.txt)", "$(cat len.txt)", "filled in elsewhere"),
        ("--port 8000", "--port", "where it listens"),
        ("--api-key abcdef123", "--api-key", "a secret, left out"),
        ("--tensor-parallel-size eight", "--tensor-parallel-size eight", "does not fit both.tp"),
        ("stray", "stray", "belongs to no option"),
    ],
)
def test_not_read(words: str, text: str, why: str) -> None:
    """What could not be read is said with its reason, and is in no fact."""
    got = reading(f"vllm serve m/m {words}")
    assert why in why_not(got, text)
    assert set(got.values()) == {"engine.component", "model", "topology"}


def test_secrets_leave_nothing() -> None:
    """Keys and tokens are nowhere in the result."""
    text = "HF_TOKEN=hf_abcdefghijklmnopqrstu vllm serve m/m --api-key sk-abcdefghijklmnopqrstu --tokenizer http://u:pw@h/x"
    shown = str(reading(text).as_dict())
    assert "hf_abc" not in shown
    assert "sk-abc" not in shown
    assert "u:pw" not in shown
    assert "HF_TOKEN" in shown


def test_containers() -> None:
    """`docker run` gives the image and its variables; the words behind the image are the server's."""
    got = values(
        "docker run --gpus all -e VLLM_USE_V1=1 -p 8000:8000 --ipc=host vllm/vllm-openai:v0.25.1 \\\n"
        "  --model m/m --tensor-parallel-size 2"
    )
    assert got["engine.version"] == "0.25.1"
    assert got["engine.image"] == "vllm/vllm-openai:v0.25.1"
    assert got["env.VLLM_USE_V1"] == "1"
    assert (got["model"], got["both.tp"]) == ("m/m", "2")


def test_sglang() -> None:
    """SGLang's disaggregation mode states the side, its transfer backend the connector."""
    line = (
        "python3 -m sglang.launch_server --model-path m/m --tp {} --disaggregation-mode {} "
        "--disaggregation-transfer-backend nixl"
    )
    got = reading(line.format(8, "prefill") + "\n" + line.format(4, "decode") + " --disable-radix-cache")
    assert got.values() == {
        "engine.component": "sglang",
        "model": "m/m",
        "prefill.tp": "8",
        "decode.tp": "4",
        "decode.prefix_caching": "off",
        "options.disaggregation-transfer-backend": "nixl",
        "connector.component": "sglang-nixl",
        "connector.mode": "push",
    }


def test_dynamo_workers() -> None:
    """Dynamo's worker flag states the side."""
    got = reading(
        "python -m dynamo.vllm --model m/m -tp 2\npython -m dynamo.vllm --model m/m -tp 4 --is-prefill-worker"
    )
    assert [(each.side, each.sure) for each in got.sides] == [(None, False), ("prefill", True)]
    assert got.values()["prefill.tp"] == "4"


def test_a_router_is_no_server() -> None:
    """A router's command gives the router; it is no instance."""
    got = reading("vllm-router --policy round_robin --vllm-pd-disaggregation --prefill http://p:1\nvllm serve m/m")
    assert got.values()["router.component"] == "vllm-router"
    assert got.values()["router.policy"] == "round_robin"
    assert len(got.sides) == 1


@pytest.mark.parametrize(
    "text",
    [
        "# vllm serve m/m",
        "echo hello",
        "",
        "we ran vllm serve on eight GPUs",
        "pip install vllm",
        "grep vllm serve.log",
    ],
)
def test_no_command(text: str) -> None:
    """A comment, prose or another command is no server."""
    with pytest.raises(NotASetup):
        read_texts([("x", text)])


def test_paste_from_a_terminal() -> None:
    """A prompt in front of a command is no part of it."""
    assert values("$ vllm serve m/m -tp 2")["both.tp"] == "2"


@pytest.mark.parametrize(
    "text",
    [
        "ssh node7 'cd /x && vllm serve m/m -tp 2'",
        'bash -c "vllm serve m/m --tensor-parallel-size 2"',
        "nohup vllm serve m/m -tp 2 > out.log 2>&1 &",
        'CMD="vllm serve m/m -tp 2"\neval "$CMD"',
        'ARGS=(\n  -tp 2  # size\n)\nvllm serve m/m "${ARGS[@]}"',
        'ARGS=(--block-size 16)\nARGS+=(-tp "2")\nvllm serve m/m "${ARGS[@]}"',
        "srun -N1 python3 -m vllm.entrypoints.openai.api_server --model m/m --served-model-name a b -tp 2",
        "# Start\n\nRun vllm serve on one node:\n\n```bash\nvllm serve m/m -tp 2\n```\n",
        "if [ $X ]; then\n  vllm serve m/m -tp 2\nfi",
    ],
)
def test_other_ways_to_start_one(text: str) -> None:
    """Behind ssh or bash -c, kept in a variable, with arguments in an array, in a page of notes."""
    got = reading(text)
    assert len(got.sides) == 1
    assert (got.values()["model"], got.values()["both.tp"]) == ("m/m", "2")


def test_comment_between_words() -> None:
    """A comment ends the command it interrupts, as a shell sees it."""
    assert "both.tp" not in values("vllm serve m/m\n# -tp 2\n")
