"""Options that nobody knows: said with their place, and never kept as if they had been read."""

from __future__ import annotations

import pytest

from kb.setups.vllm_option_names import TAKEN
from kb.setups.vllm_options import NAMES, READERS, SIDE, SWITCHED, SWITCHES
from tests.setups.reading import reading, values, why_not


@pytest.mark.parametrize(
    ("option", "text", "why"),
    [
        ("--frobnicate 7", "--frobnicate 7", "not known here as an option of vllm serve"),
        ("--frobnicate=7", "--frobnicate 7", "not known here as an option of vllm serve"),
        ("--frobnicate", "--frobnicate", "not known here as an option of vllm serve"),
        ("--no-frobnicate", "--no-frobnicate", "not known here as an option of vllm serve"),
        (
            "--max-modle-len 5",
            "--max-modle-len 5",
            "not known here as an option of vllm serve; did you mean --max-model-len?",
        ),
        ("--tensor-paralel-size 4", "--tensor-paralel-size 4", "did you mean --tensor-parallel-size?"),
        ("--frobnicate.depth 2", "--frobnicate.depth 2", "not known here as an option of vllm serve"),
    ],
)
def test_an_unknown_option_is_not_read(option: str, text: str, why: str) -> None:
    """It is said with its line and left out of the setup."""
    found = reading(f"#!/bin/sh\nvllm serve m/m \\\n  {option}\n")
    assert why in why_not(found, text)
    assert [each.place for each in found.not_read if each.text == text] == ["1:3"]
    assert not [key for key in found.values() if key.startswith("options.")]


@pytest.mark.parametrize(
    ("option", "key", "value"),
    [
        ("--max-model-len 8192", "options.max_model_len", "8192"),
        ("--max_model_len 8192", "options.max_model_len", "8192"),
        ("--no-async-scheduling", "options.async_scheduling", "false"),
        ("--gpu-memory-util 0.9", "options.gpu_memory_util", "0.9"),
        ("--num-scheduler-steps 8", "options.num_scheduler_steps", "8"),
        ("--eplb-config.window_size 3", "options.eplb_config.window_size", "3"),
    ],
)
def test_a_known_option_is_read(option: str, key: str, value: str) -> None:
    """Also in short, switched off, of an older release, and a field of a table."""
    found = reading(f"vllm serve m/m {option}")
    assert (found.values().get(key), found.not_read) == (value, ())


def test_what_a_log_prints_was_taken() -> None:
    """An option that a running server names is one, whatever is known here."""
    log = "INFO 10-01 10:00:00 [api_server.py:1] non-default args: {'model': 'm/m', 'frobnicate': 7}\n"
    assert values(log)["options.frobnicate"] == "7"


def test_a_worker_of_another_program_has_options_of_its_own() -> None:
    """Dynamo's worker takes vLLM's options and further ones; the table here is of `vllm serve` alone."""
    found = reading("python -m dynamo.vllm --model m/m --migration-limit 3")
    assert (found.values()["options.migration_limit"], found.not_read) == ("3", ())


def test_every_option_with_a_key_is_known() -> None:
    """What is read is taken."""
    assert {*SIDE, *SWITCHED, *READERS, *SWITCHES, *NAMES} <= TAKEN
