"""`kb new evaluation --from`: the draft reads, computes, and concludes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from kb.arranging.begin import Begun, Wanted, begin
from kb.conditions import Condition
from kb.config import Config
from kb.errors import KbError, WriteRefused
from kb.evaluation import Claim, Evaluation
from kb.evidence import compute
from kb.library import open_library
from kb.lint import lint
from kb.vocabulary import Severity, Statistic
from tests.arranging.made import base, pair, write

SERVE = (
    "vllm serve Qwen/Qwen3-32B -tp 8 --block-size 128 "
    """--kv-transfer-config '{"kv_connector":"%s","kv_role":"kv_both"}'"""
)


def made(config: Config, *paths: Path, **wanted: object) -> tuple[Begun, Evaluation]:
    got = begin(config, "x", Wanted(tuple(map(str, paths)), **wanted))  # type: ignore[arg-type]
    return got, open_library(config).evaluations["x"]


def text(config: Config) -> str:
    return (config.base.entries / "evaluations/x.md").read_text()


def test_single_runs(tmp_path: Path) -> None:
    """Without repeats the numbers are those of the files, to the last digit, and nothing is said of their scatter."""
    config = base(tmp_path / "base")
    got, record = made(config, pair(tmp_path / "res"), baseline="pull")
    points = record.point_table()
    assert points["push-ttft-p50-r8"].value == 540.0
    assert points["pull-ttft-p99-r8"].value == 3240.0
    assert points["push-ttft-p50-r8"].n == 1
    assert points["push-ttft-p50-r8"].spread is None
    assert points["push-ttft-p50-r8"].definition == "vllm-bench.ttft"
    assert record.noise is not None
    assert record.noise.stated == "no"
    assert "no noise floor" in record.limits[0]
    assert "there is no noise floor" in text(config)
    assert got.proposed == len(record.claims)


def test_claims(tmp_path: Path) -> None:
    """A claim for each stretch of the sweep in which the direction stays; its ratio is computed from its points."""
    config = base(tmp_path / "base")
    _, record = made(config, pair(tmp_path / "res"), baseline="pull")
    said = {claim.id: claim for claim in record.claims}
    assert set(said) == {"push-ttft-p50-1", "push-ttft-p99-1"}
    claim = said["push-ttft-p50-1"]
    assert claim.effect is not None
    computed = compute(claim.effect, record.point_table())
    assert computed is not None
    assert computed.value == pytest.approx(1 / 3)
    assert claim.effect.better == "push"
    (condition,) = claim.conditions
    assert isinstance(condition, Condition)
    assert (condition.key, condition.op.value, condition.value) == ("workload.request_rate", "is", ("8",))
    assert claim.says == "At a request rate of 8, median TTFT of push was lower than that of pull."
    assert record.decision is None


def claims_of(config: Config, folder: Path) -> dict[str, tuple[str, list[str]]]:
    """Claim -> its sentence and its conditions."""
    _, record = made(config, folder, baseline="pull")
    return {each.id: (each.says, [str(condition) for condition in each.conditions]) for each in record.claims}


def test_the_only_load_that_both_arms_have(tmp_path: Path) -> None:
    """Of seven rates in each arm one is shared: the claim says so, and holds at that rate only."""
    for arm, ttft, rates in (("push", 300.0, (1, 2, 4, 6, 8, 10, 12)), ("pull", 200.0, (1, 3, 5, 7, 9, 11, 13))):
        for rate in rates:
            write(tmp_path / f"res/{arm}/{rate}.json", request_rate=rate, median_ttft_ms=ttft + rate,
                  p99_ttft_ms=900.0, mean_ttft_ms=ttft)  # fmt: skip
    assert claims_of(base(tmp_path / "base"), tmp_path / "res") == {
        "push-ttft-p50-1": (
            "At a request rate of 1, the only rate measured in both arms, median TTFT of push was higher than that of "
            "pull.",
            ["workload.request_rate is 1"],
        )
    }


def test_loads_that_an_arm_lacks(tmp_path: Path) -> None:
    """Where an arm was measured at further rates, "each load" is each that both have; the concurrency that all of these
    share and others do not is a condition.
    """
    for arm, ttft, rates in (("push", 300.0, (1, 2, 4)), ("pull", 200.0, (1, 4))):
        for rate in rates:
            write(tmp_path / f"res/{arm}/{rate}.json", request_rate=rate, median_ttft_ms=ttft + rate, max_concurrency=8,
                  p99_ttft_ms=900.0)  # fmt: skip
    write(tmp_path / "res/push/more.json", request_rate=8, median_ttft_ms=500.0, max_concurrency=16, p99_ttft_ms=900.0)
    assert claims_of(base(tmp_path / "base"), tmp_path / "res") == {
        "push-ttft-p50-1": (
            "At each load measured in both arms from a request rate of 1 to 4, at a concurrency of 8, median TTFT of "
            "push was higher than that of pull.",
            ["workload.request_rate within [1, 4]", "workload.concurrency is 8"],
        )
    }


def test_one_load(tmp_path: Path) -> None:
    """A claim of the only load is one about that load."""
    for arm, ttft in (("push", 300.0), ("pull", 200.0)):
        write(tmp_path / f"res/{arm}/a.json", median_ttft_ms=ttft, p99_ttft_ms=900.0)
    (claim,) = claims_of(base(tmp_path / "base"), tmp_path / "res").values()
    assert claim == (
        "At a request rate of 4, the only load measured, median TTFT of push was higher than that of pull.",
        ["workload.request_rate is 4"],
    )


def test_lengths_that_were_only_measured_are_conditions(tmp_path: Path) -> None:
    """A claim whose sentence names a mean length holds around that length."""
    for arm, ttft in (("push", 300.0), ("pull", 200.0)):
        for tokens, more in ((128, 0.0), (2046, 50.0)):
            factor = 1 if arm == "push" or tokens == 128 else 10
            write(tmp_path / f"res/{arm}/{tokens}.json", total_input_tokens=tokens * 100, p99_ttft_ms=900.0,
                  median_ttft_ms=(ttft + more) * factor)  # fmt: skip
    found = claims_of(base(tmp_path / "base"), tmp_path / "res")
    assert found["push-ttft-p50-1"] == (
        "At a mean input length of 128, median TTFT of push was higher than that of pull.",
        ["workload.input_tokens within [122, 134]"],
    )
    assert found["push-ttft-p50-2"][1] == ["workload.input_tokens within [1944, 2148]"]


def test_repeats(tmp_path: Path) -> None:
    """Repeats become their mean with deviation and a 95% interval; claims need intervals that leave 1 out."""
    config = base(tmp_path / "base")
    _, record = made(config, pair(tmp_path / "res", repeats=3), baseline="pull")
    point = record.point_table()["push-ttft-p50-r8"]
    assert (point.value, point.n) == (541.0, 3)
    assert point.spread is not None
    assert point.spread.std == 1.0
    assert point.spread.low == pytest.approx(541 - 4.303 / 3**0.5, abs=1e-3)
    assert point.spread.kind == "95% confidence interval of the mean"
    assert record.noise is None
    assert record.setup is not None
    assert record.setup.workload is not None
    assert record.setup.workload.repeats == 3
    assert {claim.id for claim in record.claims} == {"push-ttft-p50-1", "push-ttft-p99-1"}
    assert "95% confidence interval" in text(config)


def test_no_claim_where_the_intervals_leave_it_open(tmp_path: Path) -> None:
    """With repeats that scatter more than the arms differ nothing is proposed."""
    config = base(tmp_path / "base")
    for arm, values in (("push", (200.0, 260.0, 230.0)), ("pull", (210.0, 270.0, 240.0))):
        for n, value in enumerate(values):
            write(tmp_path / f"res/{arm}/rep{n}.json", median_ttft_ms=value, p99_ttft_ms=value, mean_ttft_ms=value)
    got, record = made(config, tmp_path / "res")
    assert (got.proposed, record.claims) == (0, ())


def test_setup_files_beside(tmp_path: Path) -> None:
    """A command line in an arm's folder is that arm's setup; one above both is everybody's."""
    config = base(tmp_path / "base")
    res = pair(tmp_path / "res")
    (res / "push/serve.sh").write_text(SERVE % "NixlPushConnector")
    (res / "pull/serve.sh").write_text(SERVE % "NixlConnector")
    (res / "freeze.txt").write_text("vllm==0.30.0\nnixl==1.4.1\n")
    _, record = made(config, res)
    arms = record.arm_table()
    assert record.setup is not None
    assert record.setup.engine is not None
    assert (record.setup.engine.component, record.setup.engine.version) == ("vllm", "0.30.0")
    assert record.setup.model == "Qwen/Qwen3-32B"
    modes = {name: record.arm_setup(arm).flat()["connector.mode"] for name, arm in arms.items()}
    assert modes == {"push": "push", "pull": "pull"}
    assert record.setup.both is None
    assert "#   both.tp: 8" in text(config)


