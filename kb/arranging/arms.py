"""Arms: which runs belong to which compared configuration; as said, or as one factor that the files state tells."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from kb.arranging.factors import Factor, factors, value_of
from kb.arranging.loads import slug, sweep
from kb.errors import KbError
from kb.importers.run import Run
from kb.suggest import did_you_mean, nearest


@dataclass(frozen=True, slots=True)
class Group:
    """The runs of one arm, and by what they are one."""

    id: str
    runs: tuple[Run, ...]
    said: str
    """How it was told: by the caller, or by which factor."""
    sure: bool = True
    """Whether the caller or the files said so; a folder's name is neither."""


@dataclass(frozen=True, slots=True)
class Split:
    """Runs by arm, and those that are in none."""

    groups: tuple[Group, ...]
    left_over: tuple[Run, ...] = ()
    how: str = ""


BASELINES = ("pull", "base", "baseline", "before", "old", "default", "main", "off")
"""Names, and words of names, that people give to what the others are compared with."""


def baseline_of(names: Sequence[str]) -> str | None:
    """The arm that its name makes the baseline, a whole name before a word of one; else the last. None of a single arm.

    Where two names say it alike, none does: `pull-1p1d` and `pull-2p2d` are two kinds of pull.
    """
    if len(names) < 2:
        return None
    for known in ({name for name in names if name in BASELINES}, {name for name in names if _says_baseline(name)}):
        if len(known) == 1:
            return known.pop()
    return names[-1]


def _says_baseline(name: str) -> bool:
    return any(word in BASELINES for word in re.split(r"[-.]", name))


def by_paths(runs: Sequence[Run], named: Iterable[str], folders: Sequence[str] = ()) -> Split:
    """`NAME=PATH`: files below a folder, one file, or a pattern of files; as typed, or below a folder of the results,
    and a pattern without a slash on file names. Raises KbError for what fits no run."""
    groups: dict[str, list[Run]] = {}
    for each in named:
        name, sign, path = each.partition("=")
        if not sign or not name or not path:
            raise KbError(f'"{each}" is no arm', "name it and say where its files are: --arm push=results/push")
        own = [run for run in runs if _belongs(run.file, path, folders)]
        if not own:
            raise KbError(f"no run was read from {path}", _instead(path, runs))
        groups.setdefault(_id(name), []).extend(own)
    _no_run_twice(groups)
    taken = {id(run) for own in groups.values() for run in own}
    left = tuple(run for run in runs if id(run) not in taken)
    return Split(tuple(Group(name, tuple(own), "by --arm") for name, own in groups.items()), left, "--arm")


def _belongs(file: str, path: str, folders: Iterable[str]) -> bool:
    if Path(path).exists():
        return _below(file, path)
    if "/" not in path and fnmatch.fnmatch(Path(file).name, path):
        return True
    return any(_below(file, each) for each in (path, *(f"{folder}/{path}" for folder in folders)))


def _below(file: str, path: str) -> bool:
    here, there = Path(file).absolute(), Path(path).absolute()
    return here == there or there in here.parents or fnmatch.fnmatch(str(here), str(there))


def _instead(path: str, runs: Sequence[Run]) -> str:
    """What could have been meant: a file or folder of that kind, else what was read."""
    shared = folder_of(runs) or PurePath()
    files = list(dict.fromkeys(run.file for run in runs))
    parts = dict.fromkeys(part for file in files for part in _inside(file, shared).parts)
    if (near := nearest(PurePath(path).name, parts)) is not None:
        return f"did you mean {near}?"
    few = ", ".join(str(_inside(file, shared)) for file in files[:3])
    more = f" and {len(files) - 3} more" if len(files) > 3 else ""
    return f"a folder, a file, or a pattern in quotes ('*push*') for some of: {few}{more}"


def _inside(file: str, folder: PurePath) -> PurePath:
    path = PurePath(file)
    return path.relative_to(folder) if path.is_relative_to(folder) else path


def _no_run_twice(groups: dict[str, list[Run]]) -> None:
    seen: dict[int, str] = {}
    for name, own in groups.items():
        for run in own:
            if (other := seen.setdefault(id(run), name)) != name:
                raise KbError(f"{run.file} is in two arms: {other} and {name}", "let each file belong to one --arm")


