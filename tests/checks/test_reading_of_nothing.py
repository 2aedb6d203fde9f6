# ruff: noqa: E501  rows read better unbroken
"""KB195 reading-of-nothing."""

import re

import pytest

from kb.reading import Unreadable

from . import cases, fires, quiet, record, rows

READS = "vllm-nixl-pull:NixlPullConnectorWorker._read_blocks"


def read(since: str, until: str, *symbols: str, claim: str = "a") -> str:
    named = ", ".join(f"'{each}'" for each in symbols or (READS,))
    return (
        "claims: [{id: a, kind: mechanism, says: It reads.}]\n"
        f"impacts: [{{symbols: [{named}], since: '{since}', until: '{until}', claim: {claim}, status: affected, because: b, date: 2026-11-30}}]"
    )


@cases(
    (read("0.26.0", "0.29.0"), "it differs in 0.26.0"),
    (read("0.20.0", "0.24.0"), "the same NixlPullConnectorWorker._read_blocks in 0.20.0 and 0.24.0"),
    (read("0.24.0", "0.26.0", READS, "vllm-nixl-pull:NixlBaseConnectorWorker"), "NixlBaseConnectorWorker in 0.24.0"),
    (read("0.25.0", "0.26.0"), "0.25.0 of vllm-nixl-pull was not scanned"),
    (read("0.24.0", "0.30.0"), "scanned are 0.20.0, 0.24.0, 0.26.0, 0.29.0"),
)
def test_fires(fragment: str, says: str) -> None:
    """Where it is the same, or where nobody scanned."""
    fires("reading-of-nothing", fragment, says)


@rows(
    read("0.24.0", "0.26.0"),
    read("0.20.0", "0.29.0"),
    read("0.20.0", "0.29.0", "vllm-nixl-pull:NixlConnectorWorker._read_blocks"),
    read("0.24.0", "0.26.0", "vllm-nixl-pull:NixlPullConnectorWorker"),
    read("0.20.0", "0.24.0", "vllm-nixl-pull:NixlConnectorWorker.old_only"),
    read("0.20.0", "0.24.0", "vllm-nixl-pull:NixlBaseConnectorWorker"),
    read("1.2.0", "1.3.1", "nixl:nixlAgent.postXferReq"),
    read("0.24.0", "0.26.0", "vllm-nixl-push:Anything"),
    read("0.24.0", "0.26.0", "vllm-nixl-pull:No.such"),
    "impacts: [{change: taken-change, claim: a, status: affected, because: b, date: 2026-10-19}]",
)
def test_is_quiet(fragment: str) -> None:
    """Changed, renamed and changed, gone or come in between; other languages, no table, and what another check says."""
    quiet("reading-of-nothing", fragment)


@cases(
    (read("0.24.0", "0.26.0", "vllm-nixl-pull:NixlPullConnectorWorker._reed_blocks"), "_read_blocks"),
)
def test_misspelt_code(fragment: str, says: str) -> None:
    """A name that no release has is an error of its own."""
    fires("no-such-symbol", fragment, says)


@cases((read("0.24.0", "0.26.0", claim="b"), 'no claim "b"'))
def test_unknown_claim(fragment: str, says: str) -> None:
    """A statement names a claim of its own record."""
    fires("unknown-part", fragment, says)


@cases((read("0.24.0", "0.26.0", "vllm-nixl-pul:NixlPullConnectorWorker"), "vllm-nixl-pull"))
def test_unknown_component(fragment: str, says: str) -> None:
    """Its component has a record."""
    fires("unknown-record", fragment, says)


@pytest.mark.parametrize(
    ("impact", "says"),
    [
        ("symbols: ['vllm:f'], since: 0.26.0, until: 0.24.0", "until 0.24.0 is not after since 0.26.0"),
        ("symbols: ['vllm:f'], since: 0.26.0, until: 0.26", "until 0.26 is not after since 0.26.0"),
        ("symbols: ['vllm:f'], since: 0.26.0", "write since and until"),
        ("symbols: ['vllm:f'], since: unknown, until: 0.26.0", "write since and until"),
        ("change: c, symbols: ['vllm:f'], since: 0.24.0, until: 0.26.0", "one of the two"),
        ("since: 0.24.0, until: 0.26.0", "a change or about symbols"),
        ("change: c, since: 0.24.0", "belong to symbols"),
        ("symbols: [read it], since: 0.24.0, until: 0.26.0", "impacts"),
    ],
)
def test_what_cannot_be_meant(impact: str, says: str) -> None:
    """Refused when it is read, with the line."""
    fragment = f"impacts:\n  - {{{impact}, claim: a, status: affected, because: b, date: 2026-11-30}}"
    with pytest.raises(Unreadable, match=re.escape(says)) as refused:
        record(fragment)
    assert [each.code for each in refused.value.findings] == ["KB102"]
