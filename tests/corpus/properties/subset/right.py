"""Suggestions while somebody types."""


def complete(typed: str, words: list[str], limit: int) -> list[str]:
    """Suggest words that begin like what was typed, in the order of ``words``.

    Every element of the result is in words.

    Args:
        typed: What was typed so far; large and small letters are the same.
        words: The words that are known.
        limit: How many to suggest at most. Not negative.

    >>> complete("ca", ["car", "dog", "cat", "cab"], 2)
    ['car', 'cat']
    >>> complete("do", ["car", "dog"], 5)
    ['dog']
    >>> complete("", ["a", "b", "c"], 2)
    ['a', 'b']
    >>> complete("x", ["a"], 3)
    []
    >>> complete("CA", ["car", "scar"], 1)
    ['car']
    >>> complete("c", ["car"], 0)
    []
    """
    start = typed.lower()
    return [word for word in words if word.lower().startswith(start)][:limit]
