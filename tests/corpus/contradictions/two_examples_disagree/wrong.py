"""Initials for avatars."""


def initials(name: str) -> str:
    """Return the letters for an avatar: the first ones of the first and the last name.

    >>> initials("Ada Lovelace")
    'AL'
    >>> initials("Plato")
    'P'
    >>> initials("johann sebastian bach")
    'JB'
    >>> initials("Plato")
    'PL'
    >>> initials("")
    '?'
    """
    words = name.upper().split()
    if not words:
        return "?"
    return "".join(word[0] for word in words)
