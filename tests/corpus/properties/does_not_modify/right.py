"""Settings with defaults."""


def with_defaults(settings: dict[str, int], defaults: dict[str, int]) -> dict[str, int]:
    """Return the settings, filled up from the defaults.

    Neither argument is modified.

    >>> with_defaults({"size": 3}, {"size": 1, "depth": 2})
    {'size': 3, 'depth': 2}
    >>> with_defaults({}, {"size": 1})
    {'size': 1}
    >>> with_defaults({"size": 1}, {})
    {'size': 1}
    >>> with_defaults({}, {})
    {}
    """
    filled = dict(settings)
    for name, value in defaults.items():
        if name not in filled:
            filled[name] = value
    return filled