def test_what_files_disagree_on_stays_out(tmp_path: Path) -> None:
    """A model that the result and the command name differently is in neither place, and said."""
    config = base(tmp_path / "base")
    res = pair(tmp_path / "res")
    (res / "serve.sh").write_text("vllm serve another/model -tp 8")
    got, record = made(config, res)
    assert record.setup is not None
    assert record.setup.model is None
    assert any("a result file says Qwen/Qwen3-32B, a setup file another/model" in each for each in got.arranged.said)


def test_what_is_not_stated_has_an_example(tmp_path: Path) -> None:
    """The shape of what is missing stands in comments; switched on it reads, and lint asks about it."""
    config = base(tmp_path / "base")
    made(config, pair(tmp_path / "res"))
    path = config.base.entries / "evaluations/x.md"
    lines = path.read_text().splitlines()
    examples = [line.strip() for line in lines if "this is an example" in line]
    assert [line.partition(":")[0] for line in examples] == [
        "# hardware",
        "# topology",
        "# engine",
        "# setup",
        "# setup",
    ]
    path.write_text("\n".join(line.replace("# ", "", 1) if "this is an example" in line else line for line in lines))
    record = open_library(config).evaluations["x"]
    assert record.setup is not None
    assert record.setup.topology == "1P1D"
    asked = {each.message for each in lint(open_library(config)) if each.code == "KB191"}
    assert {'nobody has chosen gpu "H200" yet', 'nobody has chosen topology "1P1D" yet'} <= asked
    assert 'nobody has chosen mode "push" yet' in asked


