"""kb.asked: what has to be known of the versions that are asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.asked import target
from kb.errors import KbError
from tests.audit.table import SHIPPED, base

SHIPPED_BASE = base(SHIPPED)


@pytest.mark.parametrize(
    ("at", "says"),
    [
        ("vllm=0.99.0", ["vllm 0.99.0 is no known release", "not established", "newest known: ", "kb scan vllm"]),
        ("vllm-nixl-pull=0.99.0", ["vllm 0.99.0 is no known release"]),
        ("decode:vllm=0.99.0", ["vllm 0.99.0 is no known release"]),
        ("vllm=0.26.9", ["judged as any of 0.26.0, 0.27.0"]),
        ("nixl=0.0.1", ["nixl 0.0.1 is no known release", "not established"]),
    ],
)
def test_a_release_that_nobody_recorded_is_said(at: str, says: list[str]) -> None:
    """By the distribution's name, once, with the newest that is known and what would record it."""
    [note] = target((), [at], SHIPPED_BASE).notes
    assert all(each in note for each in says), note
    assert target((), [at, at], SHIPPED_BASE).as_dict()["notes"] == [note]


@pytest.mark.parametrize(
    "at", ["vllm=0.33.0", "vllm=v0.33.0", "vllm=0.33.0+cu129", "vllm=unknown", "vllm=newest", "vllm=>=0.30", "nixl=1.4"]
)
def test_a_known_release_needs_no_word(at: str) -> None:
    """Nor a range, nor what is said to be unknown."""
    assert target((), [at], SHIPPED_BASE).notes == ()


def test_a_file_that_runs_an_unknown_release_is_said(tmp_path: Path) -> None:
    """Read off the image's tag; a version that is given by hand goes before it."""
    script = tmp_path / "serve.sh"
    script.write_text("docker run vllm/vllm-openai:v0.99.0 --model Qwen/Qwen3-32B\n", encoding="utf-8")
    [note] = target([str(script)], (), SHIPPED_BASE).notes
    assert note.startswith("vllm 0.99.0 is no known release")
    assert target([str(script)], ["vllm=0.33.0"], SHIPPED_BASE).notes == ()


def test_a_misspelt_component_is_refused() -> None:
    """With the nearest name."""
    with pytest.raises(KbError, match='no component is called "vlm"') as refused:
        target((), ["vlm=0.33.0"], SHIPPED_BASE)
    assert refused.value.hint == "did you mean vllm?"


@pytest.mark.parametrize("at", ["vllm-nixl-push=0.29.0", "NixlConnector=0.29.0", "vllm==0.29.0", "vllm = v0.29.0"])
def test_a_connector_is_given_by_what_it_ships_in(at: str) -> None:
    """It has no version of its own: asked at one connector's, the other arm's would stay at another release."""
    assert target((), [at], SHIPPED_BASE).at == {(None, "vllm"): "0.29.0"}


HEX = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("given", "means"),
    [
        ("abcdef1", "commit:abcdef1"),
        ("commit:1234567", "commit:1234567"),
        ("1a23456", "commit:1a23456"),
        (HEX[:40], f"commit:{HEX[:40]}"),
        ("1" * 40, f"commit:{'1' * 40}"),
        ("12345678", "12345678"),
        ("0.33.0", "0.33.0"),
        (f"image:sha256:{HEX}", f"image:sha256:{HEX}"),
        (f"sha256:{HEX[:12]}", f"image:sha256:{HEX[:12]}"),
        (f"image:vllm/vllm-openai@sha256:{HEX}", f"image:sha256:{HEX}"),
    ],
)
def test_a_build_is_given_by_commit_or_image(given: str, means: str) -> None:
    """Hex digits with a letter are a commit, digits alone are a version unless they are said to be one."""
    assert target((), [f"vllm={given}"], SHIPPED_BASE).at == {(None, "vllm"): means}


@pytest.mark.parametrize("given", ["commit:abc", "commit:main", "image:vllm/vllm-openai:v0.11.0", "image:sha256:12"])
def test_what_names_no_build_is_refused(given: str) -> None:
    """A branch and a tag move; a few digits name too many."""
    with pytest.raises(KbError, match="names no build") as refused:
        target((), [f"vllm={given}"], SHIPPED_BASE)
    assert "digest" in str(refused.value.hint)


def test_a_commit_that_nobody_placed_is_said(tmp_path: Path) -> None:
    """Given by hand, or as the digest of an image in a file; with what it is judged as."""
    [note] = target((), ["vllm=abcdef1"], SHIPPED_BASE).notes
    assert note.startswith("vllm commit abcdef1 is placed by no record: judged for every release")
    assert "it may be newer" in note
    manifest = tmp_path / "serve.sh"
    manifest.write_text(f"docker run vllm/vllm-openai@sha256:{HEX} --model m/m\n", encoding="utf-8")
    assert any("is placed by no record" in each for each in target([str(manifest)], (), SHIPPED_BASE).notes)


