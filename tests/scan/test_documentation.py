"""kb.scan.documentation: files that nobody runs, by their names."""

from __future__ import annotations

import pytest

from kb.scan.documentation import is_documentation


@pytest.mark.parametrize(
    "path",
    ["README.md", "src/plugins/ucx/README", "README.txt", "a/README.ja.md", "docs/x.rst", "a/fig.svg", "LICENSE",
     "LICENSE-APACHE", "LICENSE.txt", "CHANGELOG", "a/NOTICE.txt", "ATTRIBUTIONS-CPP.md", "a/CODEOWNERS"],
)  # fmt: skip
def test_docs(path: str) -> None:
    """Prose and pictures."""
    assert is_documentation(path)


@pytest.mark.parametrize(
    "path",
    ["requirements.txt", "CMakeLists.txt", "meson.build", "a/readme.py", "README.py", "a/NEWS.json", "LICENSE.py",
     "a/license_check.cpp", "Dockerfile", "a/security.go", "SECURITY.toml", "prompt.txt", "a.md.j2", "readme/a.c", ""],
)  # fmt: skip
def test_what_may_be_run(path: str) -> None:
    """Code, builds, requirements, and texts that a program may read."""
    assert not is_documentation(path)
