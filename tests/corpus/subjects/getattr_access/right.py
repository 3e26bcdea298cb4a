"""Configuration that is read with dots."""


class Config:
    """Nested settings: ``config.server.port`` is ``values["server"]["port"]``.

    >>> config = Config({"debug": False, "server": {"port": 80, "host": "a1"}})
    >>> config.server.port
    80
    >>> config.debug
    False
    >>> config.server.port = 8080
    >>> config.server.port
    8080
    >>> config.mode = "test"
    >>> config.mode
    'test'
    >>> config.server.timeout
    Traceback (most recent call last):
        ...
    AttributeError: no setting 'timeout'
    >>> hasattr(config, "server"), hasattr(config, "client")
    (True, False)
    >>> getattr(config, "client", "none")
    'none'
    >>> config.as_dict()
    {'debug': False, 'server': {'port': 8080, 'host': 'a1'}, 'mode': 'test'}
    """

    def __init__(self, values: dict[str, object]) -> None:
        object.__setattr__(self, "_values", values)

    def __getattr__(self, name: str) -> object:
        if name not in self._values:
            raise AttributeError(f"no setting {name!r}")
        value = self._values[name]
        return Config(value) if isinstance(value, dict) else value

    def __setattr__(self, name: str, value: object) -> None:
        self._values[name] = value

    def as_dict(self) -> dict[str, object]:
        """Return the settings as plain dictionaries.

        >>> Config({}).as_dict()
        {}
        """
        return self._values
