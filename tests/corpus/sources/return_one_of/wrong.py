"""Triage of incoming tickets."""


def priority(severity: int, customers: int) -> str:
    """Rate a ticket.

    Args:
        severity: From 1 (cosmetic) to 5 (down).
        customers: How many customers reported it. Not negative.

    Returns:
        One of "low", "normal", "high", "urgent".

    >>> priority(1, 0)
    'low'
    >>> priority(2, 9)
    'normal'
    >>> priority(3, 4)
    'normal'
    >>> priority(4, 2)
    'high'
    >>> priority(5, 1)
    'urgent'
    >>> priority(4, 10)
    'urgent'
    >>> priority(1, 10)
    'normal'
    >>> priority(3, 10)
    'high'
    >>> priority(4, 9)
    'high'
    """
    names = ("low", "normal", "normal", "high", "urgent", "critical")
    raised = severity + 1 if customers >= 10 else severity
    return names[min(raised, len(names)) - 1]
