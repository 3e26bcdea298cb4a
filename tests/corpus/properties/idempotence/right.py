"""Paths inside an archive."""


def normal_path(path: str) -> str:
    """Return the usual form of a path: no empty parts, no dots, no slash at the ends.

    post: normal_path(result) == result

    >>> normal_path("a//b/")
    'a/b'
    >>> normal_path("./a/./b")
    'a/b'
    >>> normal_path("/")
    ''
    >>> normal_path("a/../b")
    'b'
    >>> normal_path("../a")
    'a'
    """
    kept: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del kept[-1:]
        elif part not in {"", "."}:
            kept.append(part)
    return "/".join(kept)
