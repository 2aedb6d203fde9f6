"""Lists of packages: pip freeze, pip list, collect_env."""

from __future__ import annotations

import pytest

from tests.setups.reading import reading, suggested, values, why_not

FREEZE = "torch==2.8.0\nvllm==0.30.0\nnixl==1.4.1\nnixl-cu12==1.4.1\nlmcache==0.5.6\nnumpy==2.1.0\n"

COLLECTED = """\
Collecting environment information...
==============================
PyTorch version              : 2.8.0+cu128
Nvidia driver version        : 570.86.15
GPU models and configuration :
GPU 0: NVIDIA H200
GPU 1: NVIDIA H200
[pip3] numpy==2.1.0
[pip3] nixl==1.4.1
vLLM Version                 : 0.30.0
UCX_TLS=rc,cuda_copy
HF_TOKEN=hf_abcdefghijklmnopqrstu
"""


def test_freeze() -> None:
    """Distributions with a pin become it; two names of one distribution with one version are one."""
    got = reading(FREEZE)
    assert got.values() == {
        "engine.component": "vllm",
        "engine.version": "0.30.0",
        "transfer_library.component": "nixl",
        "transfer_library.version": "1.4.1",
        "cache.component": "lmcache",
        "cache.version": "0.5.6",
    }
    assert "no pin" in why_not(got, "torch")


def test_two_libraries() -> None:
    """With NIXL and Mooncake installed, which one ran is not said."""
    got = reading("nixl==1.4.1\nmooncake-transfer-engine==0.3.10\n")
    assert "transfer_library.version" not in got.values()
    assert [each.value for each in got.suggestions] == ["1.4.1", "0.3.10"]


def test_a_build_between_releases() -> None:
    """A development version is no release; the commit in it is read."""
    got = reading("vllm==0.30.1.dev12+g1234abcd.cu128\nnixl==1.4.1\n")
    assert "engine.version" not in got.values()
    assert got.values()["engine.commit"] == "1234abcd"
    assert suggested(got)["engine.version"] == "0.30.1.dev12+g1234abcd.cu128"


def test_from_a_commit() -> None:
    """A distribution installed from a repository has the commit, or nothing."""
    got = values(
        "vllm @ git+https://github.com/vllm-project/vllm@0123456789abcdef0123456789abcdef01234567\nnixl==1.4.1\n"
    )
    assert got["engine.commit"] == "0123456789abcdef0123456789abcdef01234567"
    assert "installed from a place without a commit" in why_not(
        reading("vllm @ file:///src/vllm\nnixl==1.4.1\n"), "vllm"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Package    Version\n---------- -------\nvllm       0.30.0\n",
        "vllm                 0.30.0\nnumpy   2.1.0\n",
        "vllm==0.30.0 ; python_version > '3.9'\n",
    ],
)
def test_other_spellings(text: str) -> None:
    """Columns and markers are read as well."""
    assert values(text)["engine.version"] == "0.30.0"


def test_collect_env() -> None:
    """Machine, versions and variables; a token is left out."""
    got = reading(COLLECTED)
    assert got.values() == {
        "engine.component": "vllm",
        "engine.version": "0.30.0",
        "hardware.driver": "Nvidia driver version 570.86.15",
        "hardware.gpu": "NVIDIA H200",
        "hardware.gpus_per_node": "2",
        "env.UCX_TLS": "rc,cuda_copy",
        "transfer_library.component": "nixl",
        "transfer_library.version": "1.4.1",
    }
    assert "hf_abc" not in str(got.as_dict())


def test_two_machines() -> None:
    """Two environments of which the caller says the sides may hold different builds."""
    older = FREEZE.replace("0.30.0", "0.29.0")
    got = reading(FREEZE, older, sides=("prefill", "decode"))
    assert got.values()["prefill.engine.version"] == "0.30.0"
    assert got.values()["decode.engine.version"] == "0.29.0"
    assert "they disagree" in why_not(reading(FREEZE, older), "engine.version")


def test_two_texts_that_disagree() -> None:
    """The image says one version, the environment another: neither is taken."""
    got = reading("docker run vllm/vllm-openai:v0.29.0 --model m/m", FREEZE)
    assert "engine.version" not in got.values()
    assert "they disagree" in why_not(got, "engine.version: 0.29.0")
