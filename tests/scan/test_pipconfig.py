"""What pip on this machine is configured with."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.errors import KbError
from kb.scan import pipconfig

needs_pip = pytest.mark.skipif(pipconfig._pip("--version") is None, reason="no pip on this machine")


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Ask anew in each test, with no configuration but the test's own."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("HOME", str(tmp_path))
    pipconfig.settings.cache_clear()
    yield
    pipconfig.settings.cache_clear()


def test_strongest_wins() -> None:
    """Environment before command before general, as pip has it."""
    told = pipconfig.parsed(
        "global.index-url='http://general.example/simple'\n"
        "download.index-url='http://download.example/simple'\n"
        "install.timeout='3'\n"
        "freeze.timeout='9'\n"
        ":env:.find-links='/a /b'\n"
        "global.find-links='/c'\n"
        """global.cert="/it's/here"\n"""
    )
    assert told == {
        "index-url": "http://download.example/simple",
        "timeout": "3",
        "find-links": "/a /b",
        "cert": "/it's/here",
    }


@needs_pip
def test_pip_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Configuration files and variables that pip reads count."""
    (tmp_path / "pip.conf").write_text(
        "[global]\nindex-url = http://one.example/simple\nextra-index-url =\n    http://two.example/simple\n    http://three.example/simple\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    monkeypatch.setenv("PIP_FIND_LINKS", "/links")
    monkeypatch.setenv("PIP_TIMEOUT", "7")
    found = pipconfig.settings()
    assert found.indexes == ("http://one.example/simple", "http://two.example/simple", "http://three.example/simple")
    assert (found.links, found.timeout) == (("/links",), 7)


@needs_pip
def test_nothing_configured() -> None:
    """Told nothing, pip says itself which index it uses."""
    assert [address.partition(":")[0] for address in pipconfig.settings().indexes] == ["https"]


@needs_pip
def test_no_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """With `no-index` only folders and pages with files are looked in."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "http://two.example/simple")
    monkeypatch.setenv("PIP_FIND_LINKS", "/links")
    found = pipconfig.settings()
    assert (found.indexes, found.links) == ((), ("/links",))


def test_environment_without_pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In an environment without pip the one on the path is asked; it is not run from the folder one stands in."""
    program = tmp_path / "bin" / "pip"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho \"global.index-url='http://path.example/simple'\"\n")
    program.chmod(0o755)
    monkeypatch.setattr("sys.executable", "/bin/false")
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    assert pipconfig.settings().indexes == ("http://path.example/simple",)


def test_no_pip_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any pip its variables still count; without those one sentence says what to do."""
    monkeypatch.setattr("sys.executable", "/bin/false")
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(KbError, match="no package index is configured") as error:
        pipconfig.settings()
    assert "PIP_INDEX_URL" in str(error.value.hint)
    monkeypatch.setenv("PIP_INDEX_URL", "http://said.example/simple")
    assert pipconfig.settings().indexes == ("http://said.example/simple",)


def test_folder_named_pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder named pip where a person stands is not run."""
    (tmp_path / "pip").mkdir()
    (tmp_path / "pip" / "__main__.py").write_text("print(\"global.index-url='http://evil.example/simple'\")")
    monkeypatch.chdir(tmp_path)
    assert not any("evil" in address for address in pipconfig.settings().indexes)
