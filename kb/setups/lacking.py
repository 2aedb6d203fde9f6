"""Facts that a reviewer will need and that a setup lacks, each with the place where it is usually found."""

from __future__ import annotations

from kb.completeness import missing_facts
from kb.evaluation import Arm, Evaluation
from kb.setup import Setup
from kb.setups.reading import Missing

WHERE: dict[str, str] = {
    "model": "`vllm serve MODEL`, or the model line of the server's log",
    "precision": "the model's config.json (quantization_config), or --quantization",
    "hardware.gpu": "nvidia-smi, rocm-smi, or collect_env on the server",
    "hardware.interconnect": "the machine's type, ibstat, fi_info, or whoever runs the cluster",
    "topology": "how many prefill and decode servers were started",
    "same_node": "where the two servers ran: hostnames, node selectors, the job script",
    "engine.version": 'the server\'s log ("version"), pip freeze, or GET /version',
    "connector.mode": "the connector's class, once the engine's release is known",
    "connector.class_name": "kv_connector in --kv-transfer-config",
    "transfer_library.version": "pip freeze on the server (nixl, nixl-cu12, mooncake-transfer-engine)",
    "transport.backend": "backends in kv_connector_extra_config, or the library's log at start",
    "transport.version": "ucx_info -v, fi_info --version, inside the image",
    "cache.version": "pip freeze on the server (lmcache), or the store's own log",
    "router.name": "the command that starts the router or proxy",
    "router.dispatch": "the router's code or documentation: are both legs sent at once?",
    "router.decoder_chosen": "the router's code or documentation",
    "prefill.gpus": "CUDA_VISIBLE_DEVICES, GPU limits, or TP x DP x instances",
    "decode.gpus": "CUDA_VISIBLE_DEVICES, GPU limits, or TP x DP x instances",
    "prefill.tp": "--tensor-parallel-size of the prefill server",
    "decode.tp": "--tensor-parallel-size of the decode server",
    "tp": "--tensor-parallel-size, or the server's log",
    "gpus": "CUDA_VISIBLE_DEVICES, GPU limits, or TP x DP x instances",
    "block_size": "--block-size, or cache_config_info on the server's /metrics page",
    "prefix_caching": "--enable-prefix-caching, or cache_config_info on the server's /metrics page",
    "kv_layout": '"KV cache layout" in the server\'s log, or VLLM_KV_CACHE_LAYOUT',
    "kv_memory": "how long the server had run, and under which load, before the measurement",
    "workload.input_tokens": "the load generator's command, or its result file",
    "workload.output_tokens": "the load generator's command, or its result file",
    "workload.request_rate": "the load generator's command, or its result file",
    "workload.dataset": "--dataset-name of the load generator",
    "workload.num_prompts": "--num-prompts of the load generator, or its result file",
    "workload.turns": "the data set: single requests or conversations",
    "workload.warmup": "the script that ran the test: what was sent before measuring",
    "workload.repeats": "how often each load point was measured",
    "workload.cache_reset": "the script that ran the test: restarts, or POST /reset_prefix_cache, between runs",
    "client.name": "the load generator's command",
    "client.version": "pip freeze where the load generator ran",
    "slo.ttft": "--goodput of the load generator, or the service's own limits",
    "points.n": "how often each load point was measured",
    "points.stat": "the tool's own output: mean, median or a percentile",
}
"""Key -> where it is usually found; keys of a side stand without it."""


def where_found(key: str) -> str:
    """Where a fact is usually found."""
    side, _, rest = key.partition(".")
    return WHERE.get(key) or (WHERE.get(rest, "") if side in {"prefill", "decode", "both"} else "") or "whoever ran it"


def lacking(setup: Setup) -> tuple[Missing, ...]:
    """What is missing of a setup that is looked at as a target."""
    asked = Evaluation(id="reading", title="reading", setup=setup, arms=(Arm(id="reading"),))
    return tuple(Missing(fact.key, fact.why, where_found(fact.key)) for fact in missing_facts(asked))