def _id(name: str) -> str:
    made = slug(name)
    if not made:
        raise KbError(f'"{name}" cannot be the name of an arm', "lower-case letters, digits, dots and hyphens")
    return made


def by_field(runs: Sequence[Run], field: str) -> Split:
    """A factor by its key (`connector.class_name`, `label`, `folder`), or a pattern with a group, tried on file names.

    Raises KbError when it is neither, or does not tell runs apart.
    """
    key = _key(runs, field)
    if key is None:
        return _by_pattern(runs, field)
    groups: dict[str, list[Run]] = {}
    for run in runs:
        if (value := value_of(run, key)) is not None:
            groups.setdefault(_id(_telling(key, value)), []).append(run)
    left = tuple(run for run in runs if value_of(run, key) is None)
    sure = not key.startswith(("suggested.", "folder"))
    said = f"by {key.removeprefix('suggested.')} as names hint at it" if not sure else f"by {key}"
    return Split(tuple(Group(name, tuple(own), said, sure) for name, own in groups.items()), left, key)


def _telling(key: str, value: str) -> str:
    """A value as the name of an arm; a number alone says nothing."""
    return f"{key.rpartition('.')[2]}-{value}" if re.fullmatch(r"[\d.]+", value) else value


def _key(runs: Sequence[Run], field: str) -> str | None:
    """The full key that a short one means."""
    names = [field, *(f"{group}.{field}" for group in ("setup", "where", "facts", "suggested"))]
    return next((name for name in names if any(value_of(run, name) is not None for run in runs)), None)


def _by_pattern(runs: Sequence[Run], field: str) -> Split:
    keys = [each.key for each in factors(runs)]
    known = [key if key.startswith("folder") else key.partition(".")[2] or key for key in keys]
    try:
        pattern = re.compile(field)
    except re.error as error:
        raise KbError(f'"{field}" is no field and no pattern: {error}', did_you_mean(field, known)) from None
    groups: dict[str, list[Run]] = {}
    left = []
    for run in runs:
        match = pattern.search(run.file)
        name = (match.group(1) if match and pattern.groups else match.group(0) if match else None) or ""
        if slug(name):
            groups.setdefault(_id(name), []).append(run)
        else:
            left.append(run)
    if not groups:
        hint = did_you_mean(field, known) or f"fields that differ: {', '.join(known) or 'none'}"
        raise KbError(f'no run states "{field}", and no file name matches it', hint)
    said = f"by the pattern {field} in file names"
    return Split(tuple(Group(name, tuple(own), said, sure=False) for name, own in groups.items()), tuple(left), said)


def inferred(runs: Sequence[Run]) -> Split:
    """Arms told by the one factor that the files state, else by folders that hold the same loads, else one arm."""
    candidates = [each for each in factors(runs) if each.kind == "arm"]
    stated = [each for each in candidates if each.stated and each.key.startswith(("setup.", "facts."))]
    if len(stated) == 1 and all(stated[0].values):
        return by_field(runs, stated[0].key)
    for each in candidates:
        if each.key.startswith("folder.") and (split := _by_folder(runs, each)):
            return split
    return Split((Group("measured", tuple(runs), "the only arm"),), (), "")


def _by_folder(runs: Sequence[Run], factor: Factor) -> Split | None:
    """Folders are arms when at least two of them hold runs at the same load; a folder for each load is a sweep."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(value_of(run, factor.key) or "", []).append(run)
    if "" in groups or len(groups) < 2:
        return None
    loading = sweep(runs, groups.values())
    loads = [{loading.load(run) for run in own} for own in groups.values()]
    if not all(any(one & other for other in loads if other is not one) for one in loads):
        return None
    said = "by the folder the files lie in"
    return Split(tuple(Group(_id(name), tuple(own), said, sure=False) for name, own in groups.items()), (), said)


def folder_of(runs: Sequence[Run]) -> PurePath | None:
    """The folder that all files of these runs lie in."""
    parts = [PurePath(run.file).parent.parts for run in runs if run.file != "-"]
    if not parts:
        return None
    shared = []
    for level in zip(*parts, strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    return PurePath(*shared) if shared else PurePath()
