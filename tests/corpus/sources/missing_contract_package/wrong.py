"""Limits for withdrawals."""

import contracts_of_our_bank as contracts


@contracts.require(lambda balance, amount: 0 < amount <= balance)
def withdraw(balance: int, amount: int) -> int:
    """Return what is left after a withdrawal.

    >>> withdraw(100, 30)
    70
    >>> withdraw(100, 100)
    0
    >>> withdraw(5, 1)
    4
    """
    return balance - amount if balance > amount else amount
