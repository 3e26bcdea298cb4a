"""How ECMAScript writes a number, from its definition and in exact arithmetic: a second opinion on canonical JSON.

Written from ECMA-262, Number::toString, with whole numbers only: no float is rounded, printed or compared here. Refuses
what is no finite number.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from itertools import islice

MOST_DIGITS = 17
"""So many digits tell every double from its neighbours."""


def bits_of(value: float) -> int:
    """Return the 64 bits of a double."""
    return int(struct.unpack("<Q", struct.pack("<d", value))[0])


def double_of(bits: int) -> float:
    """Return the double of 64 bits."""
    return float(struct.unpack("<d", struct.pack("<Q", bits))[0])


def shortest_digits(bits: int) -> tuple[int, int]:
    """Return s and k: read as 0.s times ten to the k, s are the fewest digits that are this double, and the nearest.

    Raises:
        ValueError: the bits are zero, negative, infinite or no number.
    """
    exponent, fraction = bits >> 52, bits & (1 << 52) - 1
    if not bits or exponent >= 0x7FF:
        raise ValueError("a positive finite number was expected")
    mantissa, power = (fraction | 1 << 52, exponent - 1075) if exponent else (fraction, -1074)
    # In quarters of the last binary place: the number, and the ends of what is rounded to it.
    middle, high = 4 * mantissa, 4 * mantissa + 2
    low = 4 * mantissa - (1 if not fraction and exponent > 1 else 2)
    numerator, denominator = (1 << power - 2, 1) if power >= 2 else (1, 1 << 2 - power)
    magnitude = _magnitude(middle * numerator, denominator)
    found: tuple[int, int] | None = None
    for count in range(MOST_DIGITS, 0, -1):
        up = count - magnitude
        top, bottom = (numerator * 10**up, denominator) if up >= 0 else (numerator, denominator * 10**-up)
        below = middle * top // bottom
        fits = []
        for digits in (below, below + 1):
            scaled, least, most = digits * bottom, low * top, high * top
            if least < scaled < most or (mantissa % 2 == 0 and scaled in {least, most}):
                fits.append((abs(scaled - middle * top), digits % 2, digits))
        if not fits:
            break
        nearest = min(fits)[2]
        found = (1, magnitude + 1) if nearest == 10**count else (nearest, magnitude)
    assert found is not None
    digits, magnitude = found
    while digits % 10 == 0:
        digits //= 10
    return digits, magnitude


def _magnitude(numerator: int, denominator: int) -> int:
    """Return the k for which ten to the k-1 <= numerator/denominator < ten to the k."""
    magnitude = len(str(numerator)) - len(str(denominator))
    while _is_below(numerator, denominator, magnitude - 1):
        magnitude -= 1
    while not _is_below(numerator, denominator, magnitude):
        magnitude += 1
    return magnitude


def _is_below(numerator: int, denominator: int, power: int) -> bool:
    return bool(numerator < denominator * 10**power if power >= 0 else numerator * 10**-power < denominator)


def number_text(value: float) -> str:
    """Return how ECMAScript writes a finite number.

    Raises:
        ValueError: it is infinite, or no number.
    """
    bits = bits_of(value)
    if bits in {0, 1 << 63}:
        return "0"
    if bits >> 63:
        return "-" + number_text(double_of(bits & (1 << 63) - 1))
    whole, magnitude = shortest_digits(bits)
    digits = str(whole)
    count = len(digits)
    if count <= magnitude <= 21:
        return digits + "0" * (magnitude - count)
    if 0 < magnitude <= 21:
        return f"{digits[:magnitude]}.{digits[magnitude:]}"
    if -6 < magnitude <= 0:
        return f"0.{'0' * -magnitude}{digits}"
    point = f"{digits[0]}.{digits[1:]}" if count > 1 else digits
    return f"{point}e{magnitude - 1:+d}"


def _edges() -> Iterator[float]:
    """Yield the numbers at which spelling or spacing changes."""
    yield from (double_of(1 << place) for place in range(52))
    yield from (double_of(exponent << 52) for exponent in range(1, 0x7FF))
    yield from (float(f"{digit}e{power}") for power in range(-323, 309) for digit in (1, 9.5, 1.7) if power < 308)
    yield from (1e21, 1e-6, 1e-7, 1e16, 1e-4, 2.0**53, 5e-324, double_of(0x000F_FFFF_FFFF_FFFF), double_of(0x7FE << 52))


def doubles(count: int, seed: int) -> Iterator[float]:
    """Yield finite doubles: edges with their neighbours, then random bits, decimals and whole numbers."""
    return islice((value for bits in _bits(seed) if (value := double_of(bits)) - value == 0), count)


def _bits(seed: int) -> Iterator[int]:
    for value in _edges():
        yield from (max(bits_of(value) + step, 0) for step in range(-1, 2))
    drawn = random.Random(seed)
    while True:
        yield drawn.getrandbits(64)
        yield drawn.getrandbits(52) | drawn.getrandbits(1) << 63
        yield bits_of(drawn.randrange(10**6) / 10 ** drawn.randrange(12))
        yield bits_of(float(drawn.getrandbits(drawn.randrange(1, 75))))
        yield bits_of(drawn.random() * 10.0 ** drawn.randrange(-9, 24))
