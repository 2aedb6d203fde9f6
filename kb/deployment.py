"""A deployment: a target for verdicts, described with the keys of a setup."""

from __future__ import annotations

from kb.model import Name, RecordModel, Text
from kb.setup import Setup


class Deployment(RecordModel):
    """A target: what somebody runs. `unknown` and open version ranges are values and differ from "same"."""

    summary: Text | None = None
    """What it is, in a sentence."""
    owner: Name | None = None
    """Who runs it."""
    setup: Setup
    """Its keys: pins, sides, options, load, SLO."""
