"""entries/vocabulary.yaml: questions, dimensions, metrics and their definitions, terms in several languages."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from kb.model import Id, Model, Name, Names, SchemaVersion, Text
from kb.vocabulary import Better


class Wording(Model):
    """The same thing said in several languages; the first of each is the one shown."""

    en: Names = ()
    """English."""
    ja: Names = ()
    """Japanese."""
    pt: Names = ()
    """Portuguese."""

    def all(self) -> tuple[str, ...]:
        """Every wording."""
        return (*self.en, *self.ja, *self.pt)


class Question(Model):
    """What evaluations set out to answer; two results are rivals only on the same question."""

    id: Id
    """Name."""
    asks: Wording
    """The question."""
    goal: Name
    """Optimisation goal: what is to become better."""


class Dimension(Model):
    """Something a claim can rest on and a change can alter."""

    id: Id
    """Name."""
    means: Text
    """What belongs to it, and what does not."""
    titles: Wording
    """Names in several languages."""
    keys: Names = ()
    """Setup keys that belong to it (`decode.kv_layout`, `options.num_threads`): a default that changes is felt here."""
    formerly: Names = ()
    """Ids that it had, or was part of, before: a record that still says one is told what to say now."""


class Definition(Model):
    """What a tool measures under a label."""

    id: Name
    """Name, e.g. `vllm-bench.ttft`."""
    tool: Name
    """Tool that produces it."""
    says: Text
    """From which event to which, averaged how."""
    same_as: Name | None = None
    """Definition of another tool that is computed alike, whatever its label: values of the two can be compared."""


class Metric(Model):
    """A metric in canonical spelling."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    """Canonical spelling."""
    unit: Name
    """Canonical unit."""
    units: Names = ()
    """Further units a source may give it in."""
    better: Better
    """Which way is better."""
    titles: Wording
    """Names and aliases in several languages."""
    implies: Names = ()
    """Dimensions that a number of this metric rests on whether or not a claim says so."""
    definitions: tuple[Definition, ...] = ()
    """What tools measure under this label."""
    plausible: Annotated[tuple[float, ...], Field(min_length=2, max_length=2)] | None = None
    """Smallest and largest value in the canonical unit that a reviewer would believe."""


class Term(Model):
    """A word of the field with its aliases; search finds any by any."""

    id: Id
    """Name."""
    titles: Wording
    """Aliases in several languages."""
    facet: Name | None = None
    """Field it belongs to where it is a value of one (hardware, interconnect, topology...)."""


class ListEntry(Model):
    """One member of a closed list of kb/vocabulary.py and what it means."""

    id: Name
    """Member."""
    means: Text
    """Meaning."""


class Vocabulary(Model):
    """The words of a base."""

    schema_version: SchemaVersion = 1
    """Version of the record format."""
    questions: tuple[Question, ...] = ()
    """Questions."""
    dimensions: tuple[Dimension, ...] = ()
    """Dimensions."""
    metrics: tuple[Metric, ...] = ()
    """Metrics."""
    terms: tuple[Term, ...] = ()
    """Terms."""
    lists: dict[Name, tuple[ListEntry, ...]] = Field(default_factory=dict)
    """Meanings of the closed lists."""
