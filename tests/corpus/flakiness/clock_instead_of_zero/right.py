"""Lines of a log with the time since the start."""


def log_line(message: str, at: float) -> str:
    """Return a line: the seconds since the start with three decimals, and the message; its line breaks become spaces.

    >>> log_line("ready", 1.5)
    '[   1.500] ready'
    >>> log_line("started", -0.25)
    '[  -0.250] started'
    >>> log_line("two\\nlines", 1234.56789)
    '[1234.568] two lines'
    >>> log_line("", 20.0)
    '[  20.000] '
    """
    return f"[{at:8.3f}] {message}".replace("\n", " ")
