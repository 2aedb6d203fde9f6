"""Words of the pages in Japanese and Portuguese, for pages of translated records; what is not here stays English."""

from __future__ import annotations


def translated(label: str, lang: str) -> str:
    """A label in a language of ours."""
    return LABELS.get(lang, {}).get(label, label)


LABELS: dict[str, dict[str, str]] = {"ja": {}, "pt": {}}
