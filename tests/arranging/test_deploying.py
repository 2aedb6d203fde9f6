"""A deployment out of what `kb audit --for` reads: facts as they are stated, the rest unknown or in comments."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.arranging.deploying import deploy
from kb.asked import target
from kb.audit import audit
from kb.config import Config, read
from kb.errors import KbError, WriteRefused
from kb.library import open_library
from kb.lint import lint
from kb.record import make_base
from kb.vocabulary import UNKNOWN

TRANSFER = '--kv-transfer-config \'{"kv_connector":"NixlConnector","kv_role":"%s"}\''
PAIR = (
    "prefill=vllm serve Qwen/Qwen3-32B -tp 4 --no-enable-prefix-caching " + TRANSFER % "kv_producer",
    "decode=vllm serve Qwen/Qwen3-32B -tp 8 --no-enable-prefix-caching " + TRANSFER % "kv_consumer",
)
ALONE = ("vllm serve Qwen/Qwen3-32B --tensor-parallel-size 8 --max-model-len 8192 --frobnicate 7",)
SGLANG = ("python -m sglang.launch_server --model-path a/b --tp 4 --disaggregation-mode prefill",)


@pytest.fixture
def base(tmp_path: Path) -> Config:
    """A base of one's own that mounts the shipped one."""
    make_base(tmp_path / "own")
    return read(tmp_path / "own")


def text_of(base: Config, id_: str) -> str:
    return (base.base.entries / "deployments" / f"{id_}.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("names", [PAIR, ALONE, SGLANG])
def test_the_record_is_judged_as_what_it_was_read_of(base: Config, names: tuple[str, ...]) -> None:
    """What is written down as unknown moves no outcome."""
    deploy(base, "ours", names)
    library = open_library(base)
    read_again = audit(library, target(["ours"], (), library), brief=True)
    directly = audit(library, target(names, (), library), brief=True)
    assert [(each.claim, each.outcome) for each in read_again.verdicts] == [
        (each.claim, each.outcome) for each in directly.verdicts
    ]


@pytest.mark.parametrize("names", [PAIR, ALONE, SGLANG])
def test_the_record_passes_the_checks(base: Config, names: tuple[str, ...]) -> None:
    """Nothing is found in it, not even an info."""
    deploy(base, "ours", names)
    assert [each for each in lint(open_library(base)) if "ours" in each.path] == []


def test_facts_stand_as_they_are_stated_and_the_rest_is_unknown(base: Config) -> None:
    """Nothing that only a name or a count suggests is a fact."""
    made = deploy(base, "ours", PAIR)
    setup = open_library(base).deployments["ours"].setup
    assert (setup.prefill and setup.prefill.tp, setup.decode and setup.decode.tp) == (4, 8)
    assert setup.topology == UNKNOWN
    assert setup.engine is not None
    assert setup.engine.version == UNKNOWN
    assert {"topology", "engine.version", "hardware.gpu"} <= {each.key for each in made.unknown}
    assert "#   the command line of prefill:1: topology 1P1D is likely, not stated" in text_of(base, "ours")


def test_a_default_stays_in_force(base: Config) -> None:
    """Of what nothing sets and a component has a default for, `unknown` would deny the default: it is left out."""
    made = deploy(base, "ours", PAIR)
    setup = open_library(base).deployments["ours"].setup
    assert {each.key for each in made.defaulted} == {"transport.backend", "transport.version", "both.kv_layout"}
    assert (setup.transport, setup.both and setup.both.kv_layout) == (None, None)
    said = (
        "# Nothing that was read sets transport.backend, transport.version, both.kv_layout: the defaults of what runs"
    )
    assert said in text_of(base, "ours")


def test_what_was_not_read_is_said_and_not_written(base: Config) -> None:
    """An unknown option is a comment with its place."""
    made = deploy(base, "ours", ALONE)
    assert [str(each) for each in made.reading.not_read] == [
        "the command line:1: --frobnicate 7 (not known here as an option of vllm serve)"
    ]
    lines = text_of(base, "ours").splitlines()
    assert [line for line in lines if "frobnicate" in line] == [f"#   {made.reading.not_read[0]}"]


def test_nothing_asks_a_deployment_how_it_was_measured(base: Config) -> None:
    """Repeats, warm-up, data set, client: of these a target knows nothing."""
    keys = {each.key for each in deploy(base, "ours", PAIR).unknown}
    assert not [key for key in keys if key.startswith(("client.", "points."))]
    assert {key for key in keys if key.startswith("workload.")} == {
        "workload.input_tokens",
        "workload.output_tokens",
        "workload.request_rate",
    }


def test_files_are_read_as_well(base: Config, tmp_path: Path) -> None:
    """And named, with the kind they were read as."""
    script = tmp_path / "serve.sh"
    script.write_text("#!/bin/sh\nexport HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyzabcdefgh\n" + ALONE[0] + "\n")
    deploy(base, "ours", [str(script)])
    assert f"# read of {script} (command-line)" in text_of(base, "ours")
    assert "hf_abc" not in text_of(base, "ours")


@pytest.mark.parametrize("kind", ["deployments", "evaluations"])
def test_never_over_something_that_is_there(base: Config, kind: str) -> None:
    """An id belongs to one record, of whatever kind; a shipped one's is taken, too."""
    there = base.base.entries / kind / ("ours.yaml" if kind == "deployments" else "ours.md")
    there.write_text("mine")
    for id_ in ("ours", "efa-p5en-1p1d-pull"):
        with pytest.raises(WriteRefused):
            deploy(base, id_, ALONE)
    assert there.read_text() == "mine"


@pytest.mark.parametrize("names", [["nosuch.sh"], ["start the server"], ["."]])
def test_what_describes_nothing_writes_nothing(base: Config, names: list[str]) -> None:
    """An error says what was looked for."""
    with pytest.raises(KbError):
        deploy(base, "ours", names)
    assert not list((base.base.entries / "deployments").glob("*.yaml"))


def test_hostile_words_stay_in_their_line(base: Config) -> None:
    """Line ends, YAML and control characters of a command line are text."""
    deploy(base, "ours", ['vllm serve m/m --served-model-name "x\nid: other" --frob "a: [\x1b[2J\u2028setup: {}"'])
    found = open_library(base)
    assert (list(found.findings), found.deployments["ours"].id) == ([], "ours")


def test_a_component_without_a_record_is_a_comment(tmp_path: Path) -> None:
    """In a base that mounts nothing no check would let it stand."""
    make_base(tmp_path / "own")
    (tmp_path / "own" / "kb.toml").write_text('[base]\nentries = "entries"\n')
    base = read(tmp_path / "own")
    made = deploy(base, "ours", ALONE)
    assert [each.value for each in made.strangers] == ["vllm"]
    assert "# engine.component vllm: this base has no record of it" in text_of(base, "ours")
    assert lint(open_library(base)) == []
