"""The console script: what makes every command start and stop faster, and nothing else.

Importing makes many objects and no garbage, and the collector would look for some all the while: 10 of 110 ms of a
`kb search`. The thresholds stay high afterwards: a command is over before garbage matters, and the long ones (sync,
scan) mind the collector themselves. Taking every module apart again before the process ends took another 12 ms, for
memory that the system takes back anyway.
"""

import gc

gc.set_threshold(100_000, 20, 50)

import atexit  # noqa: E402  after the line above, which is the point of this module
import os  # noqa: E402
import sys  # noqa: E402
from contextlib import suppress  # noqa: E402
from typing import NoReturn  # noqa: E402

from kb import cli  # noqa: E402


def main() -> NoReturn:
    """Run `kb` and leave at once with its exit code."""
    try:
        cli.main()
    except SystemExit as stop:
        _leave(stop.code)
    _leave(0)


def _leave(code: object) -> NoReturn:
    """End the process: what asked to be told is told (an open derived file is closed), the rest is left as it is."""
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code if isinstance(code, int) else 0)
