"""A synthetic base from a seed: valid records in English, Japanese and Portuguese, marked as synthetic.

The text is made of real words of the field in a Zipf distribution with a long tail of made-up words, identifiers sprinkled in;
figures are random. Nothing here measures anything, and every record says so in its title, tags and source.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

ENGLISH = """the transfer of cache blocks from prefill to decode takes longer under load when many descriptors are posted one by one and
a scheduler step waits for completion so first token latency grows while throughput stays flat across replicas we measured with fixed
prompts warm pools and a steady arrival rate before each run caches were emptied the router picks a decoder early or late memory layout
network path rails queue depth batching handshake lease release notification thread engine layer hybrid attention expert parallel tail
variance repeat baseline candidate result conclusion limit condition reviewer deployment operator cluster node switch fabric""".split()
PORTUGUESE = """a transferência de blocos de cache do prefill para o decode demora mais sob carga quando muitos descritores são enviados um por vez
e o escalonador espera a conclusão então a latência do primeiro token cresce enquanto a vazão fica estável medimos com prompts fixos memória
aquecida e taxa constante antes de cada execução os caches foram esvaziados o roteador escolhe o decodificador cedo ou tarde rede caminho fila
lote conexão liberação notificação motor camada atenção paralelismo cauda variação repetição avaliação conclusão limite condição implantação
operador servidor versões requisições ações regiões comparação""".split()
JAPANESE = """転送 遅延 初回トークン 待機 引き渡し キャッシュ ブロック 負荷 測定 結果 結論 条件 限界 再現 実験 比較 送信 受信 登録 通知 スレッド スケジューラー
メモリ 断片化 レイアウト ネットワーク 経路 帯域 並列 分離 推論 応答 生成 要求 到着 一定 均一 分布 構成 設定 版 更新 互換 性能 改善 悪化 ルーター 送信先 選択
早期 後期 プール 共有 退避 復元 読み取り 書き込み 完了 確認 運用 配置 節点""".split()
PARTICLES = ["の", "を", "が", "は", "に", "で", "と", "から", "まで", "する", "した", "している。", "である。", "、"]
IDENTIFIERS = """NixlPushConnector NixlConnector LMCacheConnectorV1 OffloadingConnector MooncakeConnector --kv-transfer-config kv_role
UCX_TLS VLLM_NIXL_SIDE_CHANNEL_PORT Qwen3-32B Llama-3.3-70B v0.24.0 0.29.0 1P1D 4P2D #35264 #45211 H200 MI300X cuda_ipc fp8""".split()
MODELS = ["Qwen3-32B", "Llama-3.3-70B-Instruct", "DeepSeek-V3", "GLM-5-FP8", "Mistral-Large-2411"]
GPUS = ["H100", "H200", "B200", "MI300X", "A100"]
ARMS = [
    ("vllm-nixl-pull", "NixlConnector", "pull"),
    ("vllm-nixl-push", "NixlPushConnector", "push"),
    ("vllm-mooncake", "MooncakeConnector", "push"),
    ("vllm-lmcache", "LMCacheConnectorV1", "store"),
    ("vllm-offloading", "OffloadingConnector", "local"),
]
VERSIONS = ["0.20.2", "0.21.0", "0.24.0", "0.26.0", "0.27.1", "0.29.0", "0.31.0"]
DIMENSIONS = """library-version completion descriptor-count write-path parallelism post-thread failure-handling transport-selection
handshake descriptor-posting compatibility kv-layout block-lifetime cache-tiering read-path dispatch-order correctness scheduler kv-return
destination-setup prefix-reuse model-runner speculative-decoding server-api block-size""".split()
"""What changes alter, the commonest of the shipped ones first."""
QUESTIONS = """connector-choice push-vs-pull-handoff descriptor-posting-cost kv-layout-transfer disaggregated-vs-aggregated pd-goodput
router-policy cpu-offload same-node-transport transport-backend-choice prefill-decode-ratio""".split()
GUARDS = [
    "{key: connector.mode, value: push}",
    "{key: connector.mode, value: pull}",
    "{key: hardware.gpu, op: in, value: [MI300X, A100]}",
    "{key: hardware.interconnect, value: EFA}",
    "{key: decode.prefix_caching, value: on}",
    "{key: topology, op: is-not, value: 1P1D}",
    "{key: options.enable_cross_layers_blocks, op: set}",
    "{key: workload.input_tokens, op: '>=', value: 8192}",
    "{any_of: [{key: transport.backend, value: UCX}, {key: env.UCX_TLS, op: set}]}",
]
SYLLABLES = "ka lo min ter ser va do pre cor tal sen plu ro ni gar bel tos fi na mur".split()


