"""kb.plan, kb.deciding, kb.commands: the fewest load points that could flip claims, and their commands."""

from __future__ import annotations

import fnmatch
import shlex
from dataclasses import replace
from typing import Any

import pytest

from kb.commands import Task, command
from kb.deciding import fewest
from kb.evaluation import Evaluation
from kb.library import Library
from kb.plan import Plan, plan
from kb.present.plan import _command
from kb.present.text import Page
from kb.reading import Loaded
from kb.target import Target
from kb.verdict import Covers, Ruling, Verdict
from kb.vocabulary import Outcome
from tests.test_comparability import LIBRARY as WORDS
from tests.test_comparability import evaluation


def library(*records: Evaluation) -> Library:
    loaded = tuple(Loaded(each, f"entries/evaluations/{each.id}.md", "", 1, "", 1) for each in records)
    return Library((*WORDS.loaded, *loaded))


def verdict(claim: str, outcome: Outcome = Outcome.RECHECK, of: str = "one", settles: str | None = None) -> Verdict:
    ruling = Ruling("something changed", outcome, settles=settles)
    return Verdict(of, claim, outcome, False, Covers("same"), (), (ruling,), (), {"orbit": "2.0"}, {})


def claim(id_: str, form: str, metric: str, *points: str, **more: Any) -> dict[str, Any]:
    effect: dict[str, Any] = {"form": form, "metric": metric, "arm": "new", "points": list(points)}
    if form in {"ratio", "parity"}:
        effect["against"] = "old"
    effect |= {key: more.pop(key) for key in ("at_most", "unit") if key in more}
    return {"id": id_, "kind": "measured", "says": f"{id_}.", "effect": effect, **more}


def twelve() -> list[dict[str, Any]]:
    """Two arms, three rates, two metrics."""
    return [
        {
            "id": f"{metric}-{arm}-{rate}",
            "metric": metric,
            "definition": f"a.{metric}",
            "stat": "p50",
            "arm": arm,
            "where": {"request_rate": rate},
            "value": 10 * rate,
            "unit": "ms",
        }
        for metric in ("ttft", "tpot")
        for arm in ("new", "old")
        for rate in (2, 4, 8)
    ]


CLAIMS = [
    claim("faster", "ratio", "ttft", "ttft-new-8", "ttft-old-8"),
    claim("bounded", "bound", "ttft", "ttft-new-8", at_most=100, unit="ms"),
    claim("alike", "parity", "tpot"),
    claim("alike-under-load", "parity", "tpot", conditions=[{"key": "workload.request_rate", "op": ">=", "value": 4}]),
]


def swept(**changed: Any) -> Evaluation:
    return evaluation(
        points=twelve(),
        claims=CLAIMS,
        setup__workload__request_rate=[2, 4, 8],
        setup__client={"name": "vllm bench serve"},
        setup__workload__dataset="random",
        **changed,
    )


def planned(record: Evaluation, *claims: str, target: Target | None = None) -> Plan:
    return plan([verdict(each, of=record.id) for each in claims], library(record), target)


def test_one_point_of_twelve_suffices() -> None:
    """Four claims over twelve points are decided by one load point, measured once in each arm, and by nothing else."""
    found = planned(swept(), "faster", "bounded", "alike", "alike-under-load")
    assert [(each.claims, each.load) for each in found.runs] == [
        (
            ("alike", "alike-under-load", "bounded", "faster"),
            {"dataset": "random", "input_tokens": "2048", "output_tokens": "128", "request_rate": "8"},
        )
    ]
    run = found.runs[0]
    assert [(each.metric, each.stat, each.arm, each.was) for each in run.points] == [
        ("tpot", "unknown", "new", None),
        ("tpot", "unknown", "old", None),
        ("ttft", "p50", "new", "80 ms"),
        ("ttft", "p50", "old", "80 ms"),
    ]
    assert [each.command for each in run.commands] == [
        f"vllm bench serve --base-url <URL of {arm}> --backend <backend> --model <model> --dataset-name random "
        "--random-input-len 2048 --random-output-len 128 --request-rate 8 --num-prompts <num prompts> "
        "--percentile-metrics ttft,tpot,itl,e2el --metric-percentiles 50,90,99 --save-result "
        f"--result-filename one-{arm}-in2048-out128-rate8.json"
        for arm in ("old", "new")
    ]
    assert run.hold == {
        "both.prefix_caching": "off",
        "workload.turns": "single",
        "topology": "1P1D",
        "version of orbit": "2.0",
    }
    assert {"model", "router.dispatch", "both.kv_memory"} <= set(run.open)
    assert found.look_up == ()
    assert found.left == ()


