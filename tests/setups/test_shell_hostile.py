"""kb.setups.shell: text made to take for ever, or to stand for more than there is."""

from __future__ import annotations

import pytest

from kb.setups.shell import commands
from kb.setups.source import NotASetup


def test_variables_that_double_are_refused() -> None:
    """Forty lines would stand for a terabyte."""
    doubled = "".join(f'A{n}="$A{n - 1}$A{n - 1}"\n' for n in range(1, 41))
    with pytest.raises(NotASetup, match="stand for more than"):
        commands(f"A0=xxxxxxxxxx\n{doubled}vllm serve $A40\n")


@pytest.mark.parametrize("text", ["A=(" + "'#" * 2000, "docker run x" * 4000, "${A:-" * 20_000])
def test_what_is_never_closed_ends(text: str) -> None:
    """Comments and quotes of a list of words are read in one way only."""
    assert len(commands(f"{text}\nvllm serve m\n")) <= 1
