# ruff: noqa: E501  rows read better unbroken
"""KB174 ambiguous-build."""

from . import cases, fires, quiet, rows

HEAD = "# entries/components/it.yaml\nkind: engine\nreleases: [{version: 0.18.0, date: 2026-03-20}, {version: 0.19.0, date: 2026-04-20}]\nbuilds:\n"
DIGEST = "sha256:" + "0" * 64


def builds(*listed: str, head: str = HEAD) -> str:
    return head + "\n".join(f"  - {{{each}}}" for each in listed)


@cases(
    (builds("commit: abcdef1234, version: 0.18.0", "commit: abcdef1999, version: 0.19.0"), "begin alike"),
    (builds("commit: abcdef1, version: 0.18.0", "commit: abcdef1999, version: 0.18.0"), "begin alike"),
    (builds(f"image: '{DIGEST}', version: 0.18.0", f"image: '{DIGEST}', version: 0.19.0"), "begin alike"),
    (builds("commit: abcdef1234, version: 0.18.1"), "0.18.1 is no known release"),
    (builds("commit: abcdef1234, after: 0.18.0, before: 0.20.0"), "0.20.0 is no known release"),
)
def test_fires(fragment: str, says: str) -> None:
    """Seven digits in common, one digest twice, versions of no release."""
    fires("ambiguous-build", fragment, says)


@rows(
    builds("commit: abcdef1234, version: 0.18.0", "commit: abcdef2234, after: 0.18.0, before: 0.19.0"),
    builds(f"image: '{DIGEST}', version: 0.18.0", f"image: '{DIGEST[:-1]}1', version: 0.18.0"),
    builds("commit: abcdef1234, version: 0.18.0", f"image: '{DIGEST}', version: 0.18.0"),
    builds("commit: abcdef1234, version: '0.18'"),
    builds("commit: abcdef1234, version: 9.9.9", head="# entries/components/it.yaml\nkind: engine\nbuilds:\n"),
)
def test_is_quiet(fragment: str) -> None:
    """Names that tell them apart; a version in another spelling; a component without a list of releases."""
    quiet("ambiguous-build", fragment)