@pytest.mark.parametrize(
    ("number", "was"),
    [
        ({"value": 80}, "80 ms"),
        ({"value": 1234567.5}, "1234567.5 ms"),
        ({"value": 80, "qualifier": "about"}, "about 80 ms"),
        ({"value": 80, "qualifier": "at-least"}, "at least 80 ms"),
        ({"low": 70, "high": 90}, "70 to 90 ms"),
    ],
)
def test_what_was_measured_is_said_as_the_record_says_it(number: dict[str, Any], was: str) -> None:
    """A figure that is only about so large is not told as if it were exact."""
    points = [{**{k: v for k, v in each.items() if k != "value"}, **number} for each in twelve()]
    found = planned(evaluation(points=points, claims=CLAIMS[:1]), "faster")
    assert [each.was for each in found.runs[0].points] == [was, was]


def test_claim_with_numbers_of_its_own_load_needs_that_load() -> None:
    """A ratio at two requests a second is not decided at eight; the claim over the sweep is, at either."""
    record = swept().model_copy(
        update={
            "claims": evaluation(claims=[*CLAIMS, claim("light", "ratio", "ttft", "ttft-new-2", "ttft-old-2")]).claims
        }
    )
    found = planned(record, "faster", "light", "alike")
    decided = sorted((each.load["request_rate"], each.claims) for each in found.runs)
    assert decided == [("2", ("light",)), ("8", ("alike", "faster"))]


def test_level_is_measured_in_its_own_arm() -> None:
    """A bound on one arm costs one measurement, a comparison two, repeats as many times more."""
    assert [each.measurements for each in planned(swept(), "bounded").runs] == [1]
    assert [each.measurements for each in planned(swept(), "faster").runs] == [2]
    assert [each.measurements for each in planned(swept(setup__workload__repeats=3), "faster").runs] == [6]


@pytest.mark.parametrize(
    ("stated", "n", "times", "why"),
    [
        (None, None, 3, "how many runs the record has is not stated"),
        (None, 1, 3, "the record has one, and with it no noise floor"),
        (1, None, 3, "the record has one, and with it no noise floor"),
        (None, 5, 5, "as often as the record has it"),
        (2, None, 2, "as often as the record has it"),
    ],
)
def test_repeats(stated: int | None, n: int | None, times: int, why: str) -> None:
    """A record of one run has no noise floor, so three are proposed; one that has repeats is repeated as often."""
    changed: dict[str, Any] = {"setup__workload__repeats": stated} if stated else {}
    record = swept(**changed)
    if n:
        record = record.model_copy(update={"points": tuple(each.model_copy(update={"n": n}) for each in record.points)})
    (run,) = planned(record, "faster").runs
    assert run.repeats == (times, why)
    assert run.as_dict()["repeats"] == times


def test_how_to_record_it() -> None:
    """A plan ends with the commands that take the results in: arms by the files that its own commands write, the
    relation to what was measured again; once for an evaluation.
    """
    record = swept().model_copy(
        update={
            "claims": evaluation(claims=[*CLAIMS, claim("light", "ratio", "ttft", "ttft-new-2", "ttft-old-2")]).claims
        }
    )
    (found,) = planned(record, "faster", "light").record
    assert found.claims == ("light", "faster")
    files = " ".join(
        f"--arm {arm}='one-{arm}-in2048-out128-rate{rate}[-.]*'" for arm in ("old", "new") for rate in (2, 8)
    )
    assert found.new == f"kb new evaluation one-again --from <folder of the results> {files} --baseline old"
    assert found.relations == "relations: [{relation: replicates, to: one, claims: [light, faster]}]"
    assert found.into == f"kb import <folder of these results and of those before> --into one {files} --replace"
    (alone,) = planned(record, "bounded").record
    assert "--baseline" not in alone.new


def test_the_files_that_are_written_are_those_that_are_taken_in() -> None:
    """The patterns of the arms fit each file that the plan's commands write, with or without a count of repeats."""
    found = planned(swept(), "faster")
    words = shlex.split(found.record[0].new.replace("<folder of the results>", "res"))
    patterns = [word.partition("=")[2] for word in words if "=" in word]
    names = [shlex.split(each.command)[-1] for each in found.runs[0].commands]
    for name, pattern in zip(names, patterns, strict=True):
        assert fnmatch.fnmatch(name, pattern)
        assert fnmatch.fnmatch(name.replace(".json", "-2.json"), pattern)