def test_the_baseline_by_its_name(tmp_path: Path) -> None:
    """Of push and pull, pull is what the others are compared with until somebody says otherwise."""
    config = base(tmp_path / "base")
    res = pair(tmp_path / "res")
    made(config, arms=(f"pull={res}/pull", f"push={res}/push"))
    assert "role: baseline # TODO is this the one that the others are compared with?" in text(config)
    assert {arm.id: str(arm.role) for arm in open_library(config).evaluations["x"].arms} == {
        "pull": "baseline",
        "push": "candidate",
    }


def test_a_baseline_that_was_named_is_not_asked_about(tmp_path: Path) -> None:
    """Who says --baseline has answered the question."""
    config = base(tmp_path / "base")
    made(config, pair(tmp_path / "res"), baseline="push")
    assert "is this the one that the others are compared with?" not in text(config)
    assert "role: baseline\n" in text(config)


def test_examples_contradict_no_name(tmp_path: Path) -> None:
    """An arm that is called pull has a pull connector for its example."""
    config = base(tmp_path / "base")
    made(config, pair(tmp_path / "res"))
    pull, push = text(config).split("  - id: pull\n")[1].split("  - id: push\n")
    assert "component: vllm-nixl-pull, mode: pull" in pull
    assert "component: vllm-nixl-push, mode: push" in push


def test_without_a_proposal_there_is_an_example(tmp_path: Path) -> None:
    """A claim to write by hand is shown in a comment, and its fields are those of a claim."""
    config = base(tmp_path / "base")
    one = write(tmp_path / "res/rate1.json", rate=1)
    made(config, one)
    shown = text(config).split("# claims:\n")[1].split("\nnoise:")[0]
    (example,) = yaml.safe_load("\n".join(line.removeprefix("# ") for line in shown.splitlines()))
    assert Claim.model_validate({**example, "effect": {**example["effect"], "points": ["a", "b"]}}).kind == "measured"


