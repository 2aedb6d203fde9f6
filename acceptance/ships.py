"""`python -m acceptance.ships`: where a change's `ships` turns, something it names must turn, too.

A turn is two releases that were opened, one of them without the change and one with it. It is borne out by the tables
of symbols where a symbol of the change differs between both, and by the artifacts where a word of the markers stands
there another number of times (what is in backquotes to the letter); a tag's by a commit that one tag has, and a wheel's
without code by what it requires in exactly its version. Artifacts come from the package index and are kept; a tag's
from a clone (`--git=DISTRIBUTION=DIR`). Exit 1 when a turn is not borne out by either.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from kb.change import Change
from kb.component import Component
from kb.config import read
from kb.digests import Outcome
from kb.errors import KbError
from kb.library import Library, open_library
from kb.scan import Tree, git
from kb.scan.index import Index
from kb.scan.native import LIBRARY
from kb.versions import contains, parse
from kb.vocabulary import Artifact, Ships

ROOT = Path(__file__).parent.parent
_FILE = re.compile(r"[\w./*-]+\.(?:py|txt|toml|rs|h|cpp|go|ya?ml|md)\b|METADATA")
_FOLDER = re.compile(r"\w+(?:/\w+){2,}(?![\w./*])")
_OPTION = re.compile(r"(?:\boption |--)([a-z]\w*(?:-\w+)+)")
_LITERAL = re.compile(r"`([^`]+)`|\btext '([^']+)'")
_COMMIT = re.compile(r"\b[0-9a-f]{7,40}\b")
_WORD = re.compile(r"[A-Za-z_][\w.]*\w|\d[\w.]*\d")
_NAMES = re.compile(r"_|\w[A-Z]|\d\.\d|^[A-Z]{3,}")


@dataclass(frozen=True)
class Turn:
    """Two opened releases in a row, of which one ships a change."""

    change: Change
    distribution: str
    artifact: Artifact
    old: str
    new: str
    markers: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.change.id}, {self.distribution} {self.artifact} {self.old} to {self.new}"


def turns(change: Change) -> Iterator[Turn]:
    """Where its `ships` turns, by distribution and kind of artifact."""
    by_artifact: dict[tuple[str, Artifact], dict[str, tuple[Ships, str]]] = defaultdict(dict)
    for each in change.ships:
        if each.ships is not Ships.NOT_ESTABLISHED:
            for version in map(str, each.checked):
                by_artifact[each.distribution, each.artifact][version] = each.ships, each.marker or ""
    for (distribution, artifact), opened in by_artifact.items():
        order = sorted(opened, key=lambda version: parse(version) or version)
        for old, new in pairwise(order):
            if opened[old][0] is not opened[new][0]:
                yield Turn(change, distribution, artifact, old, new, (opened[old][1], opened[new][1]))


def by_table(turn: Turn, library: Library) -> bool | None:
    """Whether a symbol of the change differs between both releases; None where no table speaks of one."""
    found = []
    for component, _, name in (each.partition(":") for each in turn.change.symbols):
        table = library.digests.table(component)
        if table and table.distribution == turn.distribution and table.exists(name):
            between = table.between(name, turn.old, turn.new)
            if between.outcome is not Outcome.NOT_SCANNED:
                differs = between.outcome is not Outcome.UNCHANGED or between.changed_in or between.touched_in
                both_absent = between.first_name is None and between.second_name is None
                found.append(bool(differs) and not both_absent)
    return any(found) if found else None


def words(markers: Iterable[str]) -> tuple[set[str], set[str]]:
    """Files and folders (`a/b/`) that markers name, and words that can only be code or versions."""
    text = " ".join(markers)
    literal, text = {one or other for one, other in _LITERAL.findall(text)}, _LITERAL.sub(" ", text)
    files, text = {*_FILE.findall(text)}, _FILE.sub(" ", text)
    files |= {f"{each}/" for each in _FOLDER.findall(text)}
    return files, literal | set(_OPTION.findall(text)) | {
        each for each in _WORD.findall(_FOLDER.sub(" ", text)) if _NAMES.search(each)
    }


def by_words(turn: Turn, trees: tuple[Tree, Tree], component: Component) -> tuple[str, ...]:
    """Words of the markers, and files they name, of which one release has more than the other."""
    named, wanted = words(turn.markers)
    files = {each for each in named if any(_is_of(path, each) for tree in trees for path in tree.paths)}
    wanted |= named - files  # the name of a source file may stand in a library
    sides = [_counted(tree, files, wanted, component) for tree in trees]
    return tuple(sorted(each for each in sides[0].keys() | sides[1].keys() if sides[0][each] != sides[1][each]))


def _counted(tree: Tree, files: set[str], wanted: set[str], component: Component) -> Counter[str]:
    """How often each word stands in the files that are named, or else in the component's own; and the named files."""
    paths = [path for path in tree.paths if any(_is_of(path, each) for each in files)]
    found = Counter({name: sum(_is_of(path, name) for path in paths) for name in files})
    globs = [each.glob for each in component.paths if contains(each.versions, tree.label)]
    for path in paths or list(tree.under(globs)) or tree.paths:
        content = tree.content(path)
        for word in (each for each in wanted if each.encode() in content):
            # a name in a library stands between the digits and letters that mangling puts around it
            whole = rb"%s" if LIBRARY.search(path) or not word[-1].isalnum() or " " in word else rb"(?<![\w.])%s(?!\w)"
            found[word] += len(re.findall(whole % re.escape(word.encode()), content))
    return found


