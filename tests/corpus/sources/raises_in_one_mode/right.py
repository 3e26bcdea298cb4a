"""Headers of tables."""


def unique_names(names: list[str], strict: bool = False) -> list[str]:
    """Make the names of columns different from each other, by a number behind them.

    Args:
        names: The names as they stand in the file.
        strict: Whether to complain instead.

    Raises:
        ValueError: If strict is true and a name occurs twice.

    >>> unique_names(["a", "b"])
    ['a', 'b']
    >>> unique_names(["a", "b", "a"])
    ['a', 'b', 'a2']
    >>> unique_names(["a", "a", "a"])
    ['a', 'a2', 'a3']
    >>> unique_names(["a", "b"], strict=True)
    ['a', 'b']
    >>> unique_names(["a", "a"], strict=True)
    Traceback (most recent call last):
        ...
    ValueError: a name occurs twice
    >>> unique_names(["a", "a2", "a"])
    ['a', 'a2', 'a3']
    """
    if strict and len(set(names)) < len(names):
        raise ValueError("a name occurs twice")
    found: list[str] = []
    for name in names:
        unique, number = name, 1
        while unique in found:
            number += 1
            unique = f"{name}{number}"
        found.append(unique)
    return found
