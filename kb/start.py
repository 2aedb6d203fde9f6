"""The console script. Importing makes many objects and no garbage, and the collector would look for some all the while.

Measured on `kb search`: 10 of 110 ms. The thresholds stay high afterwards: a command is over before garbage matters,
and the long ones (sync, scan) mind the collector themselves.
"""

import gc

gc.set_threshold(100_000, 20, 50)

from kb.cli import main  # noqa: E402  after the line above, which is the point of this module

__all__ = ["main"]
