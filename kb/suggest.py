"""Did you mean: the nearest of a list of names."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The name most like `word`, or None when nothing is near."""
    from difflib import get_close_matches  # 1 ms at start, for what is said only of slips

    folded = {name.casefold(): name for name in names}
    near = get_close_matches(word.casefold(), folded, n=1, cutoff=0.6)
    return folded[near[0]] if near else None


def nearest_version(text: str, known: Iterable[str]) -> str | None:
    """The known version that is one slip from `text` and of the same major and minor, or None: 0.99 is not near 0.9."""
    slips = (each for each in known if each.split(".")[:2] == text.removeprefix("v").split(".")[:2])
    return next((each for each in slips if _one_slip(text.removeprefix("v"), each)), None)


def _one_slip(one: str, other: str) -> bool:
    """Whether one character was added, left out or exchanged."""
    short, long = sorted((one, other), key=len)
    at = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return one != other and short[at + (len(short) == len(long)) :] == long[at + 1 :]


def did_you_mean(word: str, names: Iterable[str]) -> str | None:
    """A hint such as `did you mean "version"?`, or None."""
    near = nearest(word, names)
    return f'did you mean "{near}"?' if near else None
