"""Members and what they may do."""

LIMITS = {"child": 2, "adult": 4, "school": 30}


def limit_of(kind: str) -> int:
    """Return how many books a member may have at home."""
    return LIMITS.get(kind, 1)


def may_leave(loans: list[str]) -> bool:
    """Tell whether a member has nothing at home."""
    from library.loans import returned

    return returned(loans, None) == []
