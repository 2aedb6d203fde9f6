"""kb.record and kb.template: new records and new bases."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kb.config import read as read_config
from kb.errors import KbError, WriteRefused
from kb.library import MODELS, open_library
from kb.lint import count, lint
from kb.reading import read
from kb.record import create, make_base, record_path
from kb.template import SKELETONS, template, uncommented
from kb.vocabulary import Kind
from kb.workspace import Workspace
from tests.cli.running import FIXTURE, kb


@pytest.fixture
def base(tmp_path: Path) -> Path:
    folder = tmp_path / "base"
    shutil.copytree(FIXTURE, folder, ignore=shutil.ignore_patterns(".kb"))
    return folder


@pytest.mark.parametrize("kind", list(Kind))
def test_template_is_a_valid_record(base: Path, kind: Kind) -> None:
    """A template as written has no error; what is left to fill in is said by lint."""
    config = read_config(base)
    create(config, kind, "orbit-new")
    shown = record_path(config.base, kind, "orbit-new").relative_to(base).as_posix()
    findings = lint(open_library(config), [shown])
    assert count(findings)["error"] == 0


@pytest.mark.parametrize("kind", list(Kind))
def test_template_uncommented_is_a_valid_record(kind: Kind) -> None:
    """Every commented line can be switched on."""
    text = uncommented(template(kind, "x", "orbit"))
    name = f"x{'.md' if text.startswith('---') else '.yaml'}"
    assert read(MODELS[f"{kind}s"], name, text).record.id == "x"  # type: ignore[union-attr]


@pytest.mark.parametrize("kind", list(Kind))
def test_template_offers_every_field(kind: Kind) -> None:
    """A template leaves no field of the record out, except those that commands write."""
    written_by_commands = {"impacts", "reviews", "proposed_by", "coverage", "results"}
    text = uncommented(SKELETONS[kind])
    fields = [name for name in MODELS[f"{kind}s"].model_fields if name not in written_by_commands]
    assert [name for name in fields if f"\n{name}:" not in f"\n{text}"] == []


@pytest.mark.parametrize("kind", list(Kind))
def test_template_describes_its_fields(kind: Kind) -> None:
    """Comments are the descriptions of the fields, in whole sentences."""
    comments = [line.rpartition("  # ")[2] for line in template(kind, "x").splitlines() if "  # " in line]
    assert len(comments) > 8
    assert not any(comment.endswith(("e.g", ";", ",")) for comment in comments)


def test_missing_names_facts(base: Path) -> None:
    """The facts a reviewer will ask for come with their reasons."""
    made = create(read_config(base), Kind.EVALUATION, "mine")
    facts = dict(made.missing)
    assert {"model", "engine.version", "workload.input_tokens", "points", "source.relation"} <= set(facts)
    assert all(facts.values())


def test_component_is_guessed_from_the_id(base: Path) -> None:
    """A change is one of the component its id begins with; the longest name goes first."""
    create(read_config(base), Kind.CHANGE, "orbit-push-12-x")
    text = (base / "entries/changes/orbit-push-12-x.md").read_text(encoding="utf-8")
    assert "component: orbit-push " in text


def test_component_is_never_guessed_otherwise(base: Path) -> None:
    """Where the id begins with no component's name, the component stays open, which lint says."""
    create(read_config(base), Kind.CHANGE, "faster-things")
    findings = lint(open_library(read_config(base)), ["entries/changes/faster-things.md"])
    assert {(each.code, each.severity.value) for each in findings if "component" in each.message} == {
        ("KB110", "error"),
        ("KB191", "warning"),
    }


@pytest.mark.parametrize(
    ("kind", "choices"),
    [
        (Kind.EVALUATION, ["kind"]),
        (Kind.CHANGE, ["component", "kind", "status"]),
        (Kind.COMPONENT, ["kind"]),
        (Kind.DEPLOYMENT, []),
    ],
)
def test_choices_of_a_template_are_asked_about(base: Path, kind: Kind, choices: list[str]) -> None:
    """A value of a closed list in a template is no statement of fact: lint asks about each until the mark is gone."""
    config = read_config(base)
    create(config, kind, "orbit-new")
    path = record_path(config.base, kind, "orbit-new")
    shown = path.relative_to(base).as_posix()

    def asked() -> list[str]:
        found = lint(open_library(config), [shown])
        return sorted(each.message.split()[3] for each in found if each.message.startswith("nobody has chosen"))

    assert asked() == choices
    path.write_text(path.read_text(encoding="utf-8").replace("# TODO ", "# "), encoding="utf-8")
    assert asked() == []


