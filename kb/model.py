"""What all records share: frozen, unknown fields refused, every field documented under itself."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    GetJsonSchemaHandler,
    ModelWrapValidatorHandler,
    StringConstraints,
    ValidationInfo,
    model_validator,
)
from pydantic_core import CoreSchema

from kb.alike import Alike
from kb.docstrings import descriptions

Unknown = Literal["unknown"]
"""`unknown` as a value beside a typed one."""


class Model(BaseModel):
    """Base of everything a record is made of."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        str_strip_whitespace=True,
        ser_json_inf_nan="constants",
    )

    def __copy__(self) -> Self:
        """Without what was worked out of it and kept (cached properties): a copy is made to be changed."""
        copied = super().__copy__()
        copied.forget()
        return copied

    def forget(self) -> None:
        """Drop what was worked out of it and kept; whoever asks again has it worked out again."""
        for name in self.__dict__.keys() - type(self).model_fields.keys():
            del self.__dict__[name]

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        made = handler(core_schema)
        properties = handler.resolve_ref_schema(made).get("properties", {})
        for name, text in descriptions(cls).items():
            properties[name]["description"] = text
        return made

    def stored(self) -> dict[str, Any]:
        """The value as JSON types, without what was left out."""
        return self.model_dump(mode="json", exclude_none=True, exclude_unset=True, by_alias=True)

    def stored_json(self) -> str:
        """The same as JSON, in a third of the time that the way over dictionaries takes."""
        return self.model_dump_json(exclude_none=True, exclude_unset=True, by_alias=True)


Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.\-]*$", max_length=80)]
"""A stable name: lower-case letters, digits, dots and hyphens."""

Text = Annotated[str, StringConstraints(min_length=1, max_length=4000)]
"""A sentence or a short paragraph."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=300)]
"""A name as its owner writes it."""


def _http(url: str) -> str:
    if url != "unknown" and not url.startswith(("https://", "http://")):
        raise ValueError("not a web address (http:// or https://)")
    return url


Url = Annotated[str, AfterValidator(_http)]
"""A web address, or `unknown`."""

SCHEMA_VERSION = 1
"""The version of the record format that this program reads and writes; older ones are upgraded (kb/upgrade.py)."""


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isdigit() else value


SchemaVersion = Annotated[Literal[1], BeforeValidator(_whole, json_schema_input_type=Literal[1])]


def _partial(value: object) -> object:
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, int) else value


_Day = Annotated[str, StringConstraints(pattern=r"^([0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?|unknown)$")]
PartialDate = Annotated[_Day, BeforeValidator(_partial, json_schema_input_type=_Day | int)]
"""A day, month or year as far as the source states it (2026, 2026-10, 2026-10-19), or `unknown`."""


class Allowed(Model):
    """A check that this record is excused from, with the reason."""

    check: Name
    """Name or code of the check, e.g. `only-one-latency` (see `kb lint`, `kb explain CODE`)."""
    because: Text
    """Why the finding does not apply here."""


class Part(Model):
    """A value of which a large base has many: those that are read together share what they have alike."""

    ALONE: ClassVar[bool] = False
    """Whether hardly two of them are alike, so that looking for an equal one is in vain."""

    @model_validator(mode="wrap")
    @classmethod
    def _shared(cls, given: Any, make: ModelWrapValidatorHandler[Self], info: ValidationInfo) -> Self:
        alike: Alike | None = info.context
        if alike is None:
            return make(given)
        return alike.alone(given, make) if cls.ALONE else alike.part(cls, given, make)


class RecordModel(Part):
    """The keys every record begins with."""

    ALONE = True

    schema_version: SchemaVersion = 1
    """Version of the record format; older records are upgraded when they are read."""
    id: Id
    """Stable name of the record, equal to its file name."""
    title: Name
    """One line that tells this record from its neighbours."""
    aliases: tuple[Name, ...] = ()
    """Other names it is found by; an old id stays here after a rename."""
    tags: tuple[Name, ...] = ()
    """Free words to find it by; facets come from typed fields, not from here."""
    allow: tuple[Allowed, ...] = ()
    """Checks this record is excused from, each with its reason."""


def tuple_of_one(value: Any) -> Any:
    """A single value where a list is expected is a list of one."""
    if value is None or isinstance(value, list | tuple):
        return value
    return (value,)


def text_of(value: Any) -> Any:
    """A number or a switch as the text that it is in a record; editors and callers type them."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else value


Scalar = Annotated[Name, BeforeValidator(text_of, json_schema_input_type=str | float | bool)]
"""A value in its owner's spelling; a number or a switch is kept as text."""

Scalars = Annotated[
    tuple[Scalar, ...],
    BeforeValidator(tuple_of_one, json_schema_input_type=str | float | bool | list[str | float | bool]),
]
"""A list of values; one alone may be written without brackets."""

Names = Annotated[tuple[Name, ...], BeforeValidator(tuple_of_one, json_schema_input_type=str | list[str])]
"""A list of names; one alone may be written without brackets."""
