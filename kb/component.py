"""A component: a thing that changes under us, its names, its releases and what each release reads and requires."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from kb.conditions import Conditions, Refusal
from kb.model import Model, Name, Names, PartialDate, RecordModel, Scalar, Text, Url
from kb.once import once
from kb.versions import RangeText, VersionText, contains, parse
from kb.vocabulary import ComponentKind, TransferMode


class ClassName(Model):
    """A class by which the component is configured."""

    name: Name
    """Name as configured."""
    mode: TransferMode | None = None
    """Who moves the KV under this name."""
    versions: RangeText = "*"
    """Releases in which the name can be configured."""
    alias_of: Name | None = None
    """The class that it really is."""


class SourcePath(Model):
    """Where the component's code is, through its moves."""

    glob: Name
    """Path pattern in the distribution's source."""
    versions: RangeText = "*"
    """Releases in which it is there."""
    neighbour: bool = False
    """Not its own code, but code whose change matters to it (cache layout, scheduler, requirement files)."""


class Release(Model):
    """One release of the distribution."""

    version: VersionText
    """Version on the package index."""
    date: PartialDate | None = None
    """Day it was uploaded."""
    yanked: bool = False
    """Withdrawn from the index."""


class Build(Model):
    """A commit or an image, and where it lies among the releases."""

    commit: Annotated[str, Field(pattern=r"^[0-9a-f]{7,40}$")] | None = None
    """Commit of the repository, 7 to 40 hex digits."""
    image: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")] | None = None
    """Digest of a container image; a tag may move and names none."""
    version: VersionText | None = None
    """The release that it is, or that the image holds; or else `after` and `before`."""
    after: VersionText | None = None
    """Release on whose way it came after..."""
    before: VersionText | None = None
    """...and the one that it came before."""
    order: Annotated[int, Field(ge=1)] | None = None
    """Number of commits up to it on the main line (`git rev-list --count`), by which two are compared."""
    read_in: Name | None = None
    """How it is known: the clone's tags, what was found in the image."""

    @model_validator(mode="after")
    def _placed(self) -> Self:
        if (self.commit is None) == (self.image is None):
            raise ValueError("a build is a commit or an image, and one of the two")
        if self.order is not None and self.commit is None:
            raise ValueError("order counts commits; an image has none")
        if (self.version is None) == (self.after is None or self.before is None):
            raise ValueError("a build is a version, or lies after one release and before another")
        if self.version is not None and (self.after or self.before):
            raise ValueError("a build that is a version does not lie between two")
        if self.version is not None and parse(self.version) is None:
            raise ValueError("a build of which nothing is known is left out")
        if self.version is None:
            after, before = parse(self.after or ""), parse(self.before or "")
            if after is None or before is None or after >= before:
                raise ValueError(f"before {self.before} is not after {self.after}")
        return self


class Facts(Model):
    """What is so over a range of releases, read in their artifacts."""

    versions: RangeText
    """Releases for which it was established."""
    when: Conditions = ()
    """What else must be so: a default may depend on the model family, an argument on the backend."""
    requires: dict[Name, Scalar] = Field(default_factory=dict)
    """Requirement pins: distribution -> range, as declared (extras and requirement files included)."""
    wire_version: Scalar | None = None
    """Protocol or connector version constant compared at handshake."""
    options: dict[Name, Scalar] = Field(default_factory=dict)
    """Options read and their defaults (`required` where there is none, `unknown` where it was not established)."""
    env: dict[Name, Scalar] = Field(default_factory=dict)
    """Environment variables read and their defaults."""
    defaults: dict[Name, Scalar] = Field(default_factory=dict)
    """Setup keys and the value in force when nothing is set."""
    passes: dict[Name, Scalar] = Field(default_factory=dict)
    """Arguments it passes to what it calls (`caller.NAME` of a guard): name -> value, `not-set` when it does not."""
    refuses: tuple[Refusal, ...] = ()
    """Combinations refused at start or first contact."""
    read_in: Name | None = None
    """Where it was read: file in the artifact, or page."""


class Coverage(Model):
    """A dated statement that all changes between two releases have been looked at."""

    since: VersionText
    """Release it starts after."""
    until: VersionText
    """Release it reaches, included."""
    date: PartialDate
    """Day of the statement."""
    by: Literal["scan", "person"]
    """Who looked."""
    because: Text
    """How it was looked at."""
    open: Names = ()
    """What differs there and stands in no table of symbols and no fact: pins, options, files of other languages."""


class Component(RecordModel):
    """A thing that changes under us."""

    kind: ComponentKind
    """connector, transfer-library, engine, router, stack, cache or client."""
    summary: Text | None = None
    """What it is, in a sentence."""
    ships_in: Name | None = None
    """Distribution whose versions it ships in (`vllm`); its own name for a distribution of its own."""
    also_ships_in: Names = ()
    """Further distributions that carry the same code (`nixl-cu12`)."""
    repository: Url | None = None
    """Where its source lives."""
    classes: tuple[ClassName, ...] = ()
    """Classes by which it is configured."""
    paths: tuple[SourcePath, ...] = ()
    """Where its code is."""
    releases: tuple[Release, ...] = ()
    """Releases of its own distribution; a component that ships in another's has none of its own."""
    builds: tuple[Build, ...] = ()
    """Commits and images of which it is known which release they are, or between which they lie."""
    facts: tuple[Facts, ...] = ()
    """What releases read, require and refuse."""
    coverage: tuple[Coverage, ...] = ()
    """Intervals whose changes have all been looked at."""

    def names(self) -> frozenset[str]:
        """Every name it is found by: id, aliases, classes."""
        return frozenset((self.id, *self.aliases, *(each.name for each in self.classes)))

    @cached_property
    def refuses(self) -> bool:
        """Whether any of its releases refuses a combination."""
        return any(fact.refuses for fact in self.facts)

    @once
    def facts_at(self, version: str) -> tuple[Facts, ...]:
        """Facts established for a release."""
        return tuple(fact for fact in self.facts if contains(fact.versions, version))

    @once
    def required_at(self, version: str) -> tuple[Mapping[str, str], tuple[Facts, ...]]:
        """What a release requires in every setup (distribution, with its extra in brackets -> range), and the facts
        that say what it requires under a condition."""
        facts = [fact for fact in self.facts_at(version) if fact.requires]
        plain = {str(name): str(span) for fact in facts if not fact.when for name, span in fact.requires.items()}
        return plain, tuple(fact for fact in facts if fact.when)

    def newest(self) -> Release | None:
        """The newest release that is no pre-release and was not withdrawn."""
        final = [(parsed, each) for each in self.releases if (parsed := parse(each.version)) and not each.yanked]
        stable = [pair for pair in final if not pair[0].is_prerelease]
        return max(stable, key=lambda pair: pair[0])[1] if stable else None