@pytest.mark.parametrize("id_", ["", "My Test", "a/b", "../x", "Ä", "-x", ".x", "x" * 81, "a\nb"])
def test_id_is_refused(base: Path, id_: str) -> None:
    """What cannot be an id never becomes a file."""
    before = sorted(base.rglob("*"))
    with pytest.raises(KbError):
        create(read_config(base), Kind.EVALUATION, id_)
    assert sorted(base.rglob("*")) == before


@pytest.mark.parametrize("id_", ["x.ja", "a.b.pt"])
def test_id_of_a_translation_is_refused(base: Path, id_: str) -> None:
    """Its file would be read as a translation; the hint says how one is made."""
    with pytest.raises(KbError, match="would be a translation") as error:
        create(read_config(base), Kind.EVALUATION, id_)
    assert error.value.hint == f"to translate it, kb new translation {id_[:-3]} --lang {id_[-2:]}"


@pytest.mark.parametrize(("kind", "id_"), [(Kind.EVALUATION, "x.0"), (Kind.EVALUATION, "x.jav"), (Kind.CHANGE, "x.ja")])
def test_id_with_dots_is_taken(base: Path, kind: Kind, id_: str) -> None:
    """A version in it, or anything that is no language; only evaluations are translated."""
    assert create(read_config(base), kind, id_).path.endswith(f"{id_}.md")


def test_never_over_something(base: Path) -> None:
    """An existing record, whatever it is, stays."""
    path = base / "entries/evaluations/orbit-one-arm.md"
    before = path.read_bytes()
    with pytest.raises(WriteRefused, match="already there"):
        create(read_config(base), Kind.EVALUATION, "orbit-one-arm")
    assert path.read_bytes() == before


def test_mounted_record_is_not_hidden(base: Path, tmp_path: Path) -> None:
    """A new record does not take the id of a mounted one, and nothing is written into the mount."""
    own = tmp_path / "own"
    make_base(own)
    (own / "kb.toml").write_text('[base]\nmounts = ["../base"]\n', encoding="utf-8")
    with pytest.raises(WriteRefused, match="read-only"):
        create(read_config(own), Kind.EVALUATION, "orbit-one-arm")
    create(read_config(own), Kind.EVALUATION, "mine")
    assert (own / "entries/evaluations/mine.md").is_file()
    assert not (base / "entries/evaluations/mine.md").exists()


OWN = """\
---
schema_version: 1
id: our-push-test
title: Push on our cluster
kind: controlled
question: push-vs-pull-handoff
source: {relation: own, depth: full, url: unknown, by: us}
setup:
  model: Qwen3-32B
  engine: {component: vllm, version: 0.29.0}
  connector: {component: vllm-nixl-push, class_name: NixlPushConnector, mode: push}
claims:
  - {id: main, kind: hypothesis, says: Push is good for us.}
---
"""


def test_new_base_meets_the_shipped_one(tmp_path: Path) -> None:
    """A team's first evaluation in an empty folder meets known components, changes and words at once."""
    own = tmp_path / "ours"
    make_base(own)
    (own / "entries/evaluations/our-push-test.md").write_text(OWN, encoding="utf-8")
    config = read_config(own)
    findings = lint(open_library(config))
    assert [each for each in findings if each.severity.value == "error"] == []
    ran = kb("show", "our-push-test", "--all", cwd=own)
    assert ran.code == 0
    assert "newest known" in ran.out
    assert "vllm-" in ran.out.partition("Changes in its components")[2]
    assert "our-push-test" in kb("search", "connector:NixlPushConnector", "Qwen3-32B", "-n", "50", cwd=own).out


def test_new_base_is_not_made_over_another(tmp_path: Path) -> None:
    """kb init refuses where any of its files is, and changes nothing."""
    (tmp_path / "README.md").write_text("mine", encoding="utf-8")
    with pytest.raises(WriteRefused):
        make_base(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


def test_new_base_is_ignored_by_git_where_derived(tmp_path: Path) -> None:
    """Neither the derived file nor the site that `kb site build` writes gets into git."""
    make_base(tmp_path / "b")
    assert (tmp_path / "b/.gitignore").read_text(encoding="utf-8") == ".kb/\n/site/\n"
    assert Workspace(read_config(tmp_path / "b")).store.kinds()
