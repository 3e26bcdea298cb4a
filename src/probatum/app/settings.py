"""What the environment says: where proofs are kept, whether colour is welcome, whether a maintainer wants tracebacks.

The only module that reads environment variables. Refuses a relative XDG_DATA_HOME (its standard says to ignore it) and
a machine without a home folder when no store is named.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from probatum.core.errors import UsageError

STORE_FILE = "proofs.sqlite"


@dataclass(frozen=True, slots=True)
class Settings:
    """The environment's part of the configuration."""

    data_home: str
    """Folder for data of all programs; empty where the environment does not name one."""
    store: str
    """Store named by the environment; empty where it names none."""
    colour: bool
    dumb_terminal: bool
    """The terminal understands neither colour nor cursor movement."""
    debug: bool

    def store_path(self, asked: Path | None = None) -> Path:
        """Return where proofs are kept: the asked place, the environment's, else the user's data folder.

        Raises:
            UsageError: nothing names a place and the user has no home folder.
        """
        if asked is not None:
            return asked
        if self.store:
            return Path(self.store)
        return self._data_folder() / "probatum" / STORE_FILE

    def _data_folder(self) -> Path:
        if self.data_home and Path(self.data_home).is_absolute():
            return Path(self.data_home)
        try:
            return Path.home() / ".local" / "share"
        except RuntimeError:
            sentence = "There is no home folder to keep proofs in."
            raise UsageError("store.no_home", sentence, "Name a place with --store DIR or PROBATUM_STORE.") from None


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return what the environment says."""
    return Settings(
        data_home=environment.get("XDG_DATA_HOME", ""),
        store=environment.get("PROBATUM_STORE", ""),
        colour=not environment.get("NO_COLOR", ""),
        dumb_terminal=environment.get("TERM", "") in {"dumb", "unknown"},
        debug=environment.get("PROBATUM_DEBUG", "") == "1",
    )
