"""Access to settings with and without a default."""

from typing import overload


@overload
def setting(values: dict[str, str], name: str) -> str: ...


@overload
def setting(values: dict[str, str], name: str, default: int) -> int: ...


def setting(values: dict[str, str], name: str, default: int | None = None) -> str | int:
    """Return a setting as text; with a default, return it as a number.

    Where the name is missing, the default is returned, also 0.

    Raises:
        KeyError: the name is missing and there is no default.

    >>> setting({"port": "80"}, "port")
    '80'
    >>> setting({"port": "80"}, "port", 8080)
    80
    >>> setting({}, "port", 8080)
    8080
    >>> setting({}, "retries", 0)
    0
    >>> setting({}, "port")
    Traceback (most recent call last):
        ...
    KeyError: 'port'
    >>> setting({"port": ""}, "port")
    ''
    """
    if name not in values:
        if default is None:
            raise KeyError(name)
        return default
    return values[name] if default is None else int(values[name])
