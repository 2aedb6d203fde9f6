"""Manifests: Kubernetes, LeaderWorkerSet, patches, compose, charts, Dynamo graphs, kubectl describe."""

from __future__ import annotations

from tests.setups.reading import reading, suggested, values, why_not

TRANSFER = """'{"kv_connector":"NixlConnector","kv_role":"kv_both"}'"""


def workload(name: str, labels: str, tp: int, replicas: int, kind: str = "Deployment") -> str:
    return f"""\
apiVersion: apps/v1
kind: {kind}
metadata: {{name: {name}}}
spec:
  replicas: {replicas}
  template:
    metadata: {{labels: {{{labels}}}}}
    spec:
      containers:
        - name: vllm
          image: vllm/vllm-openai:v0.30.0
          command: ["vllm", "serve"]
          args: [m/m, --tensor-parallel-size, "{tp}", --kv-transfer-config, {TRANSFER}]
          env: [{{name: UCX_TLS, value: rc}}, {{name: HF_TOKEN, valueFrom: {{secretKeyRef: {{name: a, key: b}}}}}}]
          resources: {{limits: {{nvidia.com/gpu: "{tp}"}}}}
"""


def test_sides_by_label() -> None:
    """The routers' label states the side; replicas and GPU limits give counts and the topology."""
    text = workload("a", "llm-d.ai/role: prefill", 1, 4) + "---\n" + workload("b", "llm-d.ai/role: decode", 4, 1)
    got = reading(text)
    assert got.files == (("1", "kubernetes"),)
    assert got.values() == {
        "prefill.gpus": "4",
        "decode.gpus": "4",
        "prefill.instances": "4",
        "decode.instances": "1",
        "env.UCX_TLS": "rc",
        "engine.image": "vllm/vllm-openai:v0.30.0",
        "engine.component": "vllm",
        "engine.version": "0.30.0",
        "model": "m/m",
        "prefill.tp": "1",
        "decode.tp": "4",
        "both.kv_role": "kv_both",
        "connector.class_name": "NixlConnector",
        "connector.component": "vllm-nixl-pull",
        "connector.mode": "pull",
        "topology": "4P1D",
    }


def test_sides_by_name() -> None:
    """A name suggests the side: what differs is offered, not stated."""
    got = reading(workload("my-prefill", "app: x", 1, 4) + "---\n" + workload("my-decode", "app: x", 4, 1))
    assert got.setup.prefill is None
    assert got.setup.topology is None
    assert suggested(got)["prefill.tp"] == "1"
    assert suggested(got)["decode.instances"] == "1"
    assert got.values()["connector.mode"] == "pull"


def test_a_secret_stays_where_it_is() -> None:
    """A variable taken from a secret has no value here."""
    assert "its value stands elsewhere" in why_not(reading(workload("a", "app: x", 1, 1)), "HF_TOKEN")


def test_leader_and_workers() -> None:
    """A LeaderWorkerSet starts its server in the leader, on the GPUs of the whole group."""
    got = reading("""\
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: decode, labels: {llm-d.ai/role: decode}}
spec:
  replicas: 2
  leaderWorkerTemplate:
    size: 3
    workerTemplate:
      spec:
        containers:
          - name: vllm
            image: ghcr.io/llm-d/llm-d-cuda:v0.3.1
            command: [/bin/bash, -c]
            args:
              - |-
                export VLLM_USE_V1=1
                exec vllm serve \\
                  m/m \\
                  --data-parallel-size 24
            resources: {limits: {nvidia.com/gpu: 8}}
""")
    assert got.values()["decode.gpus"] == "48"
    assert got.values()["decode.dp"] == "24"
    assert {fact.key: fact.place for fact in got.read}["decode.dp"] == "1:19"


def test_patches() -> None:
    """Operations of a patch give what they set; what they touch beside is named."""
    got = reading("""\
- {op: replace, path: /spec/replicas, value: 2}
- {op: add, path: /spec/template/spec/containers/0/args/-, value: --tensor-parallel-size=4}
- {op: add, path: /spec/template/spec/nodeSelector, value: {a: b}}
- {op: remove, path: /spec/template/spec/containers/0/args/3}
""")
    assert got.files == (("1", "kustomize"),)
    assert got.values()["both.tp"] == "4"
    assert why_not(got, "nodeSelector")
    assert why_not(got, "remove")


def test_kustomization() -> None:
    """Patches inside a kustomization are read; other files it names are not, and that is said."""
    got = reading("""\
kind: Kustomization
resources: [base.yaml]
patches:
  - target: {kind: Deployment, name: decode}
    patch: |-
      - op: replace
        path: /spec/template/spec/containers/0/args
        value: ["--kv-cache-dtype", "fp8"]
""")
    assert "another file" in why_not(got, "base.yaml")
    assert {fact.place for fact in got.read if fact.key.endswith("kv_dtype")} | {
        each.place for each in got.suggestions if each.key == "decode.kv_dtype"
    } == {"1:8"}


def test_compose() -> None:
    """Each service that starts a server is an instance; names suggest the sides."""
    got = reading("""\
services:
  prefill:
    image: vllm/vllm-openai:v0.30.0
    command: --model m/m --tensor-parallel-size 2
    environment: {UCX_TLS: rc}
    deploy: {resources: {reservations: {devices: [{driver: nvidia, count: 2}]}}}
  decode:
    image: vllm/vllm-openai:v0.30.0
    command: ["--model", "m/m", "--tensor-parallel-size", "4"]
    environment: ["UCX_TLS=rc"]
  redis:
    image: redis:7
""")
    assert got.files == (("1", "compose"),)
    assert got.values() == {
        "env.UCX_TLS": "rc",
        "engine.image": "vllm/vllm-openai:v0.30.0",
        "engine.component": "vllm",
        "engine.version": "0.30.0",
        "model": "m/m",
    }
    assert suggested(got) == {"prefill.gpus": "2", "prefill.tp": "2", "decode.tp": "4", "topology": "1P1D"}
    assert "no server" in why_not(got, "service redis")


