# ruff: noqa: E501, SIM905  what people type, one beside the other, reads better unbroken
"""What the Python tokenizer and query reader say, as fixtures that the JavaScript twins are held to.

`python -m tests.site.twins` writes tests/site/fixtures/*.json anew. Texts are those people type, every trap that
is known, and random ones from a seed, cut from the same signs and words.
"""

from __future__ import annotations

import json
import random
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kb.errors import QueryError
from kb.search.fields import NO_FIELD, OTHER_WORDS
from kb.search.fillers import is_question, without_fillers
from kb.search.query import And, Not, Or, Query, Range, Versions
from kb.search.search import parse
from kb.store.fulltext import held
from kb.suggest import nearest
from kb.tokens import analyse, fold, spans, squash, units

FIXTURES = Path(__file__).with_name("fixtures")
EXTRA = {"transfer_size": "number", "opened_date": "number", "family": "facet", "connector_mode": "facet"}
"""Fields that a base has beyond those of the query language."""

TEXTS = """NixlPushConnector|nixl_push_connector|nixl-push-connector|nixl push connector|NIXL|P2pNcclConnector|LMCacheConnectorV1
--kv-transfer-config|VLLM_KV_CACHE_LAYOUT|#35264|PR 35264|1P1D|4P2D x 2|Qwen3-32B|qwen3 32b|GLM-5.2-NVFP4|v0.11.0|0.11|1.0.11|0.26.0rc1
v1|V2.0.post3|10.4ms|3.2x|p99|P99.9|fp8_e4m3|KVs|GPUs|IDs|H100s|vLLM's|C API|k8s|a.b.c|foo..bar|foo__bar|foo--bar|foo._-bar|_x_|x_|-x
latency latencies pushes batches indexes processes status analysis gpus bus news is this
avaliação avaliações avaliacao conclusões níveis canais pães imagens imagem servidores servidor versão versões ações
サーバー|サーバ|スケジューラー|KVキャッシュ|初回トークン遅延|京都|東京都|再現する|プッシュ と プル|リーダースレッドが遅い|ｷｬｯｼｭ|ﾊﾞｯﾁ|か\u3099|が|ー|ラーメンー|カー
延迟|지연 시간|ㅎ|𠮷野家|𠀋|々|〇|ﬁne ﬂow|①②|Ⅷ|½ cup|²³|ß ẞ straße STRASSE|ΣΟΦΟΣ σοφός|İstanbul ıI|Ǆ ǅ ǆ|ŉ|ǰ|և|Ꭰꭰ|ᏸ|ạ Việt Nam|École|naïve|Ångström|ﷺ
ＦＵＬＬ　ＷＩＤＴＨ　１．２．３|a\u0301b|e\u0301|\u0301|Á\u0327x|x\u200dy|emoji 😀 here|tab\there|line\nbreak|nul\x00|quote"s 'n' so|<script>alert(1)</script>|&amp;|\ue000|\ue001ttft
""".replace("\n", "|").split("|")
QUERIES = """a b|a AND b|a OR b|a b OR c|a AND b OR c|(a b) c|(a OR b) AND c|NOT a|-a|a -b|a NOT b|--kv-transfer-config|a - b|NOT NOT a|-(a b)
"a phrase"|title:"a phrase"|title:push|id:vllm|claim:(a b)|body:x*|pre*|word~|word~2|word~3|title:pre*|model:qwen*|model:qwen~|qps:4*|*|**|a*b|"a*b"|*a
qps:>=4|qps:>4|qps:<=4|qps:<4|qps:=4|qps:4|qps:4..8|qps:[4 TO 8]|qps:{4 TO 8}|qps:[4 TO *]|qps:[* TO 8]|qps:[ TO ]|qps:[4 to 8]|qps:4k|ttft:>=2s|ttft:300ms|effect:>=2x|qps:x|qps:>=|qps:|qps: 4
input_tokens:[1000 TO 16000]|[1 TO 2]|model:[a TO b]|date:2026|date:2026-10|date:2026-10-19|date:>=2026-06|date:>2026-06|date:<2026|date:[2025 TO 2026-03]|date:2026-13|date:x|date:2026-00|date:2025..2026-02
version:0.11|version:>=0.11.0|version:<0.26|version:[0.11 TO 0.26]|version:{0.11 TO 0.26}|version:>=x|version:>=|version:>=0.26.0rc1|release:>0.1.post2|removed:<=1.0.0|version:[x TO 1]
compnent:vllm|tittle:x|nosuchthing:x|https://example.org/x|a:b:c|model:a:b|kind:evaluation|outcome:holds|lang:ja|hardware:H200 qps:>=4|model:"Qwen3 32B"|opened_date:2026|family:x|transfer_size:>=4|connector_mode:push
(a|a)|((a)|"a|a "b|()|( )|(())|a ()|OR|AND|NOT|a OR|OR a|a AND|a OR OR b|a AND OR b|a NOT|a OR NOT b|NOT OR|- a|-|--|a -|(OR)|(a OR)|title:(a b)|title:-a|-title:a|-"a b"|title:|title: a|model:|model:OR|qps:AND x
（a　OR　b）|ｑｐｓ：＞＝４|qps：＞＝4|“a b”|model：Qwen3|プッシュ OR プル|初回トークン -プル|PR 30207|pr #30207|pull request 123|issue 45211 x|PR 12|kind:change PR 30207|kind:a,b|a,b|a，b
does prefix caching matter for push|where does the handover time go|how|どこで時間がかかるか|初回トークンの遅延は|como reduzir a latência|what is "x"|why -x
c++ ~x|a~b|x~ y|(x~)|x~2)|(x*)|{a}|[a]|a]b|[a TO|[a TO b|qps:[4 TO 8]]|qps:[4 TO 8]x|'a b'|qps:['4' TO '8']|a\tb|a\u3000b|a\x85b|\ufeffa
""".replace("\n", "|").split("|")
_SIGNS = [
    *'ab1.2_-:"()*~ ab1.2_-:"()*~ ',
    " OR ",
    " AND ",
    " NOT ",
    "[1 TO 2]",
    *"qps: model: title: >= 版 キャ ー é Ｑ x:y".split(),
]
_SCRIPTS = ((0x20, 0x580), (0x1E00, 0x2180), (0x3000, 0x30E0), (0xFF00, 0xFFE0))
"""Signs that are tried one by one: Latin, Greek, Cyrillic, signs, Japanese, wide forms. A browser's Unicode is newer
than Python's, so that letters of late versions may differ elsewhere."""
_LETTERS = [*"abcXYZ019._- sSeE\u0301", *"é ã ß Σ ー サ バ 版 本 が 지 ﬁ İ 𠮷 push Nixl 0.1 ões ies".split()]


