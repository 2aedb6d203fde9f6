"""How `kb --help` reads: commands by job, then an example."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

FIND = "Find and read"
RECORD = "Record"
CHECK = "Check"
KEEP = "Look after a base"
JOBS = (FIND, RECORD, CHECK, KEEP)

LONGEST = 200
"""Letters of a command's sentence: it is wrapped, and never cut."""

EXAMPLE = """\
  kb search "push ttft" connector:nixl     find what is known
  kb new evaluation my-test                record what you measured"""


class Group(TyperGroup):
    """Commands under the heading of their job (`rich_help_panel`), in the order they were added."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write one section for each job."""
        jobs: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                job = getattr(command, "rich_help_panel", None) or "Commands"
                jobs.setdefault(str(job), []).append((name, command.get_short_help_str(LONGEST)))
        order = [job for job in JOBS if job in jobs] + [job for job in jobs if job not in JOBS]
        longest = max(len(name) for rows in jobs.values() for name, _ in rows)
        for job in order:
            with formatter.section(job):
                formatter.write_dl([(name.ljust(longest), text) for name, text in jobs[job]])

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  signature of the base class
        """Write the example."""
        formatter.write(f"\nFor example:\n{EXAMPLE}\n")
