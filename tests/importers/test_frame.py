# ruff: noqa: E501  rows read better unbroken
"""From paths to runs: exactly one importer, folders, standard input, hints of names, what is said of files."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest

from kb import importers
from kb.errors import KbError
from kb.importers import NotResults, find, names, read, read_source
from kb.importers.names import suggestions
from kb.importers.run import Run
from kb.importers.source import Source, of_text
from tests.cli.running import kb

FIXTURES = Path(__file__).parent / "fixtures"
ONE = FIXTURES / "vllm-bench" / "v0.33.0-chat-k4.json"


def fake(name: str, *runs: Run, yes: bool = True, error: Exception | None = None) -> SimpleNamespace:
    def reading(_: Source) -> Iterator[Run]:
        yield from runs
        if error:
            raise error

    return SimpleNamespace(NAME=name, TOOL=name, recognises=lambda _: yes, read=reading)


def with_importers(monkeypatch: pytest.MonkeyPatch, *fakes: SimpleNamespace) -> None:
    monkeypatch.setattr(importers, "importers", lambda: fakes)


def test_two_that_recognise_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are named, and how to choose."""
    with_importers(monkeypatch, fake("a"), fake("b"), fake("c", yes=False))
    [declined] = read_source(of_text("x")).declined
    assert declined.why == "could be of a and b; name one with --tool"
    assert declined.tried == ("a", "b")


def test_none_that_recognises_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was tried is listed."""
    with_importers(monkeypatch, fake("a", yes=False), fake("b", yes=False))
    [declined] = read_source(of_text("x")).declined
    assert declined.why == "is no result file known here (text); tried a, b"


def test_a_file_that_holds_no_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """The importer's sentence is the reason."""
    with_importers(monkeypatch, fake("a", error=NotResults("holds recipes")))
    assert [each.why for each in read_source(of_text("x")).declined] == ["holds recipes"]
    with_importers(monkeypatch, fake("a"))
    assert [each.why for each in read_source(of_text("x")).declined] == ["holds no runs (a)"]


def test_a_break_after_some_runs() -> None:
    """They are kept, and the last one says what follows it."""
    whole = json.dumps(json.loads(ONE.read_text()))
    got = read_source(of_text(f"{whole}\n{whole[:300]}"))
    assert len(got.runs) == 1
    assert got.runs[0].not_understood[-1].startswith("what follows it: the file ends in the middle")
    assert got.declined == ()


