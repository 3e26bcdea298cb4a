"""The life of an order."""

_NEXT = {
    "new": {"pay": "paid", "cancel": "cancelled"},
    "paid": {"ship": "shipped", "cancel": "refunded"},
    "shipped": {"deliver": "delivered"},
}


class Order:
    """An order that is paid, shipped and delivered; until it is shipped it can be cancelled.

    >>> order = Order()
    >>> order.state
    'new'
    >>> order.do("pay")
    'paid'
    >>> order.do("ship")
    'shipped'
    >>> order.do("cancel")
    Traceback (most recent call last):
        ...
    ValueError: a shipped order cannot cancel
    >>> order.state
    'shipped'
    >>> order.do("deliver")
    'delivered'
    >>> order.is_over
    True
    >>> order.history
    ['new', 'paid', 'shipped', 'delivered']
    >>> refund = Order()
    >>> refund.do("ship")
    Traceback (most recent call last):
        ...
    ValueError: a new order cannot ship
    >>> refund.do("pay"), refund.is_over
    ('paid', False)
    >>> refund.do("cancel"), refund.is_over
    ('refunded', True)
    >>> Order().do("cancel")
    'cancelled'
    """

    def __init__(self) -> None:
        self.history = ["new"]

    @property
    def state(self) -> str:
        """Where the order is now."""
        return self.history[-1]

    @property
    def is_over(self) -> bool:
        """True when nothing can be done any more."""
        return self.state not in _NEXT

    def do(self, action: str) -> str:
        """Carry out an action and return the new state."""
        allowed = _NEXT.get(self.state, {})
        if action not in allowed:
            raise ValueError(f"a {self.state} order cannot {action}")
        self.history.append(allowed[action])
        return self.state
