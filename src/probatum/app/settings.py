"""What the environment says: where proofs and keys are kept, whether colour and tracebacks are wanted.

The only module that reads environment variables. Refuses a relative XDG_DATA_HOME (its standard says to ignore it) and
a machine without a home folder when no store is named.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from probatum.core.errors import UsageError

STORE_FILE = "proofs.sqlite"


@dataclass(frozen=True, slots=True)
class Settings:
    """The environment's part of the configuration; a text is empty where the environment names nothing."""

    # Folder for data of all programs.
    data_home: str
    # Folder for what all programs can make again.
    cache_home: str
    cache: str
    store: str
    # Folder of keys.
    keys: str
    ledger: str
    # What callers of tools over HTTP have to show.
    mcp_token: str
    colour: bool
    # Colour is wanted also where there is no terminal.
    force_colour: bool
    # The terminal understands neither colour nor cursor movement.
    dumb_terminal: bool
    debug: bool
    # A shell asks what may follow.
    completes: bool
    # Spans of OpenTelemetry have somewhere to go.
    traces: bool

    def store_path(self, asked: Path | None = None) -> Path:
        """Return where proofs are kept: the asked place, the environment's, else the user's data folder.

        Raises UsageError where nothing names a place and the user has no home folder.
        """
        named = asked or self.store
        return Path(named) if named else self._data_folder() / "probatum" / STORE_FILE

    def cache_path(self, asked: Path | None = None) -> Path | None:
        """Return the folder of the cache: the asked one, the environment's, else the user's; None without a home."""
        named = asked or self.cache
        if named:
            return Path(named)
        if self.cache_home and Path(self.cache_home).is_absolute():
            return Path(self.cache_home) / "probatum"
        try:
            return Path.home() / ".cache" / "probatum"
        except RuntimeError:
            return None

    def recording_path(self, asked: Path | None = None) -> Path | None:
        """Return the ledger that verdicts are recorded in: the asked one, the environment's, else none."""
        named = asked or self.ledger
        return Path(named) if named else None

    def ledger_path(self, asked: Path | None = None) -> Path:
        """Return the ledger that a question is about; raises UsageError where nothing names one."""
        path = self.recording_path(asked)
        if path is None:
            hint = "Name it with --ledger FILE or PROBATUM_LEDGER."
            raise UsageError("ledger.none", "No ledger is named.", hint)
        return path

    def keys_path(self) -> Path:
        """Return where keys are kept: the environment's place, else the user's data folder; raises as `store_path`."""
        return Path(self.keys) if self.keys else self._data_folder() / "probatum" / "keys"

    def _data_folder(self) -> Path:
        if self.data_home and Path(self.data_home).is_absolute():
            return Path(self.data_home)
        try:
            return Path.home() / ".local" / "share"
        except RuntimeError:
            sentence = "There is no home folder to keep proofs and keys in."
            hint = "Name a place with --store DIR or PROBATUM_STORE, and one for keys with PROBATUM_KEYS."
            raise UsageError("store.no_home", sentence, hint) from None


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return what the environment says."""
    return Settings(
        data_home=environment.get("XDG_DATA_HOME", ""),
        cache_home=environment.get("XDG_CACHE_HOME", ""),
        cache=environment.get("PROBATUM_CACHE_DIR", ""),
        store=environment.get("PROBATUM_STORE", ""),
        keys=environment.get("PROBATUM_KEYS", ""),
        ledger=environment.get("PROBATUM_LEDGER", ""),
        mcp_token=environment.get("PROBATUM_MCP_TOKEN", ""),
        colour=not environment.get("NO_COLOR", ""),
        force_colour=environment.get("FORCE_COLOR", "") not in {"", "0"} and not environment.get("NO_COLOR", ""),
        dumb_terminal=environment.get("TERM", "") in {"dumb", "unknown"},
        debug=environment.get("PROBATUM_DEBUG", "") == "1",
        completes=bool(environment.get("_PROBATUM_COMPLETE")),
        traces=any(environment.get(f"OTEL_EXPORTER_OTLP_{each}ENDPOINT") for each in ("", "TRACES_")),
    )


def key_in(variable: str, environment: Mapping[str, str] = os.environ) -> str:
    """Return the key of a model that a variable holds; empty where it holds none."""
    return environment.get(variable, "").strip()


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