def test_folders_are_walked_by_name(tmp_path: Path) -> None:
    """Hidden files are left out, a file that is named twice or linked is read once."""
    for name in ("b.json", "a.json", "sub/c.json", ".hidden/d.json", ".e.json"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(ONE.read_bytes())
    (tmp_path / "z.json").symlink_to(tmp_path / "a.json")
    got = read([str(tmp_path), str(tmp_path / "a.json")])
    assert [Path(run.file).name for run in got.runs] == ["a.json", "b.json", "c.json"]


def test_progress_is_told(tmp_path: Path) -> None:
    """Before each file: how many are done, of how many."""
    for name in "abc":
        (tmp_path / name).write_bytes(ONE.read_bytes())
    told: list[tuple[int, int]] = []
    read([str(tmp_path)], tell=lambda done, total: told.append((done, total)))
    assert told == [(0, 3), (1, 3), (2, 3)]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` is read once, however often its text is looked at."""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(ONE.read_bytes())))
    [run] = read(["-"]).runs
    assert (run.file, run.get("tpot")) == ("-", 20.198332199999342)
    assert run.suggestions == ()


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    """A sentence, and the others are read."""
    got = read([str(tmp_path / "no"), str(ONE)])
    assert len(got.runs) == 1
    assert got.declined[0].why == "cannot be opened: No such file or directory"


def test_a_pipe_is_read_and_a_device_is_not(tmp_path: Path) -> None:
    """`kb import <(command)` works; what never ends is refused."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(ONE.read_bytes(),))
    writer.start()
    got = read([str(pipe), "/dev/zero"])
    writer.join()
    assert [run.get("tpot") for run in got.runs] == [20.198332199999342]
    assert got.declined[0].why == "cannot be opened: it is a device"


def test_tool_by_name() -> None:
    """By importer or tool, in any case; another name is an error with the nearest."""
    assert find("vllm-bench") is find("VLLM bench serve")
    with pytest.raises(KbError) as caught:
        find("guidelm")
    assert caught.value.hint == 'did you mean "guidellm"?'


def test_names_are_unique_and_listed() -> None:
    """Every module of the folder with a NAME is in the list; every page tells the tool."""
    folder = Path(importers.__file__).parent
    found = {
        path.parent.name if path.stem == "__init__" else path.stem
        for path in [*folder.glob("*.py"), *folder.glob("*/__init__.py")]
        if re.search(r"^def recognises\(source: Source\)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert found == set(importers.MODULES)
    assert len(set(names())) == len(names())
    assert all(each.__doc__ and each.TOOL for each in importers.importers())


HINTS = {
    "1p3d_conc128_in128_out2048_20250914_020816.json": {"topology": "1P3D", "where.concurrency": 128, "where.input_tokens": 128, "where.output_tokens": 2048},
    "vllm-10.0qps-concurrency16-model-20260305-224828.json": {"where.request_rate": 10.0, "where.concurrency": 16},
    "gptoss_fp4_h200_tp8_conc16_isl1024_osl1024/x.json": {"precision": "fp4", "hardware.gpu": "H200", "both.tp": 8, "where.concurrency": 16, "where.input_tokens": 1024, "where.output_tokens": 1024},
    "pd_1p4d_n100_in512_out128_c64.jsonl": {"topology": "1P4D", "where.num_prompts": 100, "where.input_tokens": 512, "where.output_tokens": 128, "where.concurrency": 64},
    "result-long-rate16.json": {"where.request_rate": 16}, "result-long-rateinf.json": {"where.request_rate": "inf"},
    "SERVE--max_num_seqs=4-BENCH--max_concurrency=2-num_prompts=8/run=0.json": {"where.concurrency": 2},
    "sweep_c16.json": {"where.concurrency": 16}, "c8/c16.json": {"where.concurrency": 16},
    "results/2026-06-01/summary.json": {}, "metrics.csv": {}, "stage_3_lifecycle_metrics.json": {}, "a/b/c/d/tp8/x/y/z/run.json": {},
    "http://user:pw@host/x.json": {}, "-": {},
}  # fmt: skip


@pytest.mark.parametrize("path", HINTS)
def test_hints_of_names(path: str) -> None:
    """What file and folder names suggest, the nearest name first."""
    assert {each.key: each.value for each in suggestions(path)} == HINTS[path]


def test_a_stated_fact_needs_no_hint(tmp_path: Path) -> None:
    """The file says the concurrency itself; what it does not say is suggested with its origin."""
    path = tmp_path / "tp8_conc99_in512.json"
    path.write_bytes(ONE.read_bytes())
    [run] = read([str(path)]).runs
    assert run.where["concurrency"] == 4
    assert {(each.key, each.value, each.origin) for each in run.suggestions} >= {
        ("both.tp", 8, f"file name {path.name}"),
        ("where.input_tokens", 512, f"file name {path.name}"),
    }
    assert "where.concurrency" not in {each.key for each in run.suggestions}


def test_json_has_the_promised_keys(tmp_path: Path) -> None:
    """cli.md's keys of `kb import`."""
    (tmp_path / "note.txt").write_text("just a note\n")
    ran = kb("import", str(ONE), str(tmp_path / "note.txt"), "--json", cwd=tmp_path)
    got = json.loads(ran.out)
    assert ran.code == 0
    assert set(got) >= {"runs", "declined"}
    assert set(got["declined"][0]) >= {"file", "why"}
    run = got["runs"][0]
    assert set(run) >= {
        "file",
        "importer",
        "tool",
        "tool_version",
        "setup",
        "where",
        "points",
        "findings",
        "not_understood",
    }
    assert set(run["points"][0]) >= {"metric", "definition", "stat", "value", "unit", "n"}
    assert set(run["findings"][0]) >= {"code", "name", "severity", "message", "path", "line", "hint"}


@pytest.mark.parametrize(("arguments", "code"), [((str(ONE),), 0), ((str(ONE), "--strict"), 1), (("nowhere",), 2), ((".",), 2), ((str(ONE), "--tool", "nothing"), 2), ((), 2)])  # fmt: skip
def test_exit_codes(tmp_path: Path, arguments: tuple[str, ...], code: int) -> None:
    """0 when runs were read, 1 for findings with --strict, 2 when nothing could be read."""
    assert kb("import", *arguments, cwd=tmp_path).code == code


def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    """Nobody may ever write to it; the files beside it are read."""
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "note.txt").write_text("hello\n")
    said = {Path(each.file).name: each.why for each in read([str(tmp_path)]).declined}
    assert said["pipe.json"] == "is no regular file"
    assert "no result file" in said["note.txt"]


def test_folders_deep_in_one_another_and_links_in_a_circle(tmp_path: Path) -> None:
    """No depth is too deep, no circle without an end; what lies beside them is read."""
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("d", dir_fd=here)
        deeper = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(here)
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    (tmp_path / "self").symlink_to(tmp_path)
    (tmp_path / "x.json").write_bytes(ONE.read_bytes())
    got = read([str(tmp_path)])
    assert [Path(run.file).name for run in got.runs] == ["x.json"]
    assert {Path(each.file).name for each in got.declined} == {"one", "two"}
    while True:  # deeper than what removes a temporary folder goes
        try:
            shutil.rmtree(tmp_path / "d")
            break
        except (OSError, RecursionError):
            (tmp_path / "d/d").rename(tmp_path / "e")
            (tmp_path / "d").rmdir()
            (tmp_path / "e").rename(tmp_path / "d")