def texts() -> Iterator[str]:
    """Texts to tokenise."""
    yield from TEXTS
    chance = random.Random(6)
    for _ in range(400):
        yield "".join(chance.choices(_LETTERS, k=chance.randint(1, 12)))
    for start in range(0, 0x10000, 0x20):
        if any(first <= start <= last for first, last in _SCRIPTS):
            known = [chr(code) for code in range(start, start + 0x20) if unicodedata.category(chr(code)) != "Cn"]
            yield " ".join(sign + "a" for sign in known)


def queries() -> Iterator[str]:
    """Queries to read."""
    yield from QUERIES
    others = (word for words in OTHER_WORDS.values() for word in words.split())
    yield from (f"{word}:x" for word in (*others, *NO_FIELD, "GPU"))
    yield from ("x" * 2001, "(" * 41 + "a" + ")" * 41, "push pull ttft connector:nixl qps:>=4")
    chance = random.Random(7)
    for _ in range(900):
        yield "".join(chance.choices(_SIGNS, k=chance.randint(1, 14)))


def tokenised(text: str) -> dict[str, Any]:
    """Everything the tokenizer says of a text."""
    found = analyse(text)
    return {
        "text": text,
        "parts": found.parts,
        "names": found.names,
        "units": [[list(each.parts), each.name, each.exact] for each in units(text)],
        "spans": [list(each) for each in spans(text)],
        "squash": squash(text),
        "fold": fold(text),
        "held": held(text),
    }


def read(text: str) -> dict[str, Any]:
    """What a query asks for, or why it cannot be understood."""
    asks = {"text": text, "question": is_question(text), "rest": without_fillers(text)}
    try:
        return {**asks, "query": as_data(parse(_Fields(), text))}  # type: ignore[arg-type]
    except QueryError as error:
        return {**asks, "error": [error.message, error.position, error.hint]}


class _Fields:
    """All that reading a query asks of a store."""

    def fields(self) -> dict[str, str]:
        return EXTRA


def as_data(query: Query) -> list[Any]:
    """A query in JSON types; an open end is null."""
    if isinstance(query, And | Or):
        return [type(query).__name__.lower(), *map(as_data, query.parts)]
    if isinstance(query, Not):
        return ["not", as_data(query.part)]
    ends = [_end(value) if isinstance(query, Range | Versions) else value for value in query]
    return [type(query).__name__.lower(), *ends]


def _end(value: Any) -> Any:
    if isinstance(value, float):
        return None if abs(value) == float("inf") else value
    return list(value) if isinstance(value, tuple) else value


NAMES = ["component", "connector", "engine", "model", "ttft", "title", "input_tokens", "hardware", "interconnect"]


def near() -> list[Any]:
    """Names that a misspelt one may have meant."""
    chance = random.Random(8)
    words = [
        "compnent",
        "Model",
        "tokens",
        "hw",
        "inter",
        "TTF",
        "",
        "x",
        *("".join(chance.choices("conetmpr", k=7)) for _ in range(60)),
    ]
    return [[word, nearest(word, NAMES)] for word in words]


def fixtures() -> dict[str, Any]:
    """File name -> content."""
    return {
        "tokens.json": [tokenised(text) for text in dict.fromkeys(texts())],
        "queries.json": [read(text) for text in dict.fromkeys(queries())],
        "near.json": {"names": NAMES, "words": near()},
    }


def as_text(content: Any) -> str:
    """One member a line, so that a difference can be read."""
    if isinstance(content, dict):
        return json.dumps(content, ensure_ascii=False) + "\n"
    return "[\n" + ",\n".join(json.dumps(each, ensure_ascii=False) for each in content) + "\n]\n"


def main() -> None:
    """Write them."""
    for name, content in fixtures().items():
        (FIXTURES / name).write_text(as_text(content), encoding="utf-8")


if __name__ == "__main__":
    main()
