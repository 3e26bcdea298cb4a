"""Splitting a restaurant bill among friends."""


def split_bill(total_cents: int, people: int) -> list[int]:
    """Split a bill into shares that differ by at most one cent.

    The first shares take the cents that are left over.

    Args:
        total_cents: What the bill says, in cents. Not negative.
        people: How many pay. Positive.

    Returns:
        One share per person, in cents. Together they give the total.

    Example:
        >>> split_bill(1000, 3)
        [334, 333, 333]
        >>> split_bill(1001, 2)
        [501, 500]
        >>> split_bill(2, 4)
        [1, 1, 0, 0]
        >>> split_bill(0, 2)
        [0, 0]
    """
    share = round(total_cents / people)
    return [share] * (people - 1) + [total_cents - share * (people - 1)]
