"""Configuration in layers."""


def merged(*layers: dict[str, int], **overrides: int) -> dict[str, int]:
    """Return one configuration: later layers win over earlier ones, and overrides over all. Order of names is kept.

    A negative value removes the name.

    >>> merged({"a": 1, "b": 2}, {"b": 3})
    {'a': 1, 'b': 3}
    >>> merged({"a": 1}, {"a": 2}, a=5, c=6)
    {'a': 5, 'c': 6}
    >>> merged({"a": 1, "b": 0}, {"a": -1})
    {'b': 0}
    >>> merged({"a": 1}, b=-1)
    {'a': 1}
    >>> merged({"a": -1}, {"a": 4})
    {'a': 4}
    >>> merged()
    {}
    """
    result: dict[str, int] = {}
    for layer in (overrides, *layers):
        for name, value in layer.items():
            if value < 0:
                result.pop(name, None)
            else:
                result[name] = value
    return result
