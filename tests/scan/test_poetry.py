"""kb.scan.poetry: requirements of Poetry's tables and of setup.cfg, through kb.scan.pins."""

from __future__ import annotations

import pytest

from kb.scan.pins import pins
from tests.scan.trees import of


def found(path: str, text: str) -> list[tuple[str, str, str, int]]:
    return [(each.name, each.value, each.scope, each.line) for each in pins(of({path: text}))]


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ('"^1.2.3"', ">=1.2.3,<2"),
        ('"^0.2.3"', ">=0.2.3,<0.3"),
        ('"^0.0.3"', ">=0.0.3,<0.0.4"),
        ('"^0"', ">=0,<1"),
        ('"~1.2.3"', ">=1.2.3,<1.3"),
        ('"~1"', ">=1,<2"),
        ('"1.2.3"', "==1.2.3"),
        ('"1.2.*"', "==1.2.*"),
        ('"*"', "any"),
        ('">=1.2,<2.0"', ">=1.2,<2.0"),
        ('">= 1.2, < 2.0"', ">=1.2,<2.0"),
        ('"!=1.5"', "!=1.5"),
        ('{version = "^1.2", extras = ["b", "a"], optional = true}', "[a,b] >=1.2,<2"),
        ('{git = "https://example.org/x.git"}', "git+https://example.org/x.git"),
        ('{path = "../x"}', "any"),
    ],
)
def test_poetry(spec: str, value: str) -> None:
    """A caret and a tilde are the two ends they stand for; a bare version is that one."""
    text = f'[tool.poetry]\nname = "nixl"\n[tool.poetry.dependencies]\npython = "^3.11"\nnixl = {spec}\n'
    assert found("pyproject.toml", text) == [("nixl", value, "pyproject.toml", 5)]


def test_groups_and_markers() -> None:
    """Groups are told apart, several constraints of one name too."""
    text = """\
[tool.poetry.group.gpu.dependencies]
torch = [{version = "2.8", markers = "sys_platform == 'linux'"}, {version = "2.7"}]
[tool.poetry.dev-dependencies]
ruff = "*"
"""
    assert [each[:3] for each in found("pyproject.toml", text)] == [
        ("ruff", "any", "pyproject.toml; group dev"),
        ("torch", "==2.7", "pyproject.toml; group gpu"),
        ("torch", "==2.8", 'pyproject.toml; group gpu; sys_platform == "linux"'),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "[tool.poetry]\ndependencies = 3\n",
        "tool = 3\nproject = 4\n",
        "[tool.poetry.group]\ngpu = 1\n",
        "[tool.poetry.dependencies]\nnixl = 3\nx = 'not a version'\n",
        '[project]\ndependencies = "nixl"\n',
        "[project]\noptional-dependencies = 3\n",
        "[tool.poetry.dependencies]\npython = '^3.11'\n",
        "[tool.other.dependencies]\nnixl = '1'\n",
        "[",
    ],
)
def test_what_is_no_requirement_is_passed_over(text: str) -> None:
    """Tables of other shapes, other tools, the interpreter, damaged files."""
    assert found("pyproject.toml", text) == []


def test_setup_cfg() -> None:
    """Requirements and extras, with their lines; comments, files and other keys are none."""
    text = """\
[metadata]
name = torch
[options]
python_requires = >=3.9
install_requires =
    # the transfer library
    nixl>=1.1  # UCX
    torch==2.8; python_version < "3.13"
[options.extras_require]
cuda = cupy-cuda12x
[tool:pytest]
required = pytest>8
"""
    assert found("setup.cfg", text) == [
        ("cupy-cuda12x", "any", "setup.cfg; extra cuda", 10),
        ("nixl", ">=1.1", "setup.cfg", 7),
        ("torch", "==2.8", 'setup.cfg; python_version < "3.13"', 8),
    ]


@pytest.mark.parametrize(
    "text", ["no section\n", "[options]\ninstall_requires = file: requirements.txt\n", "[a]\n[a]\nx\n"]
)
def test_setup_cfg_without_any(text: str) -> None:
    """A damaged file, or one that names another."""
    assert found("setup.cfg", text) == []
