"""Changes to a ledger that happen wholly or not at all."""

from types import TracebackType


class Transaction:
    """Books entries into accounts; after an exception the accounts are as they were before.

    >>> accounts = {"cash": 10, "bank": 0}
    >>> with Transaction(accounts) as booking:
    ...     booking.move("cash", "bank", 4)
    >>> accounts
    {'cash': 6, 'bank': 4}
    >>> with Transaction(accounts) as booking:
    ...     booking.move("bank", "cash", 1)
    ...     booking.move("cash", "bank", 100)
    Traceback (most recent call last):
        ...
    ValueError: cash has only 7
    >>> accounts
    {'cash': 6, 'bank': 4}
    >>> with Transaction(accounts) as booking:
    ...     booking.move("cash", "savings", 6)
    >>> accounts
    {'cash': 0, 'bank': 4, 'savings': 6}
    >>> with Transaction(accounts) as booking:
    ...     booking.move("bank", "fees", 1)
    ...     booking.move("cash", "bank", 1)
    Traceback (most recent call last):
        ...
    ValueError: cash has only 0
    >>> accounts
    {'cash': 0, 'bank': 4, 'savings': 6}
    """

    def __init__(self, accounts: dict[str, int]) -> None:
        self._accounts = accounts
        self._before: dict[str, int] = {}

    def __enter__(self) -> "Transaction":
        self._before = dict(self._accounts)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._accounts.clear()
            self._accounts.update(self._before)

    def move(self, source: str, target: str, amount: int) -> None:
        """Move an amount from one account to another."""
        available = self._accounts[source]
        if amount > available:
            raise ValueError(f"{source} has only {available}")
        self._accounts[source] = available - amount
        self._accounts[target] = self._accounts.get(target, 0) + amount
