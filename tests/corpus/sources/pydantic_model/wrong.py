"""Invoices as they come in through the API."""

from pydantic import BaseModel, Field


class Line(BaseModel):
    """One line of an invoice."""

    quantity: int = Field(gt=0)
    unit_price: int = Field(ge=0, description="in cents")
    discount: int = Field(default=0, ge=0, le=100, description="in percent")

    def total(self) -> int:
        """Return what the line costs, in cents, rounded down in favour of the customer. Never negative.

        >>> Line(quantity=3, unit_price=250).total()
        750
        >>> Line(quantity=1, unit_price=999, discount=50).total()
        499
        >>> Line(quantity=2, unit_price=1000, discount=100).total()
        0
        >>> Line(quantity=4, unit_price=25, discount=10).total()
        90
        >>> Line(quantity=3, unit_price=33, discount=10).total()
        89
        """
        return self.quantity * (self.unit_price * (100 - self.discount) // 100)
