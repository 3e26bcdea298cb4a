"""Tags of articles."""


def unique_tags(tags: list[str]) -> list[str]:
    """Return the tags in lower case without repetitions, each where it stood first.

    >>> unique_tags(["Python", "python", "PYTHON"])
    ['python']
    >>> sorted(unique_tags(["web", "Async", "WEB"]))
    ['async', 'web']
    >>> len(unique_tags(["Python", "web", "async", "python", "http", "cache", "Web", "tests"]))
    6
    >>> unique_tags([])
    []
    """
    return list({tag.lower() for tag in tags})
