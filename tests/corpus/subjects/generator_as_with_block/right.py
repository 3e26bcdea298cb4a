"""Settings of a report that may be changed for a while."""

from collections.abc import Iterator
from contextlib import contextmanager


class Settings:
    """Named values, with defaults.

    >>> settings = Settings()
    >>> settings["currency"], settings["decimals"]
    ('EUR', 2)
    >>> with settings.changed(currency="USD", decimals=0):
    ...     print(settings["currency"], settings["decimals"])
    USD 0
    >>> settings["currency"], settings["decimals"]
    ('EUR', 2)
    >>> with settings.changed(locale="fr"):
    ...     "locale" in settings
    True
    >>> "locale" in settings
    False
    >>> with settings.changed(decimals=4):
    ...     raise RuntimeError("broken pipe")
    Traceback (most recent call last):
        ...
    RuntimeError: broken pipe
    >>> settings["decimals"]
    2
    """

    def __init__(self) -> None:
        self._values: dict[str, str | int] = {"currency": "EUR", "decimals": 2}

    def __getitem__(self, name: str) -> str | int:
        return self._values[name]

    def __contains__(self, name: str) -> bool:
        return name in self._values

    @contextmanager
    def changed(self, **values: str | int) -> Iterator[None]:
        """Change values until the end of the block, however it ends."""
        before = self._values
        self._values = {**before, **values}
        try:
            yield
        finally:
            self._values = before
