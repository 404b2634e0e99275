"""The one way to an OpenAI-compatible endpoint: how its client is opened, and what its errors become."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from graphmem.errors import ConfigurationError, ProviderError

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

    from graphmem.config import Settings

_PUBLIC_ENDPOINT = "https://api.openai.com/v1"
_REASONS = {
    401: "not_authenticated",
    402: "quota_exceeded",
    403: "not_authenticated",
    404: "unknown_model",
    408: "timeout",
    413: "too_large",
    429: "rate_limited",
}
_ADVICE = {
    "not_authenticated": "check {prefix}_API_KEY",
    "quota_exceeded": "the account has no credit left",
    "unknown_model": "check the model's name and {prefix}_BASE_URL",
    "rate_limited": "it was retried; try again later",
    "server_error": "it was retried; try again later",
}


def open_client(settings: Settings, *, base_url: str | None, timeout: float) -> AsyncOpenAI:
    """A client for `base_url`, else the public endpoint; `timeout` in seconds for one attempt.

    Attempts that end in 408, 409, 429 or a server error are repeated, as the answer's Retry-After says.
    Errors: ConfigurationError when neither a key nor an address is configured.
    """
    if settings.openai_api_key is None and base_url is None:
        raise ConfigurationError("No model endpoint is configured: set OPENAI_API_KEY or OPENAI_BASE_URL.")
    from openai import AsyncOpenAI

    # Servers on the own machine need no key, but the client insists on one.
    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else "none"
    return AsyncOpenAI(api_key=key, base_url=base_url or _PUBLIC_ENDPOINT, timeout=timeout, max_retries=3)


@contextmanager
def provider_errors(what: str, prefix: str = "OPENAI") -> Iterator[None]:
    """Turn errors of the client into ProviderError; `what` names the endpoint in the message, `prefix` its variables.

    The body of an answer is never part of the message, since it may repeat the text that was sent.
    """
    from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAIError

    try:
        yield
    except (APITimeoutError, TimeoutError) as error:
        raise ProviderError(f"{what} did not answer in time.", reason="timeout") from error
    except APIConnectionError as error:
        raise ProviderError(f"{what} cannot be reached.", reason="unreachable") from error
    except APIStatusError as error:
        raise _status_error(what, prefix, error) from error
    except (OpenAIError, ValueError) as error:  # ValueError: no JSON, or no data in it
        raise ProviderError(f"{what} gave an answer that cannot be read.", reason="bad_answer") from error


def reason_of_status(status: int) -> str:
    """The stable word for an HTTP status that is an error."""
    return _REASONS.get(status) or ("server_error" if status >= 500 else "bad_request")


def _status_error(what: str, prefix: str, error: APIStatusError) -> ProviderError:
    status, reason = error.status_code, reason_of_status(error.status_code)
    advice = f": {_ADVICE[reason].format(prefix=prefix)}" if reason in _ADVICE else ""
    return ProviderError(f"{what} answered {status} ({reason}){advice}.", reason=reason)
