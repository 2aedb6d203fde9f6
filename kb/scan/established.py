"""Facts read in many releases as a component's record states them: ranges of releases in which the same is so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from kb.component import Facts
from kb.scan.facts import Fact, What, spelled
from kb.scan.presence import spans

FIELDS = {What.OPTION: "options", What.ENV: "env", What.REQUIREMENT: "requires", What.CONSTANT: "wire_version"}
"""Kind of fact -> field of the record; other kinds stand elsewhere in it."""

Subject = tuple[What, str, str]
"""Kind, name and scope: what one value is stated of."""
ByVersion = dict[str, list[Fact]]


def established(found: Mapping[str, Iterable[Fact]]) -> tuple[Facts, ...]:
    """Facts of a component over releases (version -> what was read in it), those of one range together.

    A range goes from the first to the last release that was read; nothing is said beyond them. Pins of different files
    stay apart; an option or variable is one wherever it is read.
    """
    together: dict[tuple[str, str, str], ByVersion] = defaultdict(lambda: defaultdict(list))
    for subject, by_version in _by_subject(found).items():
        values = {version: spelled(by_version.get(version, ())) for version in found}
        for span in spans(values):
            if span.value is not None:
                what, name, scope = subject
                apart = name if what is What.CONSTANT else scope
                together[FIELDS[what], apart, span.versions][name] += by_version[span.last]
    return tuple(_record(field, versions, named) for (field, _, versions), named in sorted(together.items()))


def _by_subject(found: Mapping[str, Iterable[Fact]]) -> dict[Subject, ByVersion]:
    by_subject: dict[Subject, ByVersion] = defaultdict(lambda: defaultdict(list))
    for version, facts in found.items():
        for each in facts:
            if each.what in FIELDS:
                by_subject[each.what, each.name, each.scope][version].append(each)
    return by_subject


def _record(field: str, versions: str, named: ByVersion) -> Facts:
    """One record; where it was read is stated of the last release of the range."""
    stated: object = {name: _short(spelled(facts)) for name, facts in sorted(named.items())}
    where = _some(sorted({each.path for facts in named.values() for each in facts}))
    if field == "wire_version":
        ((name, facts),) = named.items()
        stated, where = _short(spelled(facts)), f"{name} in {where}"
    return Facts.model_validate({"versions": versions, field: stated, "read_in": where})


def _some(paths: list[str]) -> str:
    more = f" and {len(paths) - 2} more" if len(paths) > 2 else ""
    return _short(", ".join(paths[:2]) + more) or ""


def _short(text: str | None) -> str | None:
    """A long expression is cut; who needs all of it opens the file."""
    return f"{text[:198]}…" if text and len(text) > 200 else text
