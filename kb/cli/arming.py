"""Options that say which result files belong to which arm; `kb new --from` and `kb import --into` share them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from kb.arranging.begin import Wanted

Arms = Annotated[
    list[str] | None,
    typer.Option("--arm", metavar="NAME=PATH", help="Files of an arm: a folder, a file or a pattern ('*push*')."),
]
ArmBy = Annotated[
    str | None,
    typer.Option("--arm-by", metavar="FIELD|PATTERN", help="Field that tells arms apart, or a pattern on file names."),
]
Baseline = Annotated[
    str | None,
    typer.Option(
        "--baseline",
        metavar="NAME",
        help="Arm the others are compared with; else one that is named so (pull, base, old, off...), or the last.",
    ),
]
Attach = Annotated[bool, typer.Option("--attach", help="Keep the result files beside the record, without secrets.")]
Tool = Annotated[
    str | None, typer.Option("--tool", metavar="NAME", help="Importer to use, where a file could be of several.")
]


@dataclass(frozen=True)
class Said:
    """What was said of the results, as it was typed."""

    paths: list[str]
    arm: list[str] | None
    arm_by: str | None
    baseline: str | None
    attach: bool
    tool: str | None

    def wanted(self) -> Wanted:
        """The same for the room that arranges."""
        from kb.arranging.begin import Wanted

        return Wanted(tuple(self.paths), tuple(self.arm or ()), self.arm_by, self.baseline, self.attach, self.tool)
