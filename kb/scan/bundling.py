"""Which symbols make one draft: what came from one pull request, what belongs together, or what one file holds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from kb.scan.report import Difference

MANY = 20
"""Drafts of one scan that a person still reads one by one; beyond, those of one file are one."""

Group = list[Difference]


def bundled(found: Group, groups: Callable[[Group], list[Group]], many: int = MANY) -> list[Group]:
    """Drafts' symbols: by pull request as far as a clone names them, the rest as they belong together.

    A symbol that several pull requests touched goes to the one that touched most: its draft names them all.
    """
    by_pull, rest = _by_pull(found)
    together = groups(rest)
    return [*by_pull, *(together if len(together) <= many else _by_file(together))]


def _by_pull(found: Group) -> tuple[list[Group], Group]:
    reach = Counter(number for each in found for number in _pulls(each))
    by_pull: dict[int, Group] = defaultdict(list)
    rest: Group = []
    for each in found:
        numbers = _pulls(each)
        if numbers:
            by_pull[max(numbers, key=lambda number: (reach[number], number))].append(each)
        else:
            rest.append(each)
    return list(by_pull.values()), rest


def _pulls(each: Difference) -> set[int]:
    return {number for commit in each.commits for number in commit.pulls}


def _by_file(together: list[Group]) -> list[Group]:
    """One group for each file; a group that spans several goes to where most of it is."""
    by_file: dict[str, Group] = defaultdict(list)
    for group in together:
        places = Counter(each.match.symbol.path for each in group)
        by_file[max(places, key=lambda path: (places[path], path))] += group
    return list(by_file.values())
