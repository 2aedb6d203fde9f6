"""What really changed in a component between two releases, read in their sources."""

from __future__ import annotations

from kb.scan.compare import scan
from kb.scan.report import Report
from kb.scan.tree import Tree

__all__ = ["Report", "Tree", "scan"]
