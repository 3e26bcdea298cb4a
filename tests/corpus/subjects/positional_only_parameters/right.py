"""Labels for log lines."""


def tagged(message: str, level: str = "info", /, **tags: str) -> str:
    """Return a log line: the level, the message, and the tags in alphabetical order of their names.

    A tag may be called "message" or "level" too.

    >>> tagged("started")
    '[info] started'
    >>> tagged("stopped", "warning", host="a1", code="7")
    '[warning] stopped code=7 host=a1'
    >>> tagged("parsed", message="m", level="l")
    '[info] parsed level=l message=m'
    >>> tagged("", "debug", x="1")
    '[debug]  x=1'
    """
    line = f"[{level}] {message}"
    for name in sorted(tags):
        line += f" {name}={tags[name]}"
    return line
