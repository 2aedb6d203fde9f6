"""The digest of an original's text that a translation was made from: when it differs, the translation is behind."""

from __future__ import annotations

import hashlib

from kb.evaluation import Evaluation


def digest(original: Evaluation) -> str:
    """Twelve hex digits over the title, the claims' ids and sentences, and the limits; figures do not count."""
    parts = [original.title, *(f"{claim.id}: {claim.says}" for claim in original.claims), *original.limits]
    text = "\n".join(" ".join(part.split()) for part in parts)
    return hashlib.sha256(text.encode()).hexdigest()[:12]
