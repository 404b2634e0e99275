"""How a provider recalls, checked when it is made."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from ...errors import InvalidInput
from ...models.recall import RecallRequest
from ...models.scope import ReadScope


def recall_options(**options: Any) -> dict[str, Any]:
    """The options as fields of a `RecallRequest`. Errors: InvalidInput, naming the option."""
    given = {name: value for name, value in options.items() if value is not None}
    given["kinds"] = tuple(given["kinds"])
    try:
        request = RecallRequest(scope=ReadScope(actor_id="checked"), query="checked", **given)
    except ValidationError as error:
        first = error.errors()[0]
        raise InvalidInput(f"{first['msg']}.", field=".".join(str(step) for step in first["loc"])) from None
    return {name: getattr(request, name) for name in given}