def test_production_stack() -> None:
    """Values of the production stack's chart."""
    got = values("""\
servingEngineSpec:
  modelSpec:
    - name: llama
      repository: vllm/vllm-openai
      tag: v0.30.0
      modelURL: meta-llama/Llama-3.1-8B-Instruct
      replicaCount: 2
      requestGPU: 1
      vllmConfig:
        enablePrefixCaching: true
        maxModelLen: 16384
        tensorParallelSize: 1
        extraArgs: ["--disable-log-requests"]
      lmcacheConfig: {enabled: true, cpuOffloadingBufferSize: "60"}
routerSpec: {routingLogic: session}
""")
    assert got == {
        "engine.image": "vllm/vllm-openai:v0.30.0",
        "engine.component": "vllm",
        "engine.version": "0.30.0",
        "model": "meta-llama/Llama-3.1-8B-Instruct",
        "both.instances": "2",
        "both.gpus": "2",
        "both.prefix_caching": "on",
        "options.max_model_len": "16384",
        "both.tp": "1",
        "options.disable_log_requests": "true",
        "cache.component": "lmcache",
        "both.offload": "cpu",
        "router.policy": "session",
    }


def test_modelservice() -> None:
    """llm-d's chart: its sections are the sides; a flag against its own parallelism is taken from neither."""
    got = reading("""\
modelArtifacts: {name: Qwen/Qwen3-32B, uri: "hf://Qwen/Qwen3-32B"}
routing: {proxy: {connector: nixlv2}}
decode:
  replicas: 1
  parallelism: {tensor: 4}
  containers:
    - {name: vllm, image: ghcr.io/llm-d/llm-d-cuda:v0.3.1, modelCommand: vllmServe, args: [--block-size, "128"]}
prefill:
  replicas: 4
  parallelism: {tensor: 1}
  containers:
    - {name: vllm, image: ghcr.io/llm-d/llm-d-cuda:v0.3.1, modelCommand: vllmServe, args: [--block-size, "128", -tp, "2"]}
""")  # noqa: E501
    assert got.files == (("1", "helm-values"),)
    assert got.values()["topology"] == "4P1D"
    assert got.values()["decode.tp"] == "4"
    assert "prefill.tp" not in got.values()
    assert "they disagree" in why_not(got, "-tp 2; parallelism.tensor 1")
    assert "not the engine's connector class" in why_not(got, "nixlv2")


def test_dynamo_graph() -> None:
    """A graph's sub-component states the side; the image's tag is Dynamo's, not the engine's."""
    got = reading("""\
apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: {name: vllm-disagg}
spec:
  services:
    Frontend:
      componentType: frontend
      replicas: 1
      extraPodSpec: {mainContainer: {image: nvcr.io/nvidia/ai-dynamo/vllm-runtime:1.6.1}}
    VllmDecodeWorker:
      componentType: worker
      subComponentType: decode
      replicas: 1
      resources: {limits: {gpu: "2"}}
      extraPodSpec:
        mainContainer:
          image: nvcr.io/nvidia/ai-dynamo/vllm-runtime:1.6.1
          command: [python3, -m, dynamo.vllm]
          args: [--model, m/m, -tp, "2"]
    VllmPrefillWorker:
      componentType: worker
      subComponentType: prefill
      replicas: 2
      resources: {limits: {gpu: "1"}}
      extraPodSpec:
        mainContainer:
          image: nvcr.io/nvidia/ai-dynamo/vllm-runtime:1.6.1
          command: [python3, -m, dynamo.vllm]
          args: [--model, m/m, --is-prefill-worker]
""")
    assert got.files == (("1", "dynamo-graph"),)
    assert got.values() == {
        "decode.instances": "1",
        "prefill.instances": "2",
        "decode.gpus": "2",
        "prefill.gpus": "2",
        "engine.image": "nvcr.io/nvidia/ai-dynamo/vllm-runtime:1.6.1",
        "engine.component": "vllm",
        "model": "m/m",
        "decode.tp": "2",
        "stack.component": "dynamo",
        "router.name": "dynamo frontend",
        "topology": "2P1D",
    }
    assert suggested(got)["stack.version"] == "1.6.1"


def test_describe() -> None:
    """What kubectl prints of a pod: image, arguments, variables, GPUs."""
    got = reading("""\
Name:             decode-6f7
Namespace:        default
Labels:           llm-d.ai/role=decode
Containers:
  vllm:
    Container ID:  containerd://1
    Image:         vllm/vllm-openai:v0.30.0
    Command:
      vllm
      serve
    Args:
      m/m
      --tensor-parallel-size
      4
    Limits:
      nvidia.com/gpu:  4
    Environment:
      UCX_TLS:   rc
      HF_TOKEN:  <set to the key 'a' in secret 'b'>
    Mounts:
      /dev/shm from dshm (rw)
Conditions:
  Type    Status
  Ready   True
""")
    assert got.files == (("1", "kubectl-describe"),)
    assert got.values()["decode.tp"] == "4"
    assert got.values()["decode.gpus"] == "4"
    assert got.values()["decode.engine.version"] == "0.30.0"
    assert got.sides[0].sure


def test_no_server() -> None:
    """Manifests without a server are read, and say that there is none."""
    got = reading(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: redis}\n"
        "spec: {template: {spec: {containers: [{name: r, image: 'redis:7'}]}}}\n"
    )
    assert got.values() == {}
    assert "starts no server" in why_not(got, "container r")
