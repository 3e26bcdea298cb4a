"""Sizes of folders."""

Folder = dict[str, "int | Folder"]


def largest_file(folder: Folder, prefix: str = "") -> tuple[str, int]:
    """Return the path and the size of the largest file in a tree; of equal ones the first. ("", -1) if there is none.

    >>> largest_file({"a.txt": 3, "src": {"b.py": 10, "c.py": 2}})
    ('src/b.py', 10)
    >>> largest_file({"a.txt": 3, "b.txt": 3})
    ('a.txt', 3)
    >>> largest_file({"x": {"y": {"z": 1}}, "w": 0})
    ('x/y/z', 1)
    >>> largest_file({"empty": 0})
    ('empty', 0)
    >>> largest_file({"x": {}, "y": {}})
    ('', -1)
    >>> largest_file({"x": {"a": 4}, "y": {"b": 4}, "c": 4})
    ('x/a', 4)
    """
    best = ("", -1)
    for name, entry in folder.items():
        path = prefix + name
        found = largest_file(entry, name + "/") if isinstance(entry, dict) else (path, entry)
        if found[1] > best[1]:
            best = found
    return best
