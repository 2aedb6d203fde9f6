"""The table of verdicts: reads tests/audit/cases/*.yaml and makes of each case a library, through the real readers.
The rows of tests/audit/real.yaml do the same to the shipped records.

A case edits the small base (tests/audit/base), names a claim and a target, and says which verdict is right and why:

    case, because     its name; the reason in a sentence
    pair              rows of one pair show the same event with opposite verdicts
    quiet: yes        the event must not fire: the verdict stays what it is without it
    edits             record -> path of a key -> value. A step of a path is a key, the id of a list's member, its
                      number, or `+` to append; the value `absent` takes the key away
    add               record -> its fields. Of a change, id, title, summary and status may be left out, and
                      `from: VERSION` stands for "wheels below do not ship it, wheels from there on do". `like: ID`
                      copies an evaluation, `moved: newest` moves its pins to the newest releases; its other keys are
                      edits of the copy
    tables            component -> symbol -> runs, `first last digest how was`, instead of the base's table of symbols
    evaluation, claim which claim is asked for (evaluation: push-vs-pull when left out)
    target            own, the id of a deployment, or {for: ID, at: {COMPONENT or SIDE:COMPONENT: VERSION}}
    today             the day for signals
    order: reversed   records are read in the opposite order
    expect            outcome; confirm; rule (of the finding that decides) and change; names (words that its message
                      must hold); checked (change, evaluation or symbol, and why); also (findings that do not
                      decide); absent (rules that must not speak); candidates (version, outcome, change); at
                      (distribution -> version asked about, in words). A list of rules or whys means any of them
    lint              names of error checks that the case's records break on purpose
    trap, changes, pinned  of a row on shipped records: which trap it is; the changes that are judged, and no others; a
                      what-if that gives every pin of a distribution this version
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml

from kb.change import Change
from kb.component import Component
from kb.config import read as read_config
from kb.deployment import Deployment
from kb.digests import Digests, Table
from kb.digests import read as read_table
from kb.evaluation import Evaluation
from kb.frontmatter import cut, load
from kb.library import Library, open_library
from kb.model import Model
from kb.reading import Loaded, read
from kb.versions import contains

HERE = Path(__file__).parent
BASE = HERE / "base"
CASES = HERE / "cases"
REAL = HERE / "real.yaml"
RELEASES = HERE / "releases.yaml"
SHIPPED = HERE.parents[1]
MODELS: dict[str, type[Model]] = {
    "evaluations": Evaluation,
    "changes": Change,
    "components": Component,
    "deployments": Deployment,
}
Fields = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """One row: what is done to the base, what is asked, and what must come out."""

    name: str
    expect: Fields
    because: str
    claim: str
    evaluation: str = "push-vs-pull"
    pair: str = ""
    quiet: bool = False
    edits: Fields = field(default_factory=dict)
    add: Fields = field(default_factory=dict)
    tables: Fields = field(default_factory=dict)
    target: Any = "own"
    today: str | None = None
    reverse: bool = False
    lint: tuple[str, ...] = ()
    trap: str = ""
    changes: tuple[str, ...] = ()
    pinned: Fields = field(default_factory=dict)
    root: Path = BASE

    @property
    def deployment(self) -> str | None:
        """The deployment it asks for, None for the evaluation's own setup."""
        name = self.target if isinstance(self.target, str) else self.target.get("for", "own")
        return None if name == "own" else str(name)

    @property
    def at(self) -> dict[str, str]:
        """Versions that are asked for: component or SIDE:component -> version."""
        return {} if isinstance(self.target, str) else dict(self.target.get("at", {}))


def _case(fields: Fields, root: Path) -> Case:
    rest = dict(fields)
    return Case(
        name=rest.pop("case"),
        quiet=rest.pop("quiet", "no") == "yes",
        reverse=rest.pop("order", "") == "reversed",
        lint=tuple(rest.pop("lint", ())),
        changes=tuple(rest.pop("changes", ())),
        root=root,
        **rest,
    )


@lru_cache(maxsize=1)
def cases() -> tuple[Case, ...]:
    """Every case of the table, by file."""
    files = sorted(CASES.glob("*.yaml"))
    return tuple(_case(each, BASE) for file in files for each in load(file.read_text("utf-8"))["cases"])


@lru_cache(maxsize=1)
def real_cases() -> tuple[Case, ...]:
    """Every case on the shipped records."""
    return tuple(_case(each, SHIPPED) for each in load(REAL.read_text("utf-8"))["cases"])


@lru_cache(maxsize=2)
def base(root: Path = BASE) -> Library:
    """The base without edits; the shipped one without what was released after its expectations were judged."""
    library = open_library(read_config(root))
    return replace(library, loaded=tuple(map(_as_judged, library.loaded))) if root == SHIPPED else library


@cache
def judged_at() -> dict[str, str]:
    """Component -> newest release that the expectations on shipped records know."""
    return dict(load(RELEASES.read_text("utf-8"))["newest"])


def _as_judged(loaded: Loaded) -> Loaded:
    """A component's record, and its text, without later releases: what they mean is judged when they are named."""
    record, newest = loaded.record, judged_at().get(_name(loaded).removeprefix("components/"))
    if not isinstance(record, Component) or newest is None:
        return loaded
    releases = tuple(each for each in record.releases if contains(f"<={newest}", each.version))
    if releases == record.releases:
        return loaded
    front = {**load(loaded.front), "releases": [each.model_dump(mode="json", exclude_none=True) for each in releases]}
    text = yaml.safe_dump(front, sort_keys=False, allow_unicode=True, width=100)
    return replace(loaded, record=record.model_copy(update={"releases": releases}), front=text)


