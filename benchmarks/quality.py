"""Search quality: the judged queries (benchmarks/judged.yaml) over the shipped records, alone or amid synthetic ones.

recall@10 is the share of a query's relevant records among the first ten hits. The reciprocal rank is that of the record
the query is about, else of the first relevant one. A misspelt query that finds nothing is asked again as the search
itself proposes, the way a person would.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.distractors import write_base

if TYPE_CHECKING:
    from kb.store import Store

JUDGED = Path(__file__).with_name("judged.yaml")
FIRST = 10
DISTRACTORS = 1000
RECALL, RANK = 1.0, 0.9


@dataclass(frozen=True)
class Query:
    """A query and the records that answer it."""

    text: str
    language: str
    kind: str
    relevant: tuple[str, ...]
    about: str | None = None


@dataclass(frozen=True)
class Scored:
    """A query and the ids it found, best first."""

    query: Query
    found: tuple[str, ...]
    asked: str
    """The text that was searched: the query, or what was proposed for it."""

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """Relevant records that are not among the first ten."""
        return tuple(id_ for id_ in self.query.relevant if id_ not in self.found[:FIRST])

    @property
    def recall(self) -> float:
        """Share of the relevant records among the first ten."""
        return 1 - len(self.missing) / len(self.query.relevant)

    @property
    def reciprocal_rank(self) -> float:
        """1 / rank of what the query is about, or of the first relevant record; 0 when it is not found."""
        wanted = {self.query.about} if self.query.about else set(self.query.relevant)
        return next((1 / rank for rank, id_ in enumerate(self.found, 1) if id_ in wanted), 0.0)


def judged(path: Path = JUDGED) -> list[Query]:
    """The judged queries, read without implicit types."""
    from kb.frontmatter import load

    tree = load(path.read_text(encoding="utf-8"))
    return [
        Query(str(q["q"]), str(q["lang"]), str(q["kind"]), tuple(q["relevant"]), q.get("about"))
        for q in tree["queries"]
    ]


def build(folder: Path, distractors: int = DISTRACTORS) -> Store:
    """A base in `folder` that mounts the shipped records, with synthetic ones of its own; its derived file."""
    from kb.config import read
    from kb.workspace import Workspace

    return Workspace(read(write_base(folder, distractors))).store


def ask(store: Store, query: Query) -> Scored:
    """Search once; once more with what is proposed when nothing is found."""
    from kb.search import search

    results = search(store, query.text, limit=50)
    asked = query.text
    if not results.total and results.did_you_mean:
        asked = results.did_you_mean
        results = search(store, asked, limit=50)
    return Scored(query, tuple(dict.fromkeys(head.id for head in results.heads)), asked)


def mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else 0.0


def report(scored: Sequence[Scored]) -> str:
    """What is missing, query by query, then the figures as a whole, by kind and by language."""
    lines = [line for each in scored if each.missing or each.reciprocal_rank < 1 for line in _misses(each)]
    groups = [("all", list(scored))]
    groups += [
        (kind, [s for s in scored if s.query.kind == kind]) for kind in dict.fromkeys(s.query.kind for s in scored)
    ]
    groups += [(lang, [s for s in scored if s.query.language == lang]) for lang in ("en", "ja", "pt", "any")]
    return "\n".join(
        [*lines, f"\n{'':14}{'queries':>8}{'recall@10':>11}{'MRR':>7}", *(_row(*group) for group in groups)]
    )


def _misses(scored: Scored) -> Iterable[str]:
    asked = f" (asked as {scored.asked})" if scored.asked != scored.query.text else ""
    yield f"{scored.query.text}{asked}: recall {scored.recall:.2f}, 1/rank {scored.reciprocal_rank:.2f}"
    for id_ in scored.missing:
        place = f"at {scored.found.index(id_) + 1}" if id_ in scored.found else "not found"
        yield f"    {id_}: {place}"
    if scored.reciprocal_rank < 1:
        yield f"    first: {', '.join(scored.found[:3]) or 'nothing'}"


def _row(name: str, scored: Sequence[Scored]) -> str:
    recall, rank = mean(s.recall for s in scored), mean(s.reciprocal_rank for s in scored)
    return f"{name:14}{len(scored):8}{recall:11.3f}{rank:7.3f}"


def main(distractors: int = DISTRACTORS) -> int:
    """Print the report; 1 when a bound is not kept."""
    with tempfile.TemporaryDirectory() as folder:
        store = build(Path(folder), distractors)
        scored = [ask(store, query) for query in judged()]
    print(f"Search quality amid {distractors} synthetic records (bounds: recall@10 {RECALL}, MRR {RANK})\n")
    print(report(scored))
    recall, rank = mean(s.recall for s in scored), mean(s.reciprocal_rank for s in scored)
    return 0 if recall >= RECALL and rank >= RANK else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else DISTRACTORS))
