"""Names that `vllm serve` takes: of the parsers of 0.29.0 and 0.33.0, those that components' coverage notes, and some
of earlier releases, which were written down from knowledge and not looked up one by one. A name that is not here may
still be one; nobody should take it for read.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache

TAKEN = frozenset(
    {
        "additional-config", "aggregate-engine-logging", "all2all-backend", "allow-credentials",
        "allow-deprecated-quantization", "allowed-headers", "allowed-local-media-path", "allowed-media-domains",
        "allowed-methods", "allowed-origins", "anthropic-disabled-thinking-effort", "api-key", "api-server-count",
        "async-scheduling", "attention-backend", "attention-config", "aux-output-config", "block-size",
        "calculate-kv-scales", "chat-template", "chat-template-content-format", "code-revision", "cohere-format",
        "cohere-is-reasoning-model", "collect-detailed-traces", "compilation-config", "config", "config-format",
        "convert", "cp-kv-cache-interleave-size", "cpu-distributed-timeout-seconds", "cpu-offload-gb",
        "cpu-offload-params", "cuda-graph-sizes", "cudagraph-capture-sizes", "cudagraph-metrics",
        "custom-histogram-buckets", "data-parallel-address", "data-parallel-backend", "data-parallel-external-lb",
        "data-parallel-hybrid-lb", "data-parallel-multi-port-external-lb", "data-parallel-rank",
        "data-parallel-rpc-port", "data-parallel-size", "data-parallel-size-local", "data-parallel-start-rank",
        "data-parallel-supervisor-port", "dbo-decode-token-threshold", "dbo-prefill-token-threshold",
        "dcp-comm-backend", "dcp-kv-cache-interleave-size", "dcp-q-replicate", "decode-context-parallel-size",
        "default-chat-template-kwargs", "default-mm-loras", "device", "device-ids", "device-memory-utilization",
        "diffusion-config", "disable-access-log-for-endpoints", "disable-async-output-proc", "disable-cascade-attn",
        "disable-chunked-mm-input", "disable-cuda-graph-padding", "disable-custom-all-reduce", "disable-fastapi-docs",
        "disable-frontend-multiprocessing", "disable-hybrid-kv-cache-manager", "disable-log-requests",
        "disable-log-stats", "disable-mm-preprocessor-cache", "disable-nccl-for-dp-synchronization",
        "disable-sliding-window", "disable-uvicorn-access-log", "distributed-executor-backend",
        "distributed-timeout-seconds", "download-dir", "dp-supervisor-probe-failure-threshold",
        "dp-supervisor-probe-interval-s", "dp-supervisor-probe-timeout-s", "dp-sync-interval", "dtype",
        "ec-manager-config", "ec-transfer-config", "elastic-ep-max-dp-size", "enable-auto-tool-choice",
        "enable-batch-sharded-sampling", "enable-bf16x3-router-gemm", "enable-chunked-prefill",
        "enable-cumem-allocator", "enable-dbo", "enable-elastic-ep", "enable-ep-weight-filter", "enable-eplb",
        "enable-expert-parallel", "enable-fault-tolerance", "enable-flash-late-interaction",
        "enable-flashinfer-autotune", "enable-force-include-usage", "enable-hc-sp", "enable-layerwise-nvtx-tracing",
        "enable-log-deltas", "enable-log-outputs", "enable-log-requests", "enable-logging-iteration-details",
        "enable-lora", "enable-lora-bias", "enable-mamba-cache-stochastic-rounding",
        "enable-mamba-shared-prefix-checkpoint", "enable-mfu-metrics", "enable-mixed-moe-lora-format",
        "enable-mm-embeds", "enable-moe-shared-loras", "enable-multimodal-encoder-data-parallel",
        "enable-nccl-comm-suspend", "enable-offline-docs", "enable-per-request-metrics", "enable-prefix-caching",
        "enable-prompt-adapter", "enable-prompt-embeds", "enable-prompt-tokens-details", "enable-reasoning",
        "enable-request-id-headers", "enable-return-routed-experts", "enable-scale-out",
        "enable-server-load-tracking", "enable-shm-tensor-arena", "enable-sleep-mode", "enable-ssl-refresh",
        "enable-tokenizer-info-endpoint", "enable-tower-connector-lora", "enable-trace-replay", "enforce-eager",
        "engram-config", "eplb-config", "eplb-log-balancedness", "eplb-step-interval", "eplb-window-size",
        "exclude-tools-when-tool-choice-none", "expert-placement-strategy", "fail-on-environ-validation",
        "fault-tolerance-config", "fingerprint-mode", "fingerprint-value", "fully-sharded-loras",
        "gdn-prefill-backend", "generation-config", "gpu-memory-utilization", "grpc", "grpc-port",
        "guided-decoding-backend", "guided-decoding-disable-additional-properties",
        "guided-decoding-disable-any-whitespace", "guided-decoding-disable-fallback", "h11-max-header-count",
        "h11-max-incomplete-event-size", "headless", "hf-config-path", "hf-overrides", "hf-token", "host",
        "ignore-patterns", "interleave-mm-strings", "io-processor-plugin", "ir-op-priority", "is-decode-worker",
        "is-prefill-worker", "jit-monitor-mode", "jit-monitor-verbose", "kda-decode-backend", "kda-prefill-backend",
        "kernel-config", "kv-cache-dtype", "kv-cache-dtype-skip-layers", "kv-cache-memory-bytes", "kv-cache-metrics",
        "kv-cache-metrics-sample", "kv-events-config", "kv-offloading-backend", "kv-offloading-size",
        "kv-sharing-fast-prefill", "kv-transfer-config", "language-model-only", "limit-mm-per-prompt",
        "linear-backend", "load-format", "log-config-file", "log-error-stack", "log-level", "logging-config",
        "logits-processor-pattern", "logits-processors", "logprobs-mode", "long-lora-scaling-factors",
        "long-prefill-token-threshold", "long-prefill-token-threshold-adaptive", "lora-dtype",
        "lora-extra-vocab-size", "lora-modules", "lora-target-modules", "mamba-backend", "mamba-block-size",
        "mamba-cache-dtype", "mamba-cache-mode", "mamba-cache-philox-rounds", "mamba-ssm-cache-dtype",
        "mamba-ssu-algorithm", "master-addr", "master-port", "max-cpu-loras", "max-cudagraph-capture-size",
        "max-log-len", "max-logprobs", "max-long-partial-prefills", "max-lora-cls-labels", "max-lora-rank",
        "max-loras", "max-model-len", "max-num-active-seqs", "max-num-batched-tokens", "max-num-partial-prefills",
        "max-num-queued-reqs", "max-num-queued-tokens", "max-num-scheduled-tokens", "max-num-seqs",
        "max-parallel-loading-workers", "max-prompt-adapter-token", "max-prompt-adapters", "max-seq-len-to-capture",
        "media-io-kwargs", "middleware", "mm-device-do-normalize", "mm-encoder-attn-backend", "mm-encoder-attn-dtype",
        "mm-encoder-fp8-scale-path", "mm-encoder-fp8-scale-save-margin", "mm-encoder-fp8-scale-save-path",
        "mm-encoder-only", "mm-encoder-tp-mode", "mm-hasher-algorithm", "mm-ipc-gpu-memory-gb",
        "mm-processor-cache-gb", "mm-processor-cache-type", "mm-processor-device", "mm-processor-kwargs",
        "mm-shm-cache-max-object-size-mb", "mm-tensor-ipc", "model", "model-class-overrides", "model-impl",
        "model-loader-extra-config", "model-tag", "moe-backend", "monokernel", "multi-step-stream-outputs", "nnodes",
        "node-rank", "num-gpu-blocks-override", "num-lookahead-slots", "num-redundant-experts", "num-scheduler-steps",
        "num-speculative-tokens", "numa-bind", "numa-bind-cpus", "numa-bind-nodes", "observability-config",
        "offload-backend", "offload-group-size", "offload-num-in-group", "offload-params", "offload-prefetch-step",
        "optimization-level", "otlp-traces-endpoint", "override-attention-dtype", "override-generation-config",
        "override-neuron-config", "override-pooler-config", "per-request-spec-decode-metrics", "performance-mode",
        "pipeline-parallel-size", "pooler-config", "port", "preemption-mode", "prefill-context-parallel-size",
        "prefill-schedule-interval", "prefix-cache-retention-interval", "prefix-caching-hash-algo",
        "prefix-match-unit", "profiler-config", "prompt-adapters", "pt-load-map-location",
        "qlora-adapter-name-or-path", "quantization", "quantization-config", "ray-workers-use-nsight",
        "reasoning-config", "reasoning-effort-map", "reasoning-parser", "reasoning-parser-plugin",
        "renderer-num-workers", "replayssm-buffer-len", "response-role", "return-sampling-mask",
        "return-tokens-as-token-ids", "revision", "root-path", "rope-scaling", "rope-theta", "runner",
        "safetensors-load-strategy", "safetensors-prefetch-block-size", "safetensors-prefetch-num-threads",
        "scheduler-cls", "scheduler-delay-factor", "scheduler-reserve-full-isl", "scheduling-policy", "seed",
        "served-model-name", "show-hidden-metrics-for-version", "shutdown-timeout", "skip-mm-profiling",
        "skip-tokenizer-init", "sleep-mode-backend", "sleep-mode-offload-cudagraph", "sleep-preserve-parameter-names",
        "sparse-indexer-topk-backend", "spec-method", "spec-model", "spec-tokens", "specialize-active-lora",
        "speculative-config", "speculative-model", "sse-keep-alive-interval", "ssl-ca-certs", "ssl-cert-reqs",
        "ssl-certfile", "ssl-ciphers", "ssl-keyfile", "stream-interval", "structured-outputs-config",
        "swa-bounded-replay", "swap-space", "task", "tensor-parallel-size", "tokenizer", "tokenizer-mode",
        "tokenizer-revision", "tokens-only", "tool-call-parser", "tool-parser-plugin", "tool-server",
        "tool-strict-level", "tool-use-prompt-template", "trust-remote-code", "trust-request-chat-template",
        "trust-request-mm-kwargs", "ubatch-size", "uds", "use-fp64-gumbel", "use-replayssm", "use-tqdm-on-load",
        "use-v2-block-manager", "uvicorn-log-level", "video-pruning-method", "video-pruning-rate", "watchdog-config",
        "watermark", "watermark-config", "weight-transfer-config", "worker-cls", "worker-extension-cls",
    }
)  # fmt: skip


@cache
def known(name: str) -> bool:
    """Whether it is one of them or the beginning of one, which its parser takes for the name; of a table's field behind
    a dot the table counts."""
    bare = name.partition(".")[0]
    return bare in TAKEN or any(each.startswith(bare) for each in TAKEN)


def nearest(name: str) -> str | None:
    """The name that was meant, where one differs by a slip."""
    return next(iter(get_close_matches(name, TAKEN, 1, 0.9)), None)