def test_names_only_hint(tmp_path: Path) -> None:
    """What file names hint at stands in comments, never in the record."""
    config = base(tmp_path / "base")
    _, record = made(config, write(tmp_path / "1p3d_h200_tp8.json"))
    assert record.setup is not None
    assert (record.setup.topology, record.setup.hardware) == (None, None)
    assert "#   topology: 1P3D" in text(config)
    assert "#   hardware.gpu: H200" in text(config)


def test_many_points_go_to_a_table(tmp_path: Path) -> None:
    """More than forty points lie in results.csv, and the record says so."""
    config = base(tmp_path / "base")
    got, record = made(config, pair(tmp_path / "res"))
    assert len(record.points) > 40
    assert record.results == "results.csv"
    assert [Path(file).name for file in got.files] == ["results.csv"]
    assert "\npoints:" not in text(config)


def test_few_points_stay_in_the_record(tmp_path: Path) -> None:
    """One run's points are lines of the record."""
    config = base(tmp_path / "base")
    _, record = made(config, write(tmp_path / "a.json"))
    assert record.results is None
    assert "  - {id: measured-ttft-p50, metric: ttft," in text(config)
    assert not (config.base.entries / "evaluations/x").exists()


def test_a_run_in_which_nothing_completed(tmp_path: Path) -> None:
    """It has no latencies, and its requests count."""
    config = base(tmp_path / "base")
    zero = dict.fromkeys(("mean_ttft_ms", "median_ttft_ms", "p99_ttft_ms", "std_ttft_ms", "mean_tpot_ms"), 0.0)
    write(tmp_path / "res/a.json", completed=0, failed=100, total_output_tokens=0, total_input_tokens=0, **zero)
    got, record = made(config, tmp_path / "res")
    assert not any(point.metric in {"ttft", "tpot", "itl"} for point in record.points)
    assert record.arms[0].requests is not None
    assert record.arms[0].requests.failed == 100
    assert any("KB301" in each for each in got.arranged.said)


def test_no_errors(tmp_path: Path) -> None:
    """Lint has questions about a draft, and no errors."""
    config = base(tmp_path / "base")
    made(config, pair(tmp_path / "res", repeats=2))
    assert [each for each in lint(open_library(config)) if each.severity is Severity.ERROR] == []


def test_where_it_lay_is_no_fact(tmp_path: Path) -> None:
    """The folder of the results on somebody's disk is nowhere in the record."""
    config = base(tmp_path / "base")
    res = pair(tmp_path / "home/alice/res")
    (res / "push/serve.sh").write_text("vllm serve m/m --max-model-len $LEN")
    write(tmp_path / "home/alice/res/push/copy-of-rate8.json", request_rate=8.0)
    got, _ = made(config, res)
    assert any("push/serve.sh:1" in each for each in got.arranged.said)
    assert "alice" not in text(config)


def test_missing(tmp_path: Path) -> None:
    """Each fact a reviewer will need is named with its reason and where it is usually found."""
    config = base(tmp_path / "base")
    got, _ = made(config, pair(tmp_path / "res"))
    keys = [key for key, _ in got.missing]
    assert {"question", "hardware.gpu", "engine.version", "workload.warmup"} <= set(keys)
    assert {"model", "workload.request_rate", "client.name"}.isdisjoint(keys)
    assert set(got.as_dict()["where"]) == set(keys)
    assert all(got.where.values())


def test_attached(tmp_path: Path) -> None:
    """Raw files are kept beside the record as they lay, without secrets."""
    config = base(tmp_path / "base")
    write(tmp_path / "res/push/a.json", label="token=hf_abcdefghijklmnopqrstuv")
    write(tmp_path / "res/pull/a.json")
    made(config, tmp_path / "res", attach=True)
    raw = config.base.entries / "evaluations/x/raw"
    assert sorted(str(path.relative_to(raw)) for path in raw.rglob("*.json")) == ["pull/a.json", "push/a.json"]
    assert "hf_abc" not in (raw / "push/a.json").read_text()
    assert json.loads((raw / "pull/a.json").read_text())["median_ttft_ms"] == 200.0
    assert "hf_abc" not in text(config)


