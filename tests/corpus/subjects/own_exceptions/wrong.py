"""Reading of order lines such as "3 x pen"."""


class OrderError(Exception):
    """A line that cannot be read."""


class NotAnOrder(OrderError):
    """There is no x in the line."""


class BadQuantity(OrderError):
    """The number of pieces is missing or not positive."""


class UnknownArticle(OrderError, KeyError):
    """There is no such article."""


def order_price(line: str, prices: dict[str, int]) -> int:
    """Return the price of an order line: a number, an x, and the name of an article.

    Raises:
        BadQuantity: the number of pieces is no whole number or less than 1.
        UnknownArticle: the article has no price. It is a KeyError too.
        NotAnOrder: there is no x.

    >>> order_price("3 x pen", {"pen": 120})
    360
    >>> order_price("1 x box x large", {"box x large": 900})
    900
    >>> order_price("0 x pen", {"pen": 120})
    Traceback (most recent call last):
        ...
    BadQuantity: '0'
    >>> order_price("many x pen", {"pen": 120})
    Traceback (most recent call last):
        ...
    BadQuantity: 'many'
    >>> order_price("1 x ink", {"pen": 120})
    Traceback (most recent call last):
        ...
    UnknownArticle: 'ink'
    >>> order_price("3 pens", {"pen": 120})
    Traceback (most recent call last):
        ...
    NotAnOrder: no ' x ' in '3 pens'
    """
    number, separator, article = line.partition(" x ")
    try:
        pieces = int(number)
    except ValueError as error:
        raise BadQuantity(number) from error
    if not separator:
        raise NotAnOrder(f"no ' x ' in {line!r}")
    if pieces < 0:
        raise BadQuantity(number)
    if article not in prices:
        raise UnknownArticle(article)
    return pieces * prices[article]
