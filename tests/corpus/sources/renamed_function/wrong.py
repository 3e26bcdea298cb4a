"""Durations of videos."""


def clock_text(seconds: int) -> str:
    """Write a duration as a video player does.

    >>> format_time(5)
    '0:05'
    >>> format_time(65)
    '1:05'
    >>> format_time(3600)
    '1:00:00'
    >>> format_time(3725)
    '1:02:05'
    >>> format_time(59 * 60 + 59)
    '59:59'
    """
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes}:{rest:02}"
    return f"{minutes}:{rest:02}"