@lru_cache(maxsize=512)
def _fields(root: Path, name: str) -> Fields:
    return load(next(each.front for each in base(root).loaded if _name(each) == name))


def _name(loaded: Loaded) -> str:
    return loaded.path.removeprefix("entries/").rsplit(".", 1)[0]


def library(case: Case, more: Fields | None = None) -> Library:
    """The base with the case's edits and additions. Raises Unreadable when one of them is no record."""
    changed = {name: _edited(_fields(case.root, name), edits) for name, edits in case.edits.items()}
    if case.pinned:
        name = f"evaluations/{case.evaluation}"
        changed[name] = _pinned(changed.get(name) or _fields(case.root, name), case)
    for name, fields in {**case.add, **(more or {})}.items():
        changed[name] = _added(name, fields, case)
    kept = [each for each in base(case.root).loaded if _name(each) not in changed]
    loaded = [*kept, *(_loaded(name, fields) for name, fields in changed.items())]
    found = tuple(reversed(loaded) if case.reverse else loaded)
    return Library(found, own=frozenset(each.path for each in found), digests=_digests(case))


def _loaded(name: str, fields: Fields) -> Loaded:
    kind = name.split("/")[0]
    front = yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=100)
    markdown = kind in {"evaluations", "changes"}
    text = f"---\n{front}---\nMade up for one case.\n" if markdown else front
    if markdown:
        assert cut(text).front == front
    return read(MODELS[kind], f"entries/{name}.{'md' if markdown else 'yaml'}", text)


def _added(name: str, fields: Fields, case: Case) -> Fields:
    kind, _, own = name.partition("/")
    named = {"schema_version": "1", "id": own, "title": own.replace("-", " ")}
    if "like" in fields:
        return _edited(
            _like(fields, case), {**named, **{k: v for k, v in fields.items() if k not in {"like", "moved"}}}
        )
    if kind == "changes":
        return {**named, "status": "merged", "summary": own.replace("-", " "), **_ships(fields, case)}
    return {**named, **fields}


def _like(fields: Fields, case: Case) -> Fields:
    record = _fields(case.root, f"evaluations/{fields['like']}")
    return _each_pin(record, _newest) if fields.get("moved") == "newest" else copy.deepcopy(record)


def _newest(pin: Fields) -> Fields:
    if "version" not in pin:
        return pin
    releases = [each.version for each in base().releases_of(pin["component"])]
    return {**pin, "version": max(releases, key=lambda version: [int(n) for n in version.split(".")])}


def _pinned(record: Fields, case: Case) -> Fields:
    """The record as if its author had pinned these versions, and a connector with what it ships in."""

    def pinned(pin: Fields) -> Fields:
        found = base(case.root).components.get(pin["component"])
        version = case.pinned.get(found.ships_in or found.id) if found else None
        return {**pin, "version": version} if version else pin

    edited: Fields = _each_pin(record, pinned)
    return edited


def _each_pin(value: Any, change: Callable[[Fields], Fields]) -> Any:
    """A record with something done to every pin of a component in it."""
    if isinstance(value, list):
        return [_each_pin(each, change) for each in value]
    if not isinstance(value, dict):
        return value
    record = {key: _each_pin(each, change) for key, each in value.items()}
    return change(record) if isinstance(record.get("component"), str) else record


def _ships(fields: Fields, case: Case) -> Fields:
    """`from: VERSION` as facts about wheels."""
    rest = {key: value for key, value in fields.items() if key != "from"}
    if "from" not in fields:
        return rest
    name = f"components/{fields['component']}"
    component = case.add.get(name) or _fields(case.root, name)
    common = {"distribution": component["ships_in"], "artifact": "wheel", "marker": "made up"}
    below, above = f"<{fields['from']}", f">={fields['from']}"
    facts = [{**common, "versions": below, "ships": "no"}, {**common, "versions": above, "ships": "yes"}]
    return {**rest, "ships": facts}


def _edited(record: Fields, edits: Fields) -> Fields:
    edited = copy.deepcopy(record)
    for path, value in edits.items():
        _put(edited, path.split("."), copy.deepcopy(value))  # the next edit may be of what this one puts there
    return edited


def _put(value: Any, path: list[str], new: Any) -> None:
    step, *rest = path
    if isinstance(value, list):
        if step == "+":
            value.append(new)
            return
        place: Any = int(step) if step.isdigit() else next(n for n, each in enumerate(value) if each["id"] == step)
    else:
        place = step
    if rest:
        if isinstance(value, dict):
            value.setdefault(place, [] if rest[0] == "+" else {})
        _put(value[place], rest, new)
    elif new == "absent":
        del value[place]
    else:
        value[place] = new


def _digests(case: Case) -> Digests:
    def table(component: str) -> Table | None:
        if component in case.tables:
            return read_table(_table(component, case.tables[component]), component)
        return base(case.root).digests.table(component)

    return Digests(table)


def _table(component: str, symbols: Fields) -> str:
    releases = " ".join(each.version for each in base().releases_of(component))
    head = [f"# component: {component}", "# languages: python", f"# releases: {releases}"]
    rows = ["symbol\tdigest\tfirst\tlast\thow\twas"]
    for symbol, runs in symbols.items():
        for run in runs:
            first, last, digest, how, was = (*str(run).split(), "", "")[:5]
            rows.append("\t".join((symbol, digest, first, last, "" if how == "-" else how, was)))
    return "\n".join((*head, *rows)) + "\n"


def several(value: Any) -> tuple[str, ...]:
    """A word, or any of several."""
    return tuple(value) if isinstance(value, list) else (str(value),)