def generate(count: int, seed: int = 1, like_shipped: bool = False) -> Iterator[tuple[str, str]]:
    """`count` records as (path below entries/, text); four evaluations to one change.

    `like_shipped`: with as many questions, guards and dimensions as the shipped records have, for what judges them; the
    judged searches want none that a query could mean.
    """
    chance = random.Random(seed)
    tail = [_made_up(chance) for _ in range(4000)]
    for number in range(count):
        if number % 5 == 4:
            yield _change(chance, number, tail, like_shipped)
        else:
            yield _evaluation(chance, number, tail, like_shipped)


def write_base(folder: Path, count: int, seed: int = 1) -> Path:
    """A base in `folder` with `count` synthetic records; it mounts the shipped one."""
    for name in ("evaluations", "changes"):
        (folder / "entries" / name).mkdir(parents=True, exist_ok=True)
    (folder / "kb.toml").write_text('[base]\nmounts = ["shipped"]\n', encoding="utf-8")
    for path, text in generate(count, seed):
        (folder / "entries" / path).write_text(text, encoding="utf-8")
    return folder


def _made_up(chance: random.Random) -> str:
    return "".join(chance.choices(SYLLABLES, k=chance.randint(2, 4)))


def _dimensions(chance: random.Random, most: int) -> list[str]:
    weights = [1 / (rank + 2) for rank in range(len(DIMENSIONS))]
    return list(dict.fromkeys(chance.choices(DIMENSIONS, weights, k=chance.randint(1, most))))


def _altered(chance: random.Random, own: random.Random, like_shipped: bool) -> str:
    plain = chance.choice(["descriptor-count", "post-thread", "block-lifetime", "scheduler"])
    return ", ".join(_dimensions(own, 2)) if like_shipped else plain


def language_of(number: int) -> str:
    return ("en", "en", "ja", "en", "pt")[number % 5]


