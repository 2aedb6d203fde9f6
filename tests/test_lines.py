"""kb.lines: what of an arm ships in one distribution."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kb.builds import Builds, Known
from kb.errors import KbError
from kb.lines import Choice, Line


def line(was: int, now: int) -> Line:
    measured, asked = (Builds(tuple(f"1.{n}" for n in range(count)), Known.DATED, "any") for count in (was, now))
    return Line("orbit", None, (), measured, asked)


def test_every_pair_is_a_choice() -> None:
    """Each build that may have been measured against each that is asked about."""
    assert line(1, 2).choices == (Choice("1.0", "1.0"), Choice("1.0", "1.1"))
    assert line(0, 1).choices == (Choice(None, "1.0"),)
    assert len(line(141, 141).choices) == 19_881


def test_more_pairs_than_anybody_waits_for() -> None:
    """Two open ends of thousands of releases are refused with what would help, before they are laid out."""
    with pytest.raises(KbError, match="2000 builds that may have been measured against 2000") as error:
        _ = line(2000, 2000).open
    assert error.value.hint == "--at orbit=VERSION"
    assert replace(line(2000, 1)).open
