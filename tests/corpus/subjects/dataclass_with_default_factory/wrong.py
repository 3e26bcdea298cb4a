"""Shopping carts."""

from dataclasses import dataclass, field, replace


@dataclass
class Cart:
    """Articles with their prices in cents, and a discount in percent.

    >>> Cart("ada")
    Cart(owner='ada', prices={}, discount=0)
    >>> cart = Cart("ada", {"pen": 250}, discount=10)
    >>> cart.total
    225
    >>> cart.add("ink", 999)
    >>> cart.total
    1124
    >>> Cart("bob", {"pen": 250}) == Cart("bob", {"pen": 250}, 0)
    True
    >>> Cart("eve", {"pen": 99}, discount=101)
    Traceback (most recent call last):
        ...
    ValueError: a discount is between 0 and 100
    >>> Cart("eve", {"pen": 99}, discount=-1)
    Traceback (most recent call last):
        ...
    ValueError: a discount is between 0 and 100
    >>> Cart("eve", {"pen": 99}, discount=100).total
    0
    >>> given = {"pen": 250}
    >>> mine = Cart("ada", given)
    >>> mine.add("ink", 100)
    >>> given
    {'pen': 250}
    """

    owner: str
    prices: dict[str, int] = field(default_factory=dict)
    discount: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.discount <= 100:
            raise ValueError("a discount is between 0 and 100")

    @property
    def total(self) -> int:
        """What is to be paid, rounded down to whole cents."""
        return sum(self.prices.values()) * (100 - self.discount) // 100

    def add(self, article: str, price: int) -> None:
        """Put an article into the cart, or change its price."""
        self.prices[article] = price

    def copied_for(self, owner: str) -> "Cart":
        """Return a cart of somebody else with the same articles, which does not change with this one.

        >>> first = Cart("ada", {"pen": 250}, 5)
        >>> second = first.copied_for("bob")
        >>> second.add("ink", 100)
        >>> first
        Cart(owner='ada', prices={'pen': 250}, discount=5)
        >>> second
        Cart(owner='bob', prices={'pen': 250, 'ink': 100}, discount=5)
        """
        return replace(self, owner=owner)
