"""Collects what a reader finds in one text, with places; secrets and addresses are turned away here."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kb.redact import is_secret, redacted
from kb.setups.reading import Fact, Found, Instance, NotRead, SideName, Suggestion
from kb.setups.source import Source

LISTENS = frozenset(
    {
        "host",
        "port",
        "uds",
        "root-path",
        "nccl-port",
        "dist-init-addr",
        "master-addr",
        "master-port",
        "kv-ip",
        "kv-port",
    }
    | {"data-parallel-address", "data-parallel-rpc-port", "disaggregation-bootstrap-port", "node-rank", "ssl-keyfile"}
)
"""Options that say where a server listens: no part of a setup, and nobody's business in a record."""

SWITCHES = frozenset({"side.prefix_caching", "side.chunked_prefill", "side.graphs"})

OPEN = re.compile(r"\$[A-Za-z_{(]|\{\{|<[A-Z][A-Z_ ]+>")
"""What a value still waits for: a variable, a command's output, a template's field."""


@dataclass
class Gathering:
    """Facts of one text while it is read."""

    source: Source
    facts: list[Fact] = field(default_factory=list)
    not_read: list[NotRead] = field(default_factory=list)
    suggestions: list[Suggestion] = field(default_factory=list)
    instances: list[Instance] = field(default_factory=list)
    may_transfer: bool = False
    """Whether the instance has a KV transfer configuration, or may have one in what could not be read."""
    whole: bool = True
    """Whether the text shows all that the server was started with."""

    def part(self) -> Gathering:
        """A gathering of an instance's own facts; what it could not read is said in common."""
        return Gathering(self.source, not_read=self.not_read, suggestions=self.suggestions)

    def fact(self, key: str, value: str, line: int, how: str) -> None:
        """A fact, unless its value is open, empty or a secret."""
        text = str(value).strip()
        if not text:
            return
        if key in SWITCHES:
            text = {"true": "on", "false": "off"}.get(text.lower(), text)
        if is_secret(key):
            self.skip(f"{how}", line, "a secret, left out")
        elif OPEN.search(text):
            self.skip(f"{how} {text}", line, "the value is filled in elsewhere")
        else:
            self.facts.append(Fact(key, redacted(text), self.source.place(line), how))

    def agreed(self, key: str, value: str, line: int, how: str) -> None:
        """A fact that another part of the text may state too; when the two differ neither is taken."""
        other = next((fact for fact in self.facts if fact.key == key and fact.value != value), None)
        if other is None:
            self.fact(key, value, line, how)
            return
        self.facts[:] = [fact for fact in self.facts if fact.key != key]
        self.skip(f"{other.how} {other.value}; {how} {value}", line, "they disagree; say which one ran")

    def option(self, name: str, value: str, line: int, how: str) -> None:
        """An option set explicitly, by its own name."""
        if name.replace("_", "-") in LISTENS:
            self.skip(how, line, "says where it listens, which is no part of a setup")
        else:
            self.fact(f"options.{name}", value, line, how)

    def skip(self, text: str, line: int, why: str) -> None:
        """Something that stands there and is not in the setup."""
        self.not_read.append(NotRead(redacted(text)[:300], self.source.place(line), why))

    def suggest(self, key: str, value: str, line: int, why: str) -> None:
        """Something likely that the text does not state."""
        self.suggestions.append(Suggestion(key, redacted(value), self.source.place(line), why))

    def instance(
        self, name: str, line: int, part: Gathering, side: SideName | None = None, sure: bool = False, why: str = ""
    ) -> None:
        """A server with its facts."""
        facts, place = tuple(part.facts), self.source.place(line)
        self.instances.append(Instance(name, place, facts, side, sure, why, "", part.may_transfer, part.whole))

    def found(self) -> Found:
        """What was found."""
        return Found(tuple(self.instances), tuple(self.facts), tuple(self.not_read), tuple(self.suggestions))


_P = re.compile(r"(?<![a-z])prefill", re.IGNORECASE)
_D = re.compile(r"(?<![a-z])decode(?!d)", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def side_in_name(name: str) -> SideName | None:
    """The side that a name speaks of, when it speaks of exactly one: a suggestion, never a fact."""
    words = _CAMEL.sub("-", name).replace("_", "-")
    prefill, decode = bool(_P.search(words)), bool(_D.search(words))
    if prefill == decode:
        return None
    return "prefill" if prefill else "decode"