def _is_of(path: str, name: str) -> bool:
    """Whether a file is one that a marker names, or lies in a folder that it names."""
    return name in path if name.endswith("/") else path.endswith(name.lstrip("*"))


def by_commits(turn: Turn, clone: Path) -> tuple[str, ...]:
    """Commits of the markers that one of two tags has and the other has not."""
    tags = [git.resolve(clone, version) for version in (turn.old, turn.new)]
    named = dict.fromkeys(_COMMIT.findall(" ".join(turn.markers)))
    return tuple(each for each in named if len({git.is_ancestor(clone, each, tag) for tag in tags}) > 1)


def carried_by(turn: Turn, trees: Iterable[Tree], component: Component) -> tuple[str, ...]:
    """Distributions that wheels without code of their own require in exactly their version, and that turn too."""
    turned = {(each.distribution, each.old, each.new) for each in turns(turn.change)}
    others = [each for each in component.also_ships_in if (each, turn.old, turn.new) in turned]
    return tuple(each for each in others if all(_requires(tree, each) for tree in trees))


def _requires(tree: Tree, distribution: str) -> bool:
    wanted = re.compile(rf"^Requires-Dist: {re.escape(distribution)}\s*\(?=={re.escape(tree.label)}\b", re.MULTILINE)
    return any(wanted.search(tree.text(path)) for path in tree.paths if path.endswith(".dist-info/METADATA"))


Open = Callable[[str, str, Artifact], Tree]


def opener(clones: dict[str, Path]) -> Open:
    """What opens a release's artifact."""
    index = Index(tell=lambda file: print(f"fetching {file.name}", file=sys.stderr))

    def opened(distribution: str, version: str, artifact: Artifact) -> Tree:
        if artifact is Artifact.TAG and distribution in clones:
            return git.tree(clones[distribution], version)
        if artifact in {Artifact.SDIST, Artifact.WHEEL}:
            return index.tree(distribution, version, artifact)
        raise KbError(f"no clone of {distribution} was named")

    return opened


def main(arguments: list[str]) -> int:
    """Print what bears each turn out; distributions after the options are looked at alone."""
    pairs = [each.partition("=")[2].partition("=") for each in arguments if each.startswith("--git=")]
    clones = {name: Path(folder) for name, _, folder in pairs}
    only = {each for each in arguments if not each.startswith("--")}
    library, opened = open_library(read(ROOT)), opener(clones)
    counts: Counter[str] = Counter()
    for turn in (each for _, change in sorted(library.changes.items()) for each in turns(change)):
        if not only or turn.distribution in only:
            verdict, told = _judged(turn, library, opened, clones.get(turn.distribution))
            counts[verdict] += 1
            if verdict != "table":
                print(f"{verdict}: {turn}: {told}")
    print(", ".join(f"{count} by {verdict}" for verdict, count in sorted(counts.items())))
    return 1 if counts["NOTHING"] else 0


def _judged(turn: Turn, library: Library, opened: Open, clone: Path | None) -> tuple[str, str]:
    if by_table(turn, library):
        return "table", ""
    component = library.components[turn.change.component]
    try:
        old, new = (opened(turn.distribution, version, turn.artifact) for version in (turn.old, turn.new))
    except KbError as error:
        return "not opened", error.message
    if found := by_words(turn, (old, new), component):
        return "words", ", ".join(found)
    if found := carried_by(turn, (old, new), component):
        return "what it requires", ", ".join(found)
    if clone and turn.artifact is Artifact.TAG and (found := by_commits(turn, clone)):
        return "commits", ", ".join(found)
    return "NOTHING", " | ".join(turn.markers)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
