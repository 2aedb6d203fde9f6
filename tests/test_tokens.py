"""One tokenizer for every index."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.tokens import GAP, Unit, analyse, fold, names, spans, squash, tokens, units, words

PARTS = {
    "NixlPushConnector": "nixl push connector",
    "nixl_push_connector": "nixl push connector",
    "nixl push connectors": "nixl push connector",
    "Qwen3-32B": "qwen 3 32 b",
    "qwen3 32b": "qwen 3 32 b",
    "vLLM": "vllm",
    "vLLMConnector": "vllm connector",
    "v0.11.0": "0 11 0",
    "#35264": "35264",
    "--kv-transfer-config": "kv transfer config",
    "1P1D": "1 p 1 d",
    "C R": "c r",
    "GPUs gpus GPU": "gpu gpu gpu",
    "KVキャッシュ": "kv キャ ャッ ッシ シュ",
    "サーバー サーバ ｻｰﾊﾞｰ": f"サー ーバ {GAP} サー ーバ {GAP} サー ーバ",
    "キー": "キー",
    "量": "量",
    "東京。都合": f"東京 {GAP} 都合",
    "延迟 지연": f"延迟 {GAP} 지연",
    "ＫＶ　ＴＴＦＴ": "kv ttft",
    "latência Latencia LATÊNCIA": "latencia latencia latencia",
    "conclusões conclusão conclusoes": "conclusao conclusao conclusao",
    "canais canal níveis nivel imagens imagem": "canal canal nivel nivel imagen imagen",
    "servidores servidor": "servidor servidor",
    "latencies latency caches cache processes process": "latency latency cache cache process process",
    "indexes index batches batch runs run approaches approach": "index index batch batch run run approach approach",
    "status bus analysis this": "status bus analysis this",
    "": "",
    "… !? — ": "",
}  # fmt: skip


@pytest.mark.parametrize(("text", "parts"), PARTS.items())
def test_a_text_is_cut_into_parts(text: str, parts: str) -> None:
    """Identifiers give parts, Japanese pairs, words their singular without accents."""
    assert tokens(text) == parts.split()


NAMES = {
    "NixlPushConnector": ["nixlpushconnector"],
    "nixl_push_connector": ["nixlpushconnector"],
    "Qwen3-32B": ["qwen332b", "qwen3", "32b"],
    "v0.11.0": ["0.11.0", "0.11"],
    "0.11": ["0.11"],
    "vllm-0.11.0rc1": ["vllm0.11.0rc1", "0.11.0rc1", "0.11.0", "0.11"],
    "1.0.11": ["1.0.11", "1.0"],
    "latencies": ["latencies"],
    "latency": [],
    "vLLM": [],
    "キャッシュ": [],
}


@pytest.mark.parametrize(("text", "expected"), NAMES.items())
def test_whole_forms_are_kept_as_names(text: str, expected: list[str]) -> None:
    """Identifiers without separators, versions with their prefixes, plurals as written; nothing for plain words."""
    assert names(text) == expected


def test_a_version_asks_for_itself_and_no_number_in_another() -> None:
    """`0.11` is a name of 0.11.0, and of nothing in 1.0.11; a number with a unit may be written apart."""
    assert units("0.11") == [Unit(("0", "11"), "0.11", exact=True)]
    assert "0.11" in names("v0.11.0rc1")
    assert "0.11" not in names("1.0.11 0.110")
    assert units("10.4ms") == [Unit(("10", "4", "ms"), "10.4ms", exact=False)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("NixlPushConnector", "nixl push-connector"),
        ("v0.11.0", "0.11.0"),
        ("Qwen3-32B", "qwen3 32b"),
        ("サーバー", "ｻｰﾊﾞ"),
        ("Latência", "latencia"),
    ],
)
def test_spellings_of_one_name_have_one_key(one: str, other: str) -> None:
    """Case, accents, width and separators make no other name."""
    assert squash(one) == squash(other)


@pytest.mark.parametrize(("one", "other"), [("0.11.0", "0.1.10"), ("0.11", "0.110"), ("が", "か"), ("push", "pull")])
def test_different_names_have_different_keys(one: str, other: str) -> None:
    """Dots of a version count, and so do voicing marks."""
    assert squash(one) != squash(other)


@pytest.mark.parametrize("text", ["NixlPushConnector は ｻｰﾊﾞｰ", "cafe\u0301 KVs", "v0.11.0 のサーバー。", "ﬁne ½"])
def test_spans_say_where_a_part_stands(text: str) -> None:
    """Every span lies in the text as given, in order, and its text gives the part again."""
    found = spans(text)
    assert [s.text for s in found] == [t for t in tokens(text) if t != GAP]
    assert all(0 <= s.start < s.end <= len(text) for s in found)
    assert [s.start for s in found] == sorted(s.start for s in found)


texts = st.text(st.characters(codec="utf-8"), max_size=40)
mixed = st.lists(
    st.sampled_from(["Nixl", "サーバー", "é", "ç", "v0.1", "-", "_", ".", " ", "ｶﾞ", "7", "が", "ß", "GPUs"])
).map("".join)


@given(st.one_of(texts, mixed))
def test_folding_twice_changes_nothing(text: str) -> None:
    """Folding is idempotent."""
    assert fold(fold(text)) == fold(text)


@given(st.one_of(texts, mixed))
def test_any_text_can_be_cut(text: str) -> None:
    """Tokens are never empty and hold neither blanks nor quotes; spans agree with them and lie in the text."""
    found = analyse(text)
    assert all(t and not any(c in t for c in ' "\n\0') for t in (*found.parts, *found.names, *words(found.runs)))
    assert all(0 <= s.start < s.end <= len(text) for s in spans(text))


@given(st.text(st.sampled_from("aeiouãéçõ sl-nrm"), max_size=20))
def test_accents_make_no_difference(text: str) -> None:
    """A text and the same without accents have the same parts."""
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
    assert tokens(text) == tokens(bare)


@given(st.text(st.sampled_from("abceimnorstxy"), max_size=12))
def test_a_singular_is_its_own_singular(word: str) -> None:
    """What a plural becomes does not change again."""
    once = tokens(word)
    assert tokens(" ".join(once)) == once
