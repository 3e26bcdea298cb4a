"""Messages about missing settings."""

REQUIRED = frozenset({"host", "port", "user", "password", "database", "schema"})


def missing_settings(settings: dict[str, str]) -> str:
    """Return a sentence that names the required settings that are missing or empty, in alphabetical order.

    >>> missing_settings({}).startswith("Missing: "), missing_settings({}).count(", "), len(missing_settings({}))
    (True, 5, 54)
    >>> missing_settings({"host": "a", "port": "1", "user": "u", "password": "p", "database": "d", "schema": "s"})
    'Nothing is missing.'
    >>> missing_settings({"host": "a", "port": "", "user": "u", "password": "p", "database": "d", "schema": "s"})
    'Missing: port.'
    """
    missing = REQUIRED - {name for name, value in settings.items() if value}
    if not missing:
        return "Nothing is missing."
    return f"Missing: {', '.join(missing)}."
