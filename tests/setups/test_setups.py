"""kb.setups: which reader takes a text, what is missing, odd input."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kb.setups
from kb.completeness import WHY
from kb.setups import ALL, NotASetup, read_texts, recognised, text_of
from kb.setups.lacking import WHERE, where_found
from tests.setups.reading import reading


def test_every_reader_is_listed() -> None:
    """A module that can read is in ALL, in order, under a name of its own."""
    modules = [each.name for each in pkgutil.iter_modules(kb.setups.__path__)]
    can = [name for name in modules if hasattr(import_module(f"kb.setups.{name}"), "recognises")]
    assert tuple(sorted(can)) == ALL
    names = [import_module(f"kb.setups.{name}").NAME for name in ALL]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", ALL)
def test_every_reader_says_what_it_reads(name: str) -> None:
    """The docstring names the kind of text."""
    assert len(import_module(f"kb.setups.{name}").__doc__ or "") > 20


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("vllm serve m/m", "command-line"),
        ("#!/bin/bash\nfoo: bar\nvllm serve m/m", "command-line"),
        ('{"kv_connector": "NixlConnector"}', "kv-transfer-config"),
        ("vllm==0.30.0\nnumpy==2.0\n", "pip-freeze"),
        ("vllm/vllm-openai:v0.30.0", "image"),
        ("a: b\nc: d\n", None),
        ("# Results\n\nwe measured vllm serve latency\n", None),
        ('{"mean_ttft_ms": 1.0, "model_id": "m"}', None),
        ("schema_version: 1\nid: x\nsetup: {model: m}\n", None),
        ("", None),
    ],
)
def test_recognised(text: str, kind: str | None) -> None:
    """Exactly one reader takes a text, by its content."""
    assert recognised("x", text) == kind


def test_refused_with_what_was_tried() -> None:
    """A text of no kind is refused with every kind that was tried."""
    with pytest.raises(NotASetup) as caught:
        read_texts([("notes.txt", "hello\n")])
    assert caught.value.message == "notes.txt describes no setup that can be read here"
    assert all(import_module(f"kb.setups.{name}").NAME in (caught.value.hint or "") for name in ALL)


def test_missing_facts_have_a_place() -> None:
    """Every fact a reviewer asks for is said to be found somewhere."""
    assert [key for key in WHY if where_found(key) == "whoever ran it"] == []
    assert WHERE


def test_what_is_missing_of_a_pair() -> None:
    """A pair's reading names what it lacks; an aggregated server is not asked about hand-offs."""
    pair = reading("""vllm serve m/m --kv-transfer-config '{"kv_connector":"NixlConnector","kv_role":"kv_both"}'""")
    alone = reading("vllm serve m/m -tp 1 --block-size 16")
    assert {"topology", "transfer_library.version", "router.dispatch"} <= {each.key for each in pair.missing}
    assert {each.key for each in alone.missing}.isdisjoint(
        {"router.dispatch", "both.block_size", "both.tp", "topology"}
    )
    assert all(each.why and each.where for each in pair.missing)


def test_files(tmp_path: Path) -> None:
    """Files are read by path; a folder, a missing file and a binary one are refused with a sentence."""
    script = tmp_path / "serve.sh"
    script.write_bytes(b"\xef\xbb\xbfvllm serve m/m \\\r\n  -tp 2\r\n")
    assert read_texts([("serve.sh", text_of(script))]).values()["both.tp"] == "2"
    wide = tmp_path / "wide.sh"
    wide.write_bytes("vllm serve m/m -tp 4\n".encode("utf-16"))
    assert read_texts([("wide.sh", text_of(wide))]).values()["both.tp"] == "4"
    binary = tmp_path / "model.bin"
    binary.write_bytes(b"\0\1\2")
    for path in (tmp_path, tmp_path / "none", binary):
        with pytest.raises(NotASetup):
            read_texts([(str(path), text_of(path))])
    with pytest.raises(NotASetup):
        read_texts([])


PIECES = st.sampled_from(
    [
        "vllm serve m/m ", "--tensor-parallel-size ", "'", '"', "\\\n", "$X", "${", "$(", ")", "{", "}", "8", " ", "\n",
        "--kv-transfer-config ", '{"kv_connector":', "services:\n", "  image: x\n", "- ", "apiVersion: v1\nkind: Pod\n",
        "non-default args: {'a': ", "|", "<<EOF\n", "&&", "=", "初", "\t", "null", "args: ", "[", "]", ";", "#",
        "Name: x\nContainers:\n", "server_args=ServerArgs(", "docker run vllm/vllm-openai:v1 ",
    ]
)  # fmt: skip


@settings(max_examples=150, deadline=2000)
@given(st.lists(PIECES, max_size=30).map("".join))
def test_any_text(text: str) -> None:
    """Any text is read or refused; facts always name a place in it."""
    try:
        got = read_texts([("x", text)])
    except NotASetup:
        return
    places = [each.place for each in got.read] + [each.place for each in got.not_read]
    assert all(place.startswith("x:") for place in places)


def test_deep_nesting() -> None:
    """Nesting without end is refused or read in part, never a fault."""
    for text in ("[" * 5000, "a: " + "{b: " * 3000, '{"kv_connector": ' + "[" * 3000):
        try:
            read_texts([("x", text)])
        except NotASetup:
            continue