@pytest.mark.parametrize(
    ("mean", "workload", "tool", "flags"),
    [
        ("128", [128, 2046], "aiperf", "--synthetic-input-tokens-mean 128 --synthetic-input-tokens-stddev 0"),
        ("128", None, "aiperf", "--synthetic-input-tokens-mean 128 --output"),
        ("130", [128, 2046], "aiperf", "--synthetic-input-tokens-mean 130 --output"),
        ("880 to 1000", [1024, 2048], "aiperf", "--synthetic-input-tokens-mean <input tokens: 880 to 1000> --output"),
        ("128", [128, 2046], None, " input_tokens=128 "),
    ],
)
def test_lengths_that_were_counted(mean: str, workload: list[int] | None, tool: str | None, flags: str) -> None:
    """A run's mean length is the length that is asked for; how it was spread is said where the workload lists it."""
    points = [{**each, "where": {**each["where"], "factors": {"mean_input_tokens": mean}}} for each in twelve()]
    record = evaluation(
        points=points,
        claims=CLAIMS,
        setup__workload={
            "request_rate": [2, 4, 8],
            "output_tokens": 128,
            **({"input_tokens": workload} if workload else {}),
        },
        **({"setup__client": {"name": tool}} if tool else {}),
    )
    (run,) = planned(record, "faster").runs
    assert flags in run.commands[0].command
    assert "mean_input" not in run.commands[0].command


def test_what_holds_is_not_measured() -> None:
    """Only what asks for another look is planned; what does not apply, or still holds, costs nothing."""
    quiet = [verdict("faster", Outcome.HOLDS), verdict("bounded", Outcome.NOT_APPLICABLE)]
    assert plan(quiet, library(swept())) == Plan((), (), ())
    for outcome in (Outcome.RECHECK, Outcome.NARROWED, Outcome.SUPERSEDED, Outcome.UNKNOWN):
        assert len(plan([verdict("faster", outcome)], library(swept())).runs) == 1


def test_fact_comes_before_a_measurement() -> None:
    """What a looked-up fact would settle is said apart, once for all claims that wait for it."""
    asking = [verdict(each, Outcome.UNKNOWN, settles="the version of orbit") for each in ("faster", "bounded")]
    found = plan([*asking, verdict("alike", Outcome.UNKNOWN, settles="a measurement")], library(swept()))
    assert [(each.fact, each.claims) for each in found.look_up] == [("the version of orbit", ("bounded", "faster"))]


def test_what_no_number_settles_is_left() -> None:
    """An explanation and a hypothesis without a metric get no command, and a reason."""
    told = [
        {"id": "why", "kind": "mechanism", "says": "Because.", "explains": ["faster"]},
        {"id": "guess", "kind": "hypothesis", "says": "Perhaps."},
    ]
    record = swept().model_copy(update={"claims": evaluation(claims=[*CLAIMS, *told]).claims})
    found = planned(record, "why", "guess")
    assert found.runs == ()
    assert [(each.claim, "faster" in each.why) for each in found.left] == [("guess", False), ("why", True)]


def test_what_most_rests_on_comes_first() -> None:
    """A decision and its signals go before a claim that nobody uses; of equals the cheaper goes first."""
    used = swept(id="used", decision={"chose": "push", "because": "it is faster"})
    cheap = swept(id="cheap")
    dear = swept(id="dear")
    verdicts = [verdict("bounded", of="cheap"), verdict("faster", of="dear"), verdict("faster", of="used")]
    found = plan(verdicts, library(used, cheap, dear))
    assert [each.evaluation for each in found.runs] == ["used", "cheap", "dear"]
    assert found.runs[0].rests == ("its decision",)


def test_order_of_verdicts_plays_no_part() -> None:
    """The same verdicts give the same plan in whatever order they come."""
    verdicts = [verdict(each) for each in ("faster", "bounded", "alike", "alike-under-load")]
    assert plan(verdicts, library(swept())) == plan(verdicts[::-1], library(swept()))


def test_deployment_says_what_is_held() -> None:
    """Asked for a deployment, its model and cache policy are held and commanded, not those of the source."""
    setup = evaluation(setup__model="Llama-3.1-8B", setup__both={"prefix_caching": "on"}).setup
    run = planned(swept(), "faster", target=Target("ours", setup)).runs[0]
    assert run.hold["both.prefix_caching"] == "on"
    assert all("--model Llama-3.1-8B" in each.command for each in run.commands)


