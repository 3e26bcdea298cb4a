"""Discounts."""


def discount(total: int, is_member: bool, coupons: list[int]) -> int:
    """Return what a customer saves, in cents.

    The result is between 0 and total.

    Args:
        total: The price of everything in cents. Not negative.
        is_member: Members save five percent.
        coupons: What the coupons are worth, in cents. Each is positive.

    >>> discount(1000, False, [])
    0
    >>> discount(1000, True, [])
    50
    """
    saved = total * 5 // 100 if is_member else 0
    for coupon in coupons[:2]:
        saved += coupon
    return min(saved, total)
