"""The filter of a recall: conditions on what is stored of a memory, joined by `and`, `or` and `not`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    Tag,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_serializer,
    field_validator,
)
from pydantic_core import CoreSchema

from .base import MAX_NAME, Model, Name, Unit
from .fact import Approval, LearningState, Status
from .fact import Layer as Layer_
from .times import ValidTime, ValidTimeIn

MAX_DEPTH = 8
"""Levels of a filter; a single condition is one."""
MAX_CONDITIONS = 50
"""Conditions in one filter."""
MAX_VALUES = 100
"""Values of one `in`."""

FilterField = Literal[
    "kind",
    "category",
    "layer",
    "tags",
    "status",
    "learning_state",
    "approval",
    "pinned",
    "disputed",
    "importance",
    "confidence",
    "predicate",
    "entity",
    "subject",
    "object",
    "source_id",
    "source_type",
    "session_id",
    "valid_at",
    "invalid_at",
    "occurred_at",
    "created_at",
    "updated_at",
]
FilterOp = Literal["eq", "ne", "in", "contains", "lt", "lte", "gt", "gte", "exists"]
FilterValue: TypeAlias = str | bool | float | ValidTime | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Type:
    """What one kind of field is compared with, and how."""

    one: TypeAdapter[Any]
    """Reads a single value."""
    says: str
    """What a value must be, as a refusal says it."""
    ops: tuple[FilterOp, ...]


_NAMED: tuple[FilterOp, ...] = ("eq", "ne", "in", "exists")
_ORDERED: tuple[FilterOp, ...] = ("eq", "ne", "lt", "lte", "gt", "gte", "exists")
_NAME = _Type(TypeAdapter(Name), f"a text of 1 to {MAX_NAME} characters", _NAMED)
_UNIT = _Type(TypeAdapter(Unit), "a number from 0 to 1", _ORDERED)
_TIME = _Type(TypeAdapter(ValidTimeIn), "a year, a month, a date or an RFC 3339 time", _ORDERED)
_FLAG = _Type(TypeAdapter(bool), "true or false", ("eq", "ne"))


def _choice(options: Any) -> _Type:
    return _Type(TypeAdapter(options), f"one of {', '.join(get_args(options))}", _NAMED)


_TYPES: dict[FilterField, _Type] = {
    "kind": _choice(Literal["fact", "note", "episode"]),
    "layer": _choice(Layer_),
    "status": _choice(Status),
    "learning_state": _choice(LearningState),
    "approval": _choice(Approval),
    "tags": _Type(_NAME.one, _NAME.says, ("contains", "in", "exists")),
    **dict.fromkeys(("pinned", "disputed"), _FLAG),
    **dict.fromkeys(("importance", "confidence"), _UNIT),
    **dict.fromkeys(("category", "predicate", "entity", "subject", "object"), _NAME),
    **dict.fromkeys(("source_id", "source_type", "session_id"), _NAME),
    **dict.fromkeys(("valid_at", "invalid_at", "occurred_at", "created_at", "updated_at"), _TIME),
}
_DESCRIPTIONS = {
    "eq": "The same; of a year, month or date: within it. Of several values (sources, entities) one is enough.",
    "ne": "Not the same, or not there.",
    "in": "One of these.",
    "contains": "Has this tag.",
    "lt": "Less, or before it begins: a year, month or date stands for all of it.",
    "lte": "Not more, or before it ends.",
    "gt": "More, or after its end.",
    "gte": "Not less, or not before it begins.",
    "exists": "Whether there is any value.",
}


class FilterCondition(Model):
    """One field compared with a value; what a memory does not have fulfils only `ne` and `exists: false`."""

    field: FilterField
    op: FilterOp
    value: FilterValue = Field(description="Of the field's type; a list with `in`, true or false with `exists`.")

    @field_validator("op")
    @classmethod
    def _suits(cls, op: FilterOp, info: ValidationInfo) -> FilterOp:
        """Errors: ValueError for an operator that the field does not have."""
        of = _TYPES.get(info.data.get("field", ""))
        if of is not None and op not in of.ops:
            raise ValueError(f"must be one of {', '.join(of.ops)} for {info.data['field']}")
        return op

    @field_validator("value", mode="plain")
    @classmethod
    def _typed(cls, value: Any, info: ValidationInfo) -> Any:
        """The value by the field's type. Errors: ValueError."""
        of, op = _TYPES.get(info.data.get("field", "")), info.data.get("op")
        if of is None or op is None:
            return ""  # the error names the field or the operator
        if op == "exists":
            return _read(_FLAG.one, value, _FLAG.says)
        if op != "in":
            return _read(of.one, value, of.says)
        if not isinstance(value, list | tuple) or not 1 <= len(value) <= MAX_VALUES:
            raise ValueError(f"must be a list of 1 to {MAX_VALUES} values")
        return tuple(str(_read(of.one, each, f"a list; each item {of.says}")) for each in value)

    @field_serializer("value")
    def _written(self, value: FilterValue) -> Any:
        """As it may be given again."""
        return value.written if isinstance(value, ValidTime) else value

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """One alternative for each type of field and form of value."""
        return {"type": "object", "description": cls.__doc__, "oneOf": list(_alternatives(handler))}


