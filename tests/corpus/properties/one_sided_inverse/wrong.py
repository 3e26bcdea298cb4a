"""Amounts of money as text."""


def parse_amount(text: str) -> int:
    """Read an amount such as ``1,234.5`` and return it in cents.

    parse_amount(format_amount(cents)) == cents for every whole number of cents. The opposite need not hold:
    "5" is read as well as "5.00".

    >>> parse_amount("1,234.50")
    123450
    >>> parse_amount("5")
    500
    >>> parse_amount("-3")
    -300
    >>> parse_amount("0.7")
    70
    """
    whole, _, part = text.replace(",", "").partition(".")
    return int(whole) * 100 + int(part.ljust(2, "0"))


def format_amount(cents: int) -> str:
    """Write an amount with two decimals, and a comma between thousands.

    >>> format_amount(123450)
    '1,234.50'
    >>> format_amount(-7)
    '-0.07'
    >>> format_amount(0)
    '0.00'
    >>> format_amount(-100)
    '-1.00'
    """
    sign = "-" if cents < 0 else ""
    whole, part = divmod(abs(cents), 100)
    return f"{sign}{whole:,}.{part:02}"
