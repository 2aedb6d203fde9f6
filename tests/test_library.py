"""kb.library: records of a base and its mounts."""

from pathlib import Path

import pytest

from kb.change import Change
from kb.component import Component
from kb.config import read
from kb.evaluation import Evaluation, Translation
from kb.library import MAX_FILE, open_library
from kb.terms import Vocabulary
from kb.vocabulary import Kind

from .checks import library


def base(root: Path, files: dict[str, str], mounts: str = "") -> Path:
    for name, text in files.items():
        path = root / "entries" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (root / "kb.toml").write_text(f"[base]\nmounts = [{mounts}]\n", encoding="utf-8")
    return root


def evaluation(name: str, title: str = "A record") -> str:
    return f"---\nid: {name}\ntitle: {title}\n---\nBody.\n"


def test_records_are_read_by_their_place(tmp_path: Path) -> None:
    """The folder says the kind; two letters before `.md` say translation."""
    files = {
        "vocabulary.yaml": "terms: []\n",
        "evaluations/a.md": evaluation("a"),
        "evaluations/a.ja.md": "---\ntranslates: a\nlanguage: ja\ntitle: t\n---\n",
        "evaluations/v1.md": evaluation("v1"),
        "changes/c.md": "---\nid: c\ntitle: t\ncomponent: x\nkind: fix\nstatus: merged\nsummary: s\n---\n",
        "components/x.yaml": "id: x\ntitle: X\nkind: engine\n",
    }
    records = open_library(read(base(tmp_path, files)))
    assert records.findings == ()
    kinds = {each.path.removeprefix("entries/"): type(each.record) for each in records.loaded}
    assert kinds == {
        "vocabulary.yaml": Vocabulary,
        "evaluations/a.md": Evaluation,
        "evaluations/a.ja.md": Translation,
        "evaluations/v1.md": Evaluation,
        "changes/c.md": Change,
        "components/x.yaml": Component,
    }
    assert set(records.translations) == {("a", "ja")}
    assert records.own == {f"entries/{name}" for name in files}


def test_what_is_no_record_is_passed_over(tmp_path: Path) -> None:
    """Attachments, drafts with an underscore, hidden files and other endings."""
    files = {
        "evaluations/a.md": evaluation("a"),
        "evaluations/a/results.csv": "x",
        "evaluations/a/notes.md": "no record",
        "evaluations/_draft.md": "no record",
        "evaluations/.hidden.md": "no record",
        "evaluations/readme.txt": "no record",
        "README.md": "no record",
    }
    records = open_library(read(base(tmp_path, files)))
    assert [each.path for each in records.loaded] == ["entries/evaluations/a.md"]
    assert records.findings == ()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"no front matter", "no front matter"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"---\nid: a\n---\n", "title: is missing"),
        (b"---\n" + b"#" * MAX_FILE + b"\n---\n", "larger than"),
    ],
)
def test_what_cannot_be_read_becomes_a_finding(tmp_path: Path, content: bytes, says: str) -> None:
    """The rest of the base is read all the same."""
    root = base(tmp_path, {"evaluations/good.md": evaluation("good")})
    (root / "entries/evaluations/bad.md").write_bytes(content)
    records = open_library(read(root))
    assert set(records.evaluations) == {"good"}
    assert [each.path for each in records.findings] == ["entries/evaluations/bad.md"]
    assert says in records.findings[0].message
    assert "entries/evaluations/bad.md" in records.own


def test_an_own_record_goes_before_a_mounted_one(tmp_path: Path) -> None:
    """Both are there; the table by id holds the own one."""
    base(
        tmp_path / "shared",
        {"evaluations/a.md": evaluation("a", "theirs"), "evaluations/b.md": evaluation("b", "theirs")},
    )
    own = base(tmp_path / "own", {"evaluations/a.md": evaluation("a", "ours")}, '"../shared"')
    records = open_library(read(own))
    assert {name: each.title for name, each in records.evaluations.items()} == {"a": "ours", "b": "theirs"}
    assert records.paths_of[(Kind.EVALUATION, "a")] == ("entries/evaluations/a.md", "shared:entries/evaluations/a.md")
    assert records.own == {"entries/evaluations/a.md"}
    assert records.place(records.evaluations["b"]).path == "shared:entries/evaluations/b.md"


def test_an_empty_base_is_a_base(tmp_path: Path) -> None:
    """Nothing to read, nothing wrong."""
    records = open_library(read(base(tmp_path, {})))
    assert records.loaded == records.findings == ()
    assert records.vocabulary == Vocabulary()
    assert records.metrics_named("TTFT") == []


def test_names_lead_to_ids() -> None:
    """Ids, aliases and class names, however they are capitalised."""
    records = library()
    assert records.answering[Kind.COMPONENT]["nixl pull"] == {"vllm-nixl-pull"}
    assert records.answering_component("NixlPushConnector") == {"vllm-nixl-push"}
    assert records.answering[Kind.EVALUATION]["taken-id"] == {"shared-result"}
    assert records.component_names["nixlconnector"] == "vllm-nixl-pull"


def test_releases_belong_to_distributions() -> None:
    """A component that ships in another's distribution has that one's releases."""
    records = library()
    assert records.releases_of("vllm-nixl-push") == records.releases_of("vllm") == records.releases["vllm"]
    assert records.releases["nixl-cu12"] == records.releases["nixl"]
    assert records.releases_of("nowhere") == records.releases_of(None) == ()


def test_metrics_are_found_by_any_of_their_names() -> None:
    """The longest name at a place, as a whole word, in any language."""
    records = library()
    assert records.metrics_named("The time to first token, and TPOT.") == [("ttft", 4), ("tpot", 29)]
    assert records.metrics_named("初回トークン遅延が短い") == [("ttft", 0)]
    assert records.metrics_named("output throughput") == [("output_throughput", 0)]
    assert records.metrics_named("attftx, itlb") == []


TABLE = "# component: x\n# releases: {}\nsymbol\tdigest\tfirst\tlast\n"


def test_tables_of_symbols_are_read_when_asked_for(tmp_path: Path) -> None:
    """The base's own goes before a mounted one; none is no error, and no record either."""
    base(tmp_path / "mounted", {"components/x.symbols.tsv": TABLE.format("1.0"), "components/y.symbols.tsv": "damaged"})
    root = base(tmp_path / "own", {"components/x.yaml": "id: x\ntitle: X\nkind: engine\n"}, '"../mounted"')
    records = open_library(read(root))
    mounted = records.digests.table("x")
    assert mounted is not None
    assert mounted.releases == ("1.0",)
    assert (records.digests.table("y"), records.digests.table("z")) == (None, None)
    assert len(records.loaded) == 1
    (root / "entries" / "components" / "x.symbols.tsv").write_text(TABLE.format("2.0"), encoding="utf-8")
    own = open_library(read(root)).digests.table("x")
    assert own is not None
    assert own.releases == ("2.0",)
