"""Texts made to be slow, endless or told twice: a sentence or a reading, in little time."""

from __future__ import annotations

from time import process_time

import pytest

from kb.redact import redacted
from kb.setups import NotASetup, recognised
from tests.setups.reading import reading

LAUGHS = "services:\n  a0: &a0 [x, x, x]\n" + "".join(
    f"  a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)
MERGED = "a0: &a0 {x: 1}\n" + "".join(
    f"a{n}: &a{n} {{{', '.join(f'k{each}: *a{n - 1}' for each in range(9))}}}\n" for n in range(1, 12)
)


@pytest.mark.parametrize("text", [LAUGHS, MERGED])
def test_aliases_that_stand_for_billions_are_refused(text: str) -> None:
    with pytest.raises(NotASetup, match="stands for more than"):
        reading(text)
    assert recognised("beside-the-results.yaml", text) is None


def test_aliases_that_people_write_are_read() -> None:
    text = (
        "x-image: &image vllm/vllm-openai:v0.33.0\nservices:\n  a:\n    image: *image\n"
        "    command: vllm serve Qwen/Qwen3-32B\n"
    )
    assert reading(text).values()["model"] == "Qwen/Qwen3-32B"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("vllm serve m " + "--x 1 " * 3000, "more than 5000 words"),
        ("vllm serve m --port 1\n" * 501, "more than 500 servers"),
    ],
)
def test_what_no_deployment_is(text: str, said: str) -> None:
    with pytest.raises(NotASetup, match=said):
        reading(text)


@pytest.mark.parametrize("word", ["A" * 300_000, "a-" * 150_000, "token" * 60_000, "eyJ" * 100_000, "a.b@:" * 60_000])
def test_long_words_cost_no_more_than_their_length(word: str) -> None:
    start = process_time()
    assert reading(f"vllm serve Qwen/Qwen3-32B --served-model-name {word}\n").values()["model"] == "Qwen/Qwen3-32B"
    assert process_time() - start < 10


@pytest.mark.parametrize(
    "text",
    [
        "--hf-token: hidden1", "HF_TOKEN=hidden1", '{"api_key": "hidden1"}', "--api-key hidden1", "a.b.secret=hidden1",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0hidden1", "x token=hidden1 password:hidden1",
    ],
)  # fmt: skip
def test_secrets_are_still_found(text: str) -> None:
    assert "hidden1" not in redacted(text)


@pytest.mark.parametrize("text", ["--max-tokens 100", "tokenizer: Qwen/Qwen3-32B", "max_num_batched_tokens=8192"])
def test_words_that_only_look_like_one_stay(text: str) -> None:
    assert redacted(text) == text
