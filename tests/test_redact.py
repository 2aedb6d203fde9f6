# ruff: noqa: E501  rows read better unbroken
"""Secrets leave no importer."""

from time import process_time

import pytest

from kb.redact import clean, is_secret, redacted

SECRET = "s3cr3tvalue0123456789"


@pytest.mark.parametrize(
    "text",
    [
        f"http://me:{SECRET}@host:8000/v1", f"https://{SECRET}@host", f"Authorization: Bearer {SECRET}",
        f'{{"authorization": "Bearer {SECRET}"}}', f"header='Authorization: Basic {SECRET}'", f"bearer {SECRET}",
        f"--api-key {SECRET}", f"--api-key={SECRET}", f"api_key={SECRET}&x=1", f'"api_key": "{SECRET}"',
        f"OPENAI_API_KEY={SECRET} vllm serve", f"export HF_TOKEN='{SECRET}'", f"--hf-token {SECRET} --tp 8",
        f"password: {SECRET}", f"AWS_SECRET_ACCESS_KEY={SECRET}", "sk-abcdefghijklmnop1234", "hf_abcdefghijklmnopqrst",
        "ghp_abcdefghijklmnopqrstuvwx", "AKIAABCDEFGHIJKLMNOP",
        f"aiperf profile --url http://u:{SECRET}@h --api-key '{SECRET}'",
        f"http://me:p@ss@{SECRET}@host/v1", f'"password": "two {SECRET} words"', f'"cmd": "x --api-key \\"a {SECRET}\\" --n 1"',
        f"api_key=['one', '{SECRET}']", f'"api_key": ["{SECRET}"]', f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0.{SECRET}",
        f"-----BEGIN RSA PRIVATE KEY-----\nMII\n{SECRET}\n-----END RSA PRIVATE KEY-----", f"private_key: {SECRET}",
        f"https://a.blob/x?sig={SECRET}&se=1", f"cookie: session={SECRET}", "xoxb-12345678-abcdefghijklmnop",
        f'x="{{\\"api_key\\": \\"{SECRET}\\"}}"', f"Authorization: Digest {SECRET}", f"credentials={SECRET}",
    ],
)  # fmt: skip
def test_hidden(text: str) -> None:
    """Keys, tokens, headers, users of addresses."""
    found = redacted(text)
    assert "***" in found
    assert SECRET not in found
    assert not {"abcdefghijklmnop", "ABCDEFGHIJKLMNOP"} & {found[n : n + 16] for n in range(len(found))}
    assert redacted(found) == found


@pytest.mark.parametrize(
    "text",
    [
        "http://host:8000/v1", "mean output tokens 128", "token_count: 128", "max_tokens=2048",
        "tokens per second: 12.5", "--tokenizer org/model", "skip_tokenizer_init=False", "api_key=None", '"api_key": null', "api_key=[]",
        "api_key=[None]", '"token": ""', "see http://host/a?b=c", "http://host/@scope/package",
        "org/model-8b",
        "Mean ITL (ms): 12.5", "task-specific_fp8", "user@example.org wrote", "bearer of news", "header=None",
        "--max-num-batched-tokens 8192", "input_tokens: 512",
    ],
)  # fmt: skip
def test_left_alone(text: str) -> None:
    """Counts of tokens and plain addresses are no secrets."""
    assert redacted(text) == text


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("api_key", True), ("OPENAI_API_KEY", True), ("hf_token", True), ("Authorization", True), ("token", True),
        ("OPENAI_KEY", True), ("AWS_ACCESS_KEY_ID", True), ("api_keys", True), ("monkey", False), ("max_tokens", False),
        ("tokens", False), ("tokenizer", False), ("output_token_count", False), ("key", False), ("seed", False),
    ],
)  # fmt: skip
def test_names(name: str, secret: bool) -> None:
    """A value under such a name is hidden whatever it looks like."""
    assert is_secret(name) is secret
    assert clean(name, "test_key") == ("***" if secret else "test_key")


def test_numbers_pass() -> None:
    """Only texts hold secrets."""
    assert clean("token", 3) == 3


@pytest.mark.parametrize(
    "text", ["a-" * 200_000, "a." * 200_000, "token" * 80_000, "--a-" * 100_000, 'token="' * 60_000, "token=[" * 60_000,
             "eyJ" * 100_000, "a://" * 100_000, "-----BEGIN PRIVATE KEY-----" * 10_000, "token " * 80_000]
)  # fmt: skip
def test_long_texts_cost_their_length(text: str) -> None:
    """Nothing is tried again from every letter."""
    start = process_time()
    redacted(text)
    assert process_time() - start < 5


@pytest.mark.parametrize("text", ["a\x7fb", "a\x1b[2Jb", "a\ud800b", "a\ufffeb", "a\u202eb", "a\x85b"])
def test_unseen_characters_are_made_visible(text: str) -> None:
    """What a file says must not steer a terminal, and a record must be able to hold it."""
    assert clean("model", text).startswith("a\ufffd")


def test_letters_of_every_language_stay() -> None:
    """Only what is no letter goes."""
    assert clean("model", "モデル ação\n🙂") == "モデル ação\n🙂"
