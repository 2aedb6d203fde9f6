"""Examples of what a setup's fields take, in the form of a record: shapes to fill in, never anybody's values."""

EXAMPLES = {
    "model": "Qwen/Qwen3-32B",
    "hardware": "{gpu: H200, interconnect: InfiniBand}",
    "topology": "1P1D",
    "engine": "{component: vllm, version: 0.30.0}",
    "connector": "{component: vllm-nixl-push, mode: push}",
    "transfer_library": "{component: nixl, version: 1.4.1}",
    "transport": "{backend: UCX, version: unknown}",
    "router": "{name: our-proxy.py, dispatch: sequential}",
    "cache": "{component: lmcache, version: unknown}",
    "stack": "{component: dynamo, version: unknown}",
    "client": "{name: vllm bench serve, version: unknown}",
    "prefill": "{instances: 1, tp: 8}",
    "decode": "{instances: 1, tp: 8}",
    "both": "{tp: 8, prefix_caching: off}",
    "workload": "{input_tokens: 2048, output_tokens: 128, request_rate: 4}",
    "slo": "{ttft: 1000, stat: p99}",
    "options": '{enforce_eager: "false"}',
    "env": "{UCX_TLS: all}",
}
"""Field of a setup -> an example, as YAML on one line."""
