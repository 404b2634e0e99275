"""The errors a caller may handle.

    GraphMemError
    ├── InvalidInput            400  a value is not acceptable; `field` names it
    │   └── TooLarge            413  a value is over its stated limit
    ├── NotFound                404  no such record in this scope
    ├── AlreadyExists           409  a record of this identity is there
    ├── Conflict                409  the state of the record does not allow it
    ├── PreconditionFailed      412  If-Match names an older version
    ├── NotAuthenticated        401  no credential, or an unknown one
    ├── NotPermitted            403  the credential does not reach this scope
    ├── ConfigurationError      500  settings are missing or contradict each other
    │   └── EmbedderMismatch    409  vectors in the database come from another embedder
    ├── ProviderError           502  a model or embedding endpoint failed or answered badly
    ├── DatabaseError           503  the graph database failed
    │   ├── DatabaseUnavailable 503  it cannot be reached
    │   ├── SchemaTooNew        500  it was migrated by a newer release
    │   └── LocalServerError    500  the managed local Neo4j cannot be installed, started or stopped
    └── ServiceError            502  a graphmem service, asked over HTTP, failed
        ├── ServiceUnavailable  503  it cannot be reached, or has no time now
        │   └── ServiceTimeout  504  it did not answer in time
        └── UnexpectedAnswer    502  the answer is not one of graphmem: that of a proxy, or a part of one

Messages say what to do next and never hold memory text. Over HTTP the same errors are raised as in the library.
"""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """One value of a request that a service refused."""

    field: str
    message: str


class GraphMemError(Exception):
    """Base of every error of this package; `code` is stable, `status` is its HTTP status.

    The clients set `status` and `code` as they were answered, `request_id` where the answer has one, `faults` when
    values were refused, and `retry_after` (seconds) when the service says when to come back. `idempotency_key` is that
    of a write that may have been done: sent again with it, it is done once.
    """

    code: str = "INTERNAL"
    status: int = 500
    request_id: str | None = None
    faults: tuple[Fault, ...] = ()
    retry_after: float | None = None
    idempotency_key: str | None = None

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field


class InvalidInput(GraphMemError):
    """A value is not acceptable; `field` is its path in the request, such as `messages.0.content`."""

    code = "INVALID_INPUT"
    status = 400


class TooLarge(InvalidInput):
    """A value is over its stated limit."""

    code = "TOO_LARGE"
    status = 413


class NotFound(GraphMemError):
    """No such record in this scope; a record of another actor looks the same."""

    code = "NOT_FOUND"
    status = 404


class AlreadyExists(GraphMemError):
    """A record of this identity exists."""

    code = "ALREADY_EXISTS"
    status = 409


class Conflict(GraphMemError):
    """The record's state does not allow the change."""

    code = "CONFLICT"
    status = 409


class PreconditionFailed(GraphMemError):
    """`If-Match` names an older version of the record."""

    code = "PRECONDITION_FAILED"
    status = 412


class NotAuthenticated(GraphMemError):
    """The request has no credential, or one that is unknown or revoked."""

    code = "NOT_AUTHENTICATED"
    status = 401


class NotPermitted(GraphMemError):
    """The credential does not reach this store or actor."""

    code = "NOT_PERMITTED"
    status = 403


class ConfigurationError(GraphMemError):
    """Settings are missing or contradict each other."""

    code = "CONFIGURATION"


class EmbedderMismatch(ConfigurationError):
    """The vectors in the database come from another embedder than the one configured."""

    code = "EMBEDDER_MISMATCH"
    status = 409


class ProviderError(GraphMemError):
    """A model or embedding endpoint failed or answered badly; `reason` is a stable word for why."""

    code = "PROVIDER_FAILED"
    status = 502

    def __init__(self, message: str, *, reason: str = "failed", field: str | None = None) -> None:
        super().__init__(message, field=field)
        self.reason = reason


class DatabaseError(GraphMemError):
    """The graph database refused or failed a query."""

    code = "DATABASE_FAILED"
    status = 503


class DatabaseUnavailable(DatabaseError):
    """The graph database cannot be reached."""

    code = "DATABASE_UNAVAILABLE"


class SchemaTooNew(DatabaseError):
    """The database was migrated by a newer release of graphmem."""

    code = "SCHEMA_TOO_NEW"
    status = 500


class LocalServerError(DatabaseError):
    """The managed local Neo4j cannot be installed, started or stopped."""

    code = "LOCAL_SERVER"
    status = 500


class ServiceError(GraphMemError):
    """A graphmem service that was asked over HTTP failed."""

    code = "SERVICE_FAILED"
    status = 502


class ServiceUnavailable(ServiceError):
    """The service cannot be reached, or it or a proxy before it says that it has no time now."""

    code = "SERVICE_UNAVAILABLE"
    status = 503


class ServiceTimeout(ServiceUnavailable):
    """The service did not answer within the client's time limits."""

    code = "SERVICE_TIMEOUT"
    status = 504


class UnexpectedAnswer(ServiceError):
    """What came back is not an answer of graphmem: a page of a proxy, a redirect, or a part of an answer."""

    code = "UNEXPECTED_ANSWER"
