"""The environment variables that graphmem reads."""

from __future__ import annotations

from pydantic import AliasChoices

from graphmem.config import Settings


def variables_by_field() -> dict[str, list[str]]:
    """Field of `Settings` to the variables that set it, the main one first."""
    found = {}
    for name, field in Settings.model_fields.items():
        alias = field.validation_alias
        choices = alias.choices if isinstance(alias, AliasChoices) else [f"GRAPHMEM_{name.upper()}"]
        found[name] = [str(choice) for choice in choices]
    return found


def variables_of_settings() -> set[str]:
    """Every variable that means something."""
    return {name for names in variables_by_field().values() for name in names}
