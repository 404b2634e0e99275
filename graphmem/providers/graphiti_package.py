"""The one way to graphiti-core: without telemetry, without a `.env` file of its own, without texts in its log."""

from __future__ import annotations

import logging
import warnings

from graphmem.config import quiet_graphiti
from graphmem.errors import ConfigurationError

_LOGGERS = ("graphiti_core.llm_client", "graphiti_core.embedder", "graphiti_core.cross_encoder")


def load_graphiti() -> None:
    """Import the package. Errors: ConfigurationError when it is not installed."""
    try:
        with quiet_graphiti(), warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of the package's own making
            import graphiti_core  # noqa: F401
    except ImportError as error:
        raise ConfigurationError("graphiti-core is not installed: pip install 'graphmem[graphiti]'.") from error
    for name in _LOGGERS:  # they log answers and errors that repeat the text
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