def prose(chance: random.Random, language: str, words: int, tail: list[str]) -> str:
    common = {"en": ENGLISH, "ja": JAPANESE, "pt": PORTUGUESE}[language]
    weights = [1 / (rank + 1) for rank in range(len(common))]
    chosen = chance.choices(common, weights, k=words)
    for _ in range(words // 12):
        chosen[chance.randrange(words)] = chance.choice(IDENTIFIERS if chance.random() < 0.5 else tail)
    if language == "ja":
        return "".join(word + chance.choice(PARTICLES) for word in chosen)
    return " ".join(chosen).capitalize() + "."


def _body(chance: random.Random, language: str, tail: list[str]) -> str:
    return "\n\n".join(prose(chance, language, 80, tail) for _ in range(chance.randint(3, 6))) + "\n"


def _evaluation(chance: random.Random, number: int, tail: list[str], like_shipped: bool) -> tuple[str, str]:
    language, model, gpu = language_of(number), chance.choice(MODELS), chance.choice(GPUS)
    base, candidate = chance.sample(ARMS, 2)
    slow = round(chance.uniform(200, 4000), 1)
    fast = round(slow * chance.uniform(0.3, 1.1), 1)
    rate, tokens = chance.choice([1, 2, 4, 8, 16]), chance.choice([1000, 2048, 4096, 8192, 16000])
    month = f"{chance.choice((2025, 2026))}-{chance.randint(1, 12):02}"
    own = random.Random(number)  # draws apart, so that the texts stay as they are without it
    question, rests_on, noise, defined = "connector-choice", "descriptor-count, scheduler", "", ""
    if like_shipped:
        question, rests_on = own.choice(QUESTIONS), ", ".join(_dimensions(own, 3))
        noise = own.choice(["", "noise: {stated: yes, value: 3, unit: '%'}\n"])
        defined = own.choice(["", "definition: vllm-bench.ttft, "])
    first = "0.24.0" if "NixlPushConnector" in {base[1], candidate[1]} else ""  # before that release it was not there
    where = f"{{input_tokens: {tokens}, output_tokens: 128, request_rate: {rate}}}"
    text = f"""---
schema_version: 1
id: synthetic-{number:05}
title: Synthetic record {number}, {model} on {gpu}, {base[2]} and {candidate[2]}
tags: [synthetic]
kind: controlled
question: {question}
date: {month}-{chance.randint(1, 28):02}
language: {language}
source: {{relation: own, depth: full, url: unknown, by: generator}}
setup:
  model: {model}
  hardware: {{gpu: {gpu}, interconnect: {chance.choice(["EFA", "InfiniBand", "RoCE"])}}}
  topology: {chance.choice(["1P1D", "2P1D", "4P2D"])}
  engine: {{component: vllm, version: {max(chance.choice(VERSIONS), first)}}}
  transfer_library: {{component: nixl, version: {chance.choice(["1.2.0", "1.3.1", "1.4.1"])}}}
  both: {{prefix_caching: {chance.choice(["on", "off"])}, block_size: {chance.choice([16, 64, 128])}}}
  workload: {{dataset: random, input_tokens: {tokens}, output_tokens: 128, request_rate: {rate}}}
arms:
  - {{id: base, role: baseline, setup: {{connector: {{component: {base[0]}, class_name: {base[1]}, mode: {base[2]}}}}}}}
  - {{id: new, role: candidate, setup: {{connector: {{component: {candidate[0]}, class_name: {candidate[1]}, mode: {candidate[2]}}}}}}}
points:
  - {{id: base-ttft, metric: ttft, {defined}stat: mean, arm: base, where: {where}, value: {slow}, unit: ms}}
  - {{id: new-ttft, metric: ttft, {defined}stat: mean, arm: new, where: {where}, value: {fast}, unit: ms}}
  - {{id: base-tpot, metric: tpot, stat: mean, arm: base, where: {where}, value: {chance.uniform(8, 40):.1f}, unit: ms}}
  - {{id: new-tpot, metric: tpot, stat: mean, arm: new, where: {where}, value: {chance.uniform(8, 40):.1f}, unit: ms}}
claims:
  - id: ttft
    kind: measured
    says: {prose(chance, language, 12, tail)!r}
    effect: {{form: ratio, metric: ttft, arm: new, against: base, points: [new-ttft, base-ttft]}}
    conditions:
      - {{key: workload.request_rate, op: ">=", value: {rate}, why: {prose(chance, language, 6, tail)!r}}}
    rests_on: [{rests_on}]
{noise}limits: [Synthetic; measures nothing.]
---
{_body(chance, language, tail)}"""
    return f"evaluations/synthetic-{number:05}.md", text


def _change(chance: random.Random, number: int, tail: list[str], like_shipped: bool) -> tuple[str, str]:
    component = chance.choice(ARMS)[0]
    since = chance.choice(VERSIONS)
    own = random.Random(number)
    guarded = like_shipped and own.random() < 5 / 6  # so many of the shipped ones are
    guards = f"guards: [{own.choice(GUARDS)}]\n" if guarded else ""
    text = f"""---
schema_version: 1
id: synthetic-change-{number:05}
title: Synthetic change {number} of {component}
tags: [synthetic]
component: {component}
kind: {chance.choice(["performance", "fix", "refactor", "behaviour"])}
status: merged
dates: {{merged: 2026-{chance.randint(1, 11):02}-{chance.randint(1, 28):02}}}
summary: {prose(chance, "en", 16, tail)!r}
ships:
  - {{distribution: vllm, artifact: sdist, versions: ">={since}", ships: yes, marker: {_made_up(chance)}, checked: [{since}]}}
  - {{distribution: vllm, artifact: sdist, versions: "<{since}", ships: no, marker: absent, checked: [0.9.0]}}
{guards}dimensions: [{_altered(chance, own, like_shipped)}]
---
{_body(chance, "en", tail)}"""
    return f"changes/synthetic-change-{number:05}.md", text