def test_two_releases_of_one_thing_are_refused() -> None:
    """Also where one is given by the name of a connector; the same twice is once."""
    with pytest.raises(KbError, match=r"vllm is given as 0\.33\.0 and as 0\.10\.0"):
        target((), ["vllm=0.33.0", "vllm-nixl-push=0.10.0"], SHIPPED_BASE)
    sides = target((), ["prefill:vllm=0.33.0", "decode:vllm=0.32.0", "prefill:vllm-nixl-push=0.33.0"], SHIPPED_BASE).at
    assert sides == {("prefill", "vllm"): "0.33.0", ("decode", "vllm"): "0.32.0"}


def test_what_is_considered_goes_before_what_runs() -> None:
    """Also where one side ran another release: both are moved."""
    found = target((), ["prefill:vllm=0.29.0", "nixl=1.3.2"], SHIPPED_BASE, ["vllm=0.33.0"])
    assert found.at == {(None, "nixl"): "1.3.2", (None, "vllm"): "0.33.0"}


def test_what_is_only_suggested_is_said(tmp_path: Path) -> None:
    """A stated option that finds no side is never lost in silence."""
    script = tmp_path / "serve.sh"
    script.write_text("vllm serve m/m --tensor-parallel-size 4 --config config.yaml\n", encoding="utf-8")
    found = target([str(script)], (), SHIPPED_BASE)
    assert any("what config.yaml states was not read" in each for each in found.unread)
    assert any("both.tp 4 is likely, not stated" in each for each in found.unread)


def test_one_server_that_takes_either_role_speaks_for_both_sides(tmp_path: Path) -> None:
    """What it states is neither lost nor a default; two that differ are said not to be read."""
    transfer = """--kv-transfer-config '{{"kv_connector":"NixlConnector","kv_role":"kv_both"}}'"""
    line = f"vllm serve m/m -tp {{}} --enable-prefix-caching {transfer}"
    (tmp_path / "one.sh").write_text(line.format(2))
    found = target([str(tmp_path / "one.sh")], (), SHIPPED_BASE)
    assert found.setup is not None
    flat = found.setup.flat()
    assert {flat[f"{side}.{key}"] for side in ("prefill", "decode") for key in ("tp", "prefix_caching")} == {2, "on"}
    assert found.unread == ()
    twice = target([f"{side}={tmp_path / 'one.sh'}" for side in ("prefill", "decode")], (), SHIPPED_BASE).setup
    assert twice is not None
    assert {twice.flat()[f"{side}.tp"] for side in ("prefill", "decode")} == {2}
    (tmp_path / "odd.sh").write_text(line.format("eight"))
    [unread] = target([str(tmp_path / "odd.sh")], (), SHIPPED_BASE).unread
    assert "does not fit both.tp" in unread
    (tmp_path / "two.sh").write_text(f"{line.format(2)}\n{line.format(4)}\n")
    two = target([str(tmp_path / "two.sh")], (), SHIPPED_BASE)
    assert [each for each in two.unread if "--for prefill=FILE --for decode=FILE" in each]


@pytest.mark.parametrize(
    "command",
    [
        "vllm serve m/m --tensor-parallel-size 4",
        "python -m vllm.entrypoints.openai.api_server --model m/m -tp 4",
        "python3 -m sglang.launch_server --model-path m/m --tp 4",
        "VLLM_LOGGING_LEVEL=INFO vllm serve m/m \\\n  -tp 4",
    ],
)
def test_a_command_line_says_what_a_file_of_it_says(command: str, tmp_path: Path) -> None:
    """As it is typed, for both sides or for one."""
    script = tmp_path / "serve.sh"
    script.write_text(command, encoding="utf-8")
    for side in ("", "prefill=", "decode="):
        typed = target([f"{side}{command}"], (), SHIPPED_BASE).setup
        assert typed == target([f"{side}{script}"], (), SHIPPED_BASE).setup
        assert typed is not None
        assert typed.model == "m/m"


@pytest.mark.parametrize("name", ["vllm", "vllm-serve.sh", "start the server", "prefill=how vllm serve works"])
def test_what_starts_no_server_is_a_name(name: str) -> None:
    """Of a deployment or a file, and there is none of it."""
    with pytest.raises(KbError, match="is neither a deployment of this base nor a file"):
        target([name], (), SHIPPED_BASE)
