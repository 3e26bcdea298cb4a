"""Lets the SQL of SQLite ask a made-up clock and a seeded generator, as the rest of a program does in a known world.

Runs inside the sandbox, standard library only. SQLite lets a connection give its functions another meaning; what they
compute from a moment is still SQLite's own doing.
"""

from __future__ import annotations

import datetime
import importlib
from collections.abc import Callable
from typing import Any

_OF_THE_CLOCK = ("date", "time", "datetime", "julianday", "unixepoch", "strftime")
_KEYWORDS = {"current_date": "date", "current_time": "time", "current_timestamp": "datetime"}
_EPOCH = datetime.datetime(1970, 1, 1)
# Where `connect` takes the class of what it returns.
_FACTORY = 5


def pin_databases(nanoseconds: Callable[[], int], randbytes: Callable[[int], bytes]) -> None:
    """Let every connection from now on take the time and its random numbers from these."""
    # Few programs need it, and only they load it.
    sqlite3: Any = importlib.import_module("sqlite3")
    plain = sqlite3.connect(":memory:", check_same_thread=False)
    real, connect = sqlite3.Connection, sqlite3.connect

    def now() -> str:
        return (_EPOCH + datetime.timedelta(microseconds=nanoseconds() // 1000)).isoformat(" ", "milliseconds")

    def asking(name: str) -> Callable[..., object]:
        first = 1 if name == "strftime" else 0

        def answer(*given: object) -> object:
            told = [*given, *([] if len(given) > first else ["now"])]
            told[first:] = [now() if str(each).strip().lower() == "now" else each for each in told[first:]]
            found = plain.execute(f"SELECT {name}({', '.join('?' * len(told))})", told).fetchone()
            return found[0]

        return answer

    def prepared(connection: Any) -> None:
        for name in _OF_THE_CLOCK:
            connection.create_function(name, -1, asking(name), deterministic=True)
        for keyword, name in _KEYWORDS.items():
            connection.create_function(keyword, 0, asking(name))
        connection.create_function("random", 0, lambda: int.from_bytes(randbytes(8), "big", signed=True))
        connection.create_function("randomblob", 1, lambda size: randbytes(max(1, int(size or 0))))

    class Connection(real):  # type: ignore[misc, valid-type]  # a class that is found at run time
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            prepared(self)

    def connected(*given: Any, **named: Any) -> Any:
        if len(given) <= _FACTORY:
            named.setdefault("factory", Connection)
        return connect(*given, **named)

    Connection.__module__, Connection.__qualname__ = "sqlite3", "Connection"
    for holder in (sqlite3, sqlite3.dbapi2):
        holder.Connection, holder.connect = Connection, connected
