"""Numbers of payment cards."""


class CardNumber:
    """Helpers for numbers that end in a Luhn check digit."""

    @staticmethod
    def is_valid(number: str) -> bool:
        """Tell whether the check digit is right. Spaces are passed over; anything else but digits is invalid.

        From the right, every second digit is doubled; of a doubled digit above 9, 9 is subtracted. The number is
        valid when the sum of all digits can be divided by 10.

        >>> CardNumber.is_valid("4539 3195 0343 6467")
        True
        >>> CardNumber.is_valid("8273 1232 7352 0569")
        False
        >>> CardNumber.is_valid("059")
        True
        >>> CardNumber.is_valid("59")
        True
        >>> CardNumber.is_valid("18")
        True
        >>> CardNumber.is_valid("91")
        True
        >>> CardNumber.is_valid("0")
        False
        >>> CardNumber.is_valid("00")
        True
        >>> CardNumber.is_valid("05a9")
        False
        >>> CardNumber.is_valid("")
        False
        """
        digits = number.replace(" ", "")
        if len(digits) < 2 or not digits.isdecimal():
            return False
        total = 0
        for position, digit in enumerate(reversed(digits)):
            value = int(digit)
            if position % 2 == 1:
                value *= 2
                if value > 9:
                    value -= 9
            total += value
        return total % 10 == 0
