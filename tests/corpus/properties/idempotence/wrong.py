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
    if path.startswith("./"):
        path = path[2:]
    if path.startswith("../"):
        path = path[3:]
    path = path.replace("/./", "/").replace("//", "/")
    parts = path.split("/")
    while ".." in parts[1:]:
        at = parts.index("..", 1)
        del parts[at - 1 : at + 1]
    return "/".join(parts).strip("/")
