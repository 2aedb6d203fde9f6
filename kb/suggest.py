"""Did you mean: the nearest of a list of names."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The name most like `word`, or None when nothing is near."""
    from difflib import get_close_matches  # 1 ms at start, for what is said only of slips

    folded = {name.casefold(): name for name in names}
    near = get_close_matches(word.casefold(), folded, n=1, cutoff=0.6)
    return folded[near[0]] if near else None


def did_you_mean(word: str, names: Iterable[str]) -> str | None:
    """A hint such as `did you mean "version"?`, or None."""
    near = nearest(word, names)
    return f'did you mean "{near}"?' if near else None
