"""Settings of a server with limits."""


class Bounded:
    """An attribute that is a whole number from ``low`` to ``high``.

    >>> class Server:
    ...     port = Bounded(1, 65535)
    ...     workers = Bounded(1, 8)
    >>> server = Server()
    >>> server.port = 65535
    >>> server.workers = 1
    >>> server.port, server.workers
    (65535, 1)
    >>> other = Server()
    >>> other.port = 1
    >>> server.port
    65535
    >>> server.workers = 9
    Traceback (most recent call last):
        ...
    ValueError: workers must be from 1 to 8
    >>> server.port = 0
    Traceback (most recent call last):
        ...
    ValueError: port must be from 1 to 65535
    >>> other.workers
    Traceback (most recent call last):
        ...
    AttributeError: workers is not set
    >>> isinstance(Server.port, Bounded)
    True
    """

    def __init__(self, low: int, high: int) -> None:
        self._low = low
        self._high = high

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type | None = None) -> object:
        if instance is None:
            return self
        return self._value

    def __set__(self, instance: object, value: int) -> None:
        if not self._low <= value <= self._high:
            raise ValueError(f"{self._name} must be from {self._low} to {self._high}")
        self._value = value
