"""The page answers what `kb search` answers: count, hits and their order, languages, snippets, facets, did you mean.

Asked are all judged queries and one of every kind of the query language. Scores agree to nine places. The one exception
is of SQLite's making (tests/site/answers.py, `lost_places`): where FTS5 scores a document otherwise in a scan than by
itself, only the order may differ.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.quality import build, judged
from benchmarks.sitesearch import write
from kb.store import Store
from tests.site.answers import FACETS, answer, lost_places

if TYPE_CHECKING:
    from playwright.sync_api import Browser

QUERIES = """*|kind:evaluation|kind:change component:nixl|title:push|claim:ttft|body:handshake|id:vllm|id:nixl*|title:"push connector"
push -pull|NOT push|-kind:change|(push OR pull) AND ttft|push OR qps:>=4|push OR NOT kind:change|NOT (push OR pull)|vllm NOT (push AND pull)
pre*|kv-tr*|0.2*|プッ*|転|転送|handshke~|latancy~2|connector:NixlConnector|engine:vllm|model:qwen3|model:qwen~|model:q*|qps:8
version:>=0.26|version:0.26|version:<0.10|version:[0.11 TO 0.26}|release:>=0.26|introduced:0.26|removed:0.26|date:2026|date:>=2026-06|lang:ja|lang:ja push|lang:pt
outcome:holds|outcome:recheck push|source:vendor|dimension:scheduler|ttft:>=300|ttft:{200 TO 400}|input_tokens:1000..16000|effect:>=2x|hardware:H200 topology:1P1D|prefix_caching:off
time to first token|"time to first token"|lista de descritores|does prefix caching matter for push|where does the handover time go|初回トークンの遅延は
mooncke|compnent:nixl|model:qwen33|nixlpushconector|vllm-nixl-psh|handshak latancy|handshak latancy kind:change|xyzzy|"xyzzy plugh"|q:1|(push|push OR|qps:x
aws-push-vs-pull-efa|NIXL push connector|the|a|"of the transfer"|"kv transfer"|v0.26.0|1.3|"初回トークン" OR "push"|プル -プッシュ|title:カー OR efa|status:proposed connector
""".strip().replace("\n", "|").split("|")  # fmt: skip  # noqa: E501
SCORE = 1e-9


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """The shipped records, with some outcomes as an audit would leave them."""
    store = build(tmp_path_factory.mktemp("base"), 0)
    with store.writing() as writer:
        writer.outcomes({"aws-push-vs-pull-efa": {"holds": 1, "recheck": 2}, "vllm-35264-push-branch": {"recheck": 1}})
    return store


@pytest.fixture(scope="module")
def asked(store: Store, tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> dict[str, list[dict[str, Any]]]:
    """Answers of the page and of `kb search`."""
    site = tmp_path_factory.mktemp("site")
    write(site, store)
    queries = list(dict.fromkeys([*(query.text for query in judged()), *QUERIES]))
    tab = browser.new_page()
    tab.goto((site / "search.html").as_uri())
    tab.evaluate(Path(__file__).with_name("twins.js").read_text(encoding="utf-8") + "null")
    call = "([queries, fields]) => kbAnswers('', queries, fields, 10)"
    return {"page": tab.evaluate(call, [queries, FACETS]), "kb": [answer(store, query) for query in queries]}


def test_the_same_answers(asked: dict[str, list[dict[str, Any]]], store: Store) -> None:
    """Everything shown is the same for every query, order included."""
    wrong = {}
    for there, here in zip(asked["page"], asked["kb"], strict=True):
        found = list(_differences(there, here))
        if found and not (set(found) <= {"hits"} and lost_places(store, here["q"])):
            wrong[here["q"]] = {name: (there.get(name), here.get(name)) for name in found}
    assert wrong == {}


def _differences(there: dict[str, Any], here: dict[str, Any]) -> list[str]:
    return [name for name in {**there, **here} if _plain(there.get(name)) != _plain(here.get(name))]


def _plain(value: Any) -> Any:
    """Scores to so many places; everything else as it is."""
    if isinstance(value, float):
        return round(value / SCORE / 10) * 10
    return list(map(_plain, value)) if isinstance(value, list | tuple) else value


def test_few_orders_are_of_sqlites_making(asked: dict[str, list[dict[str, Any]]], store: Store) -> None:
    """The exception is one: at most one query in thirty is scored by what lies before a document."""
    excused = [here["q"] for there, here in zip(asked["page"], asked["kb"], strict=True) if _differences(there, here)]
    assert len(excused) * 30 <= len(asked["kb"]), excused
    assert all(lost_places(store, query) for query in excused)


def test_answers_are_of_every_kind(asked: dict[str, list[dict[str, Any]]]) -> None:
    """The set compares something: hits, none, errors, proposals and translations."""
    answers = asked["kb"]
    assert sum(each.get("total", 0) > 0 for each in answers) > 150
    assert sum(each.get("total") == 0 for each in answers) > 5
    assert sum("error" in each for each in answers) >= 4
    assert sum(bool(each.get("did_you_mean")) for each in answers) > 5
    assert {lang for each in answers for _, lang, *_ in each.get("hits", ())} == {"en", "ja", "pt"}
    assert any(each["facets"]["outcome"] for each in answers if "facets" in each)
