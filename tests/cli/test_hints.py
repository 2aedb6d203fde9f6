"""A command that a finding hints at runs as it is printed, once its words in capitals are filled in."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

from tests.cli.running import kb


def test_the_hint_of_a_change_that_touches_is_a_whole_command(base: Path) -> None:
    """It names the claim; only what a person thinks of it is left to write."""
    claim = "orbit-push-vs-pull/heavy-load"
    found = json.loads(kb("audit", claim, "--json", cwd=base).out)["verdicts"][0]["findings"]
    hint = next(each["hint"] for each in found if each["code"] == "KB240")
    words = shlex.split(re.search(r"`kb (state [^`]*)`", hint)[1].replace("STATUS", "affected"))
    assert claim in words
    assert kb(*words, "--dry-run", cwd=base).code == 0
