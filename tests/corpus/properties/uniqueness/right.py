"""Tags of articles."""


def clean_tags(tags: list[str]) -> list[str]:
    """Bring tags into their usual form: small letters, no blanks around them.

    Empty tags are dropped; the others keep their order. The result contains no duplicates.

    >>> clean_tags([" News", "sport"])
    ['news', 'sport']
    >>> clean_tags(["b", "a", "b"])
    ['b', 'a']
    >>> clean_tags(["", "  ", "x"])
    ['x']
    >>> clean_tags([])
    []
    """
    cleaned: list[str] = []
    for tag in tags:
        name = tag.strip().lower()
        if name and name not in cleaned:
            cleaned.append(name)
    return cleaned