def _read(kind: TypeAdapter[Any], value: Any, says: str) -> Any:
    try:
        return kind.validate_python(value, strict=True)
    except ValidationError:
        raise ValueError(f"must be {says}") from None


def _alternatives(handler: GetJsonSchemaHandler) -> Iterable[dict[str, Any]]:
    for of in dict.fromkeys(_TYPES.values()):
        fields = [name for name, kind in _TYPES.items() if kind is of]
        one = handler(of.one.core_schema)
        many = {"type": "array", "items": one, "minItems": 1, "maxItems": MAX_VALUES}
        alone = [op for op in of.ops if op not in ("in", "exists")]
        yield _alternative(fields, alone, one)
        if "in" in of.ops:
            yield _alternative(fields, ["in"], many)
    yield _alternative([name for name, of in _TYPES.items() if "exists" in of.ops], ["exists"], {"type": "boolean"})


def _alternative(fields: list[Any], ops: list[Any], value: dict[str, Any]) -> dict[str, Any]:
    said = " ".join(f"`{op}`: {_DESCRIPTIONS[op]}" for op in ops)
    return {
        "type": "object",
        "properties": {"field": {"enum": fields}, "op": {"enum": ops, "description": said}, "value": value},
        "required": ["field", "op", "value"],
        "additionalProperties": False,
    }


class _Joined(Model):
    model_config = ConfigDict(serialize_by_alias=True)


_LIST = BeforeValidator(lambda value: tuple(value) if isinstance(value, list) else value)


class FilterAnd(_Joined):
    """All of these hold."""

    all_of: Annotated[tuple[_Filter, ...], Field(alias="and", min_length=1, max_length=MAX_CONDITIONS), _LIST]


class FilterOr(_Joined):
    """One of these holds, or several."""

    any_of: Annotated[tuple[_Filter, ...], Field(alias="or", min_length=1, max_length=MAX_CONDITIONS), _LIST]


class FilterNot(_Joined):
    """This does not hold."""

    none_of: Annotated[_Filter, Field(alias="not")]


def _form(value: Any) -> str:
    """Which form a part of a filter has, by its key."""
    if isinstance(value, dict):
        return next((f"is_{key}" for key in ("and", "or", "not") if key in value), "condition")
    forms: dict[type, str] = {FilterAnd: "is_and", FilterOr: "is_or", FilterNot: "is_not"}
    return forms.get(type(value), "condition")


_Filter = Annotated[
    Annotated[FilterAnd, Tag("is_and")]
    | Annotated[FilterOr, Tag("is_or")]
    | Annotated[FilterNot, Tag("is_not")]
    | Annotated[FilterCondition, Tag("condition")],
    Discriminator(_form),
]


def _limited(value: Any) -> Any:
    """The filter as it is. Errors: ValueError when it is too deep or too long."""
    left, conditions = [(value, 1)], 0
    while left:
        part, depth = left.pop()
        if depth > MAX_DEPTH:
            raise ValueError(f"must be at most {MAX_DEPTH} levels deep")
        inner = _inside(part)
        conditions += not inner
        if conditions + len(left) > MAX_CONDITIONS:
            raise ValueError(f"must have at most {MAX_CONDITIONS} conditions")
        left += [(each, depth + 1) for each in inner]
    return value


def _inside(part: Any) -> tuple[Any, ...]:
    if isinstance(part, dict):
        found = part.get("and", part.get("or", [part["not"]] if "not" in part else []))
        return tuple(found) if isinstance(found, list | tuple) else ()
    if isinstance(part, FilterAnd):
        return part.all_of
    if isinstance(part, FilterOr):
        return part.any_of
    return (part.none_of,) if isinstance(part, FilterNot) else ()


Filter = Annotated[
    _Filter,
    BeforeValidator(_limited),
    Field(description=f"At most {MAX_DEPTH} levels deep, with at most {MAX_CONDITIONS} conditions."),
]
"""A condition, or `{"and": [...]}`, `{"or": [...]}`, `{"not": {...}}` of such."""

for _model in (FilterAnd, FilterOr, FilterNot):
    _model.model_rebuild()
