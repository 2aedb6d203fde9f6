"""A copy of the made-up base for each test."""

import shutil
from pathlib import Path

import pytest

from tests.cli.running import FIXTURE


@pytest.fixture
def base(tmp_path: Path) -> Path:
    folder = tmp_path / "base"
    shutil.copytree(FIXTURE, folder, ignore=shutil.ignore_patterns(".kb"))
    return folder