def test_words_of_a_source_are_no_load_point() -> None:
    """Where a source gives only words, the conditions' end is taken, and what stays open is a placeholder."""
    words = {"where": {"words": "the demanding end"}}
    record = evaluation(
        points=[{**each, **words} for each in evaluation().stored()["points"]],
        claims__0__conditions=[{"key": "workload.request_rate", "op": "high-in", "value": [2, 8]}],
        setup__workload__input_tokens={"min": 1000, "max": 8000},
    )
    run = planned(record, "c").runs[0]
    assert run.load["request_rate"] == "8"
    assert "input_tokens=<input tokens: 1000 to 8000>" in run.commands[0].command
    assert "request_rate=8" in run.commands[0].command


TASK = Task(
    "new", "M", {"input_tokens": "100", "output_tokens": "10", "request_rate": "4", "num_prompts": "50"}, {}, "n"
)
CLOSED = replace(TASK, load={"input_tokens": "100", "output_tokens": "10", "concurrency": "16"})
COMMANDS: list[tuple[str | None, Task, str]] = [
    (
        "sglang.bench_serving",
        TASK,
        "python -m sglang.bench_serving --base-url <URL of new> --backend <backend> --model M --dataset-name <dataset> "
        "--random-input-len 100 --random-output-len 10 --random-range-ratio 1.0 --request-rate 4 --num-prompts 50 "
        "--output-file n.jsonl",
    ),
    (
        "aiperf",
        CLOSED,
        "aiperf profile --url <URL of new> --model M --endpoint-type <endpoint> --streaming "
        "--synthetic-input-tokens-mean 100 --synthetic-input-tokens-stddev 0 --output-tokens-mean 10 "
        "--output-tokens-stddev 0 --concurrency 16 --request-count <num prompts> --profile-export-file n.json",
    ),
    (
        "GuideLLM 0.3",
        TASK,
        "guidellm benchmark --target <URL of new> --model M --data prompt_tokens=100,output_tokens=10 "
        "--rate-type constant --rate 4 --max-requests 50 --output-path n.json",
    ),
    (
        "our-own.py",
        CLOSED,
        "<command of our-own.py> url=<URL of new> model=M input_tokens=100 output_tokens=10 concurrency=16",
    ),
    (
        None,
        replace(TASK, model=None),
        "<command of the load generator> url=<URL of new> model=<model> input_tokens=100 output_tokens=10 "
        "request_rate=4 num_prompts=50",
    ),
]


@pytest.mark.parametrize(("tool", "task", "expected"), COMMANDS)
def test_command(tool: str | None, task: Task, expected: str) -> None:
    """Each tool gets its own options; of one that is not known only what it must be given is said."""
    assert command(tool, task) == expected


HOSTILE = "x; rm -rf ~ #`id`$(id)'\""


@pytest.mark.parametrize("tool", ["vllm bench serve", "sglang", "aiperf", "genai-perf", "guidellm", HOSTILE, None])
def test_text_of_a_record_is_quoted(tool: str | None) -> None:
    """What stands in a record is an argument, and never runs."""
    load = dict.fromkeys(("input_tokens", "output_tokens", "request_rate", "dataset", "num_prompts"), HOSTILE)
    made = command(tool, Task(HOSTILE, HOSTILE, load, {}, HOSTILE))
    bare = " ".join(word for word in shlex.split(made, comments=False) if HOSTILE not in word)
    assert not set(bare) & set(";`$#")


def test_fewest() -> None:
    """One of every group, as few as can be; of equals the most demanding."""
    a, b, c = ((("request_rate", str(rate)),) for rate in (1, 2, 3))
    assert fewest([(a,), (b,)]) == (a, b)
    assert fewest([(a, b), (b, c)]) == (b,)
    assert fewest([(a, b, c)]) == (c,)
    assert fewest([(a,), (a, c)]) == (a,)
    assert fewest([]) == ()


def test_json_has_what_is_promised() -> None:
    """The keys of cli.md are there."""
    found = planned(swept(), "faster").as_dict()
    assert {"evaluation", "claim", "why", "points", "commands"} <= set(found["runs"][0])
    assert all(isinstance(each, str) for each in found["runs"][0]["commands"])


def test_a_command_is_broken_at_options_and_never_in_quotes() -> None:
    """What is copied from the terminal is the command, whatever a record's words look like."""
    given = "bench --model 'a --b $(c) --d' --url x" + " --more words" * 12
    lines = [line for line in _command("pull", "", given, Page(60)) if not line.startswith("  # ")]
    assert len(lines) > 1
    assert shlex.split("\n".join(lines).replace("\\\n", " ")) == shlex.split(given)
    assert any("'a --b $(c) --d'" in line for line in lines)
