"""kb.scan.foreign: environment variables that code in other languages reads."""

from __future__ import annotations

import pytest

from kb.scan.foreign import variables
from kb.scan.gather import changed, facts
from tests.scan.trees import of


@pytest.mark.parametrize(
    ("path", "line", "names"),
    [
        ("a.cpp", 'const char *x = getenv("NIXL_NUM");', "NIXL_NUM"),
        ("a.cc", 'auto x = std::getenv( "A" ), y = secure_getenv("B");', "A B"),
        ("a.h", 'if (getenv("A")) // getenv("B")', "A"),
        ("a.cu", '/* getenv("A") */ getenv("B")', "B"),
        ("a.c", 'log("https://x"); getenv("A");', "A"),
        ("a.c", "getenv(name);", ""),
        ("a.c", 'my_getenv_of("A"); setenv("B", "1", 0);', ""),
        ("a.rs", 'let x = std::env::var("A").unwrap_or("1".into()); env::var_os("B");', "A B"),
        ("a.rs", "fn f<'a>(x: &'a str) { env::var(\"A\") }", "A"),
        ("a.rs", 'env!("A"); env::set_var("B", "1");', ""),
        ("a.go", 'os.Getenv("A"); os.LookupEnv("B"); os.Setenv("C", "1")', "A B"),
        ("a.ts", "process.env.A ?? process.env['B']", "A B"),
        ("a.py", 'getenv("A")', ""),
        ("a.txt", 'getenv("A")', ""),
        ("a.cpp", "", ""),
    ],
)
def test_variables(path: str, line: str, names: str) -> None:
    """Reads by literal name; comments, writes, computed names and other files are none."""
    assert [each.name for each in variables(path, line)] == names.split()


def test_lines() -> None:
    """A comment over several lines leaves the count alone; no default is claimed."""
    (only,) = variables("a.cpp", '/* one\n two */\n\ngetenv("A");\n')
    assert (only.line, only.value) == (4, "unknown")


def test_they_are_facts_of_a_release() -> None:
    """They come and go between releases as those of Python do; a mere change of place is none."""
    old, new = (
        of({"src/a.cpp": 'getenv("A"); getenv("B");'}),
        of({"src/b.rs": 'env::var("C")', "src/a.h": 'getenv("A")'}),
    )
    assert [each.name for each in facts(old, ["src/**"])] == ["A", "B"]
    assert [(each.name, each.status.value) for each in changed(old, new, ["src/**"])] == [
        ("B", "removed"),
        ("C", "added"),
    ]
    assert changed(old, old, ["src/**"]) == ()
    assert facts(old, ["other/**"]) == ()


@pytest.mark.parametrize("odd", ["\f", "\u2028", "\x1c", "\x85"])
def test_lines_are_those_of_the_file(odd: str) -> None:
    """What ends a line for `str.splitlines` alone shifts none."""
    assert [each.line for each in variables("a.c", f'log("{odd}");\ngetenv("A");')] == [2]
