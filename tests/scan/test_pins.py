"""Requirement pins wherever a release declares them."""

from __future__ import annotations

import pytest

from kb.scan.pins import declares, pins
from tests.scan.trees import of


def found(**files: str) -> list[tuple[str, str, str]]:
    """Name, range and scope of the pins in files, `__` for a slash."""
    tree = of({name.replace("__", "/").replace("_dot_", "."): text for name, text in files.items()})
    return [(each.name, each.value, each.scope) for each in pins(tree)]


def test_requirement_file() -> None:
    """Lines of a requirement file: ranges low end first, extras, markers; comments, options and hashes are none."""
    text = """\
        # CuPy 14.1.0 is broken
        --extra-index-url https://example.org/simple
        nixl[cu13] < 0.10.0, >= 0.7.1  # UCX path on B200
        lmcache
        Mooncake_Transfer.Engine>=0.3.8; platform_machine == "x86_64"
        torch == 2.8.0 \\
            --hash=sha256:abc
        name @ https://example.org/x.whl
        ./local
        -e .
    """
    path = "requirements/kv_connectors.txt"
    assert [(each.name, each.value, each.line) for each in pins(of({path: text}))] == [
        ("lmcache", "any", 4),
        ("mooncake-transfer-engine", ">=0.3.8", 5),
        ("name", "https://example.org/x.whl", 8),
        ("nixl", "[cu13] >=0.7.1,<0.10.0", 3),
        ("torch", "==2.8.0", 6),
    ]


def test_scope() -> None:
    """A pin is of its file, and holds under its marker."""
    assert found(requirements__a_dot_txt='x>1; python_version < "3.13"\nx>2; python_version >= "3.13"') == [
        ("x", ">1", 'requirements/a.txt; python_version < "3.13"'),
        ("x", ">2", 'requirements/a.txt; python_version >= "3.13"'),
    ]


def test_included() -> None:
    """What an included file declares counts with the file that includes it, once, and never beyond the tree."""
    tree = of(
        {
            "requirements/cuda.txt": "-r common.txt\n-r ../../../etc/passwd\n--requirement=cuda.txt\nx==1",
            "requirements/common.txt": "-r cuda.txt\ny==2",
            "requirements/rocm.txt": "z==3",
        }
    )
    assert [(each.name, each.path) for each in pins(tree, ["requirements/cuda.txt"])] == [
        ("x", "requirements/cuda.txt"),
        ("y", "requirements/common.txt"),
    ]


def test_metadata() -> None:
    """Package metadata of an sdist or a wheel, extras as its markers say; the description below it is no metadata."""
    text = 'Name: nixl\nRequires-Dist: nixl-cu12==1.3.1\nRequires-Dist: nixl-cu13==1.3.1; extra == "cu13"\n'
    text += "\nRequires-Dist: no\n"
    for path in ("PKG-INFO", "nixl-1.3.1.dist-info/METADATA"):
        assert [(each.name, each.value, each.scope, each.line) for each in pins(of({path: text}))] == [
            ("nixl-cu12", "==1.3.1", "metadata", 2),
            ("nixl-cu13", "==1.3.1", 'metadata; extra == "cu13"', 3),
        ]


def test_pyproject() -> None:
    """Dependencies and extras of pyproject.toml; what builds it is none."""
    text = """
        [build-system]
        requires = ["setuptools>=77"]
        [project]
        dependencies = ["torch>=2"]
        [project.optional-dependencies]
        nixl = ["nixl>=1.3.0"]
    """
    assert found(pyproject_dot_toml=text) == [
        ("nixl", ">=1.3.0", "pyproject.toml; extra nixl"),
        ("torch", ">=2", "pyproject.toml"),
    ]


def test_setup() -> None:
    """Literal lists of setup.py, given or assigned; what is computed is none."""
    text = """
        extras_require = {"nixl": ["nixl==0.7.1"] + more}
        setup(
            install_requires=get_requirements(),
            extras_require=dict(other),
        )
        setup(install_requires=["torch>=2", f"x=={v}"])
    """
    assert found(setup_dot_py=text) == [("nixl", "==0.7.1", "setup.py; extra nixl"), ("torch", ">=2", "setup.py")]


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("requirements.txt", True),
        ("requirements-cuda.txt", True),
        ("requirements_dev.txt", True),
        ("requirements/kv_connectors.txt", True),
        ("requirements/test/cuda.in", True),
        ("docker/requirements.txt", True),
        ("vllm.egg-info/requires.txt", False),
        ("docs/notes.txt", False),
        ("vllm/requirements.py", False),
        ("sub/PKG-INFO", False),
    ],
)
def test_files(path: str, is_one: bool) -> None:
    """Which files declare requirements."""
    assert declares(path) is is_one


def test_own_needs() -> None:
    """What a release needs for its own tests and documents is not what it ships, unless asked for."""
    tree = of(
        {
            "requirements/test/cuda.txt": "x==1",
            "requirements/docs.txt": "x==2",
            "tests/requirements.txt": "x==3",
            "requirements/latest.txt": "x==4",
        }
    )
    assert [each.value for each in pins(tree)] == ["==4"]
    assert [each.value for each in pins(tree, ["requirements/docs.txt"])] == ["==2"]


def test_names() -> None:
    """Only the names asked for, however they are spelled."""
    tree = of({"requirements.txt": "Nixl_CU12==1\nnixl==2\nnixl-cu12x==3"})
    assert [(each.name, each.value) for each in pins(tree, names={"nixl-cu12"})] == [("nixl-cu12", "==1")]


@pytest.mark.parametrize("text", ["[project", "[project]\ndependencies = [1]", "x = 1"])
def test_damaged(text: str) -> None:
    """Files that cannot be read declare nothing."""
    assert found(pyproject_dot_toml=text, setup_dot_py="setup(") == []


def test_a_form_feed_ends_a_line_for_pip_and_none_of_the_file() -> None:
    """Requirements are told apart as pip does, and stand where an editor shows them."""
    tree = of({"requirements/a.txt": "# one\fx==1\ny==2\r\nz==3\n"})
    assert [(each.name, each.line) for each in pins(tree)] == [("x", 1), ("y", 2), ("z", 3)]
