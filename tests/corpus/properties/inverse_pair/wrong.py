"""Fields of a line in an export, joined by semicolons."""


def join_fields(fields: list[str]) -> str:
    """Write fields into one line; semicolons and backslashes in them are escaped by a backslash.

    post: not fields or split_fields(result) == fields

    >>> join_fields(["a", "b"])
    'a;b'
    >>> join_fields(["a;b", "c"])
    'a\\\\;b;c'
    >>> join_fields([""])
    ''
    """
    return ";".join(field.replace(";", "\\;") for field in fields)


def split_fields(line: str) -> list[str]:
    """Read the fields of a line that `join_fields` wrote.

    >>> split_fields("a;b")
    ['a', 'b']
    >>> split_fields("a\\\\;b;c")
    ['a;b', 'c']
    >>> split_fields("")
    ['']
    """
    fields, signs = [""], iter(line)
    for sign in signs:
        if sign == "\\":
            fields[-1] += next(signs, "")
        elif sign == ";":
            fields.append("")
        else:
            fields[-1] += sign
    return fields