def test_refused(tmp_path: Path) -> None:
    """What is there is not overwritten; where nothing was read nothing is written."""
    config = base(tmp_path / "base")
    res = pair(tmp_path / "res")
    (tmp_path / "empty").mkdir()
    with pytest.raises(KbError, match="no run was read"):
        begin(config, "y", Wanted((str(tmp_path / "empty"),)))
    with pytest.raises(KbError, match='no arm is called "nobody"'):
        begin(config, "y", Wanted((str(res),), baseline="nobody"))
    with pytest.raises(KbError, match="two ways"):
        begin(config, "y", Wanted((str(res),), arms=("a=x",), arm_by="label"))
    assert not list((config.base.entries / "evaluations").glob("y*"))
    begin(config, "y", Wanted((str(res),)))
    with pytest.raises(WriteRefused):
        begin(config, "y", Wanted((str(res),)))


NASTY = {
    "arm: of": "a: b # c",
    "note": "x" * 1000,
    "lines": "one\ntwo\ttabs",
    'quo"te': "é [初], {x}",
    "- dash": "- item",
    "empty": "",
    "%percent": "%x @y `z` !tag &anchor *alias",
    "null": "null",
}


def test_odd_metadata(tmp_path: Path) -> None:
    """Whatever people put into metadata, the draft reads, and each value is the text that it was."""
    config = base(tmp_path / "base")
    for n in range(2):
        odd = {key: f"{n}{value}" if value else value for key, value in NASTY.items()}
        write(tmp_path / f"res/{n}.json", request_rate=float(n + 1), **odd)
    _, record = made(config, tmp_path / "res")
    where = record.points[0].where
    assert where is not None
    assert where.factors["arm: of"] == "0a: b # c"
    assert where.factors["lines"] == "0one two tabs"
    assert where.factors["%percent"] == "0%x @y `z` !tag &anchor *alias"
    assert len(where.factors["note"]) == 200
    assert "empty" not in where.factors
    assert not take_again(config, tmp_path / "res")


def take_again(config: Config, *paths: Path) -> bool:
    """Whether the same files would change the record."""
    from kb.arranging.taking import take

    return take(config, "x", Wanted(tuple(map(str, paths)))).changes


def test_ratios_only_of_the_same_definition(tmp_path: Path) -> None:
    """Two clients of other definitions meet in no claim."""
    config = base(tmp_path / "base")
    write(tmp_path / "res/push/a.json")
    sglang = {
        "backend": "sglang-oai",
        "dataset_name": "random",
        "request_rate": 4.0,
        "max_concurrency": None,
        "sharegpt_output_len": None,
        "random_input_len": 1000,
        "random_output_len": 128,
        "random_range_ratio": 1.0,
        "duration": 30.0,
        "completed": 100,
        "total_input_tokens": 100_000,
        "total_output_tokens": 12_800,
        "request_throughput": 3.3,
        "output_throughput": 426.0,
        "mean_e2e_latency_ms": 2800.0,
        "median_e2e_latency_ms": 2700.0,
        "mean_ttft_ms": 300.0,
        "median_ttft_ms": 290.0,
        "p99_ttft_ms": 500.0,
        "concurrency": 9.3,
    }
    (tmp_path / "res/pull").mkdir()
    (tmp_path / "res/pull/a.jsonl").write_text(json.dumps(sglang) + "\n")
    arms = tuple(f"{arm}={tmp_path}/res/{arm}" for arm in ("push", "pull"))
    got = begin(config, "x", Wanted((), arms=arms))
    record = open_library(config).evaluations["x"]
    assert {point.definition for point in record.points if point.metric == "ttft" and point.stat is Statistic.P50} == {
        "vllm-bench.ttft",
        "sglang-bench.ttft",
    }
    assert got.proposed == 0
