"""Numbers in other units, through pint where it is installed (``pip install "probatum[units]"``).

Refuses to convert money: rates are evidence, not units. Without pint, only equal units compare.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from probatum.core.version import version_of

if TYPE_CHECKING:
    from pint import UnitRegistry

# A unit is a name, or a quotient or power of names: pint would also compute with numbers in it.
_NAME: Final = re.compile(r"[^\W\d_]{1,24}[23²³]?(?:/[^\W\d_]{1,24}[23²³]?)?|°[CF]")
_OWN: Final = {"bp": Fraction(1, 10_000), "%": Fraction(1, 100)}


@cache
def engine() -> str:
    """Return what converts units, as a trace records it."""
    version = version_of("pint")
    return f"pint {version}" if version else "none"


@cache
def _registry() -> UnitRegistry[Fraction] | None:
    try:
        from pint import UnitRegistry
    except ImportError:
        return None
    return UnitRegistry(non_int_type=Fraction, cache_folder=None)


def convert(number: Fraction, unit: str, into: str) -> Fraction | None:
    """Return a number in another unit, exactly; None where it cannot be told."""
    if unit == into:
        return number
    if unit in _OWN and into in _OWN:
        return number * _OWN[unit] / _OWN[into]
    if unit in _OWN or into in _OWN:
        # 6 % and 0.06 are written alike by nobody: a bare number beside a percentage may mean either.
        return None
    if not unit or not into:
        return number
    if is_currency(unit) or is_currency(into) or not (is_unit(unit) and is_unit(into)):
        return None
    line = _line(unit, into)
    return None if line is None else line[0] * number + line[1]


@lru_cache(maxsize=1024)
def _line(unit: str, into: str) -> tuple[Fraction, Fraction] | None:
    """Return factor and offset between two units; None where no straight line leads from one to the other."""
    registry = _registry()
    if registry is None:
        return None
    try:
        at = [Fraction(registry.Quantity(Fraction(each), unit).to(into).magnitude) for each in (0, 1, 2)]
    except Exception:  # noqa: BLE001  pint raises many kinds of errors for what is no unit
        return None
    return (at[1] - at[0], at[0]) if at[2] - at[1] == at[1] - at[0] else None


def exact(number: int | float) -> Fraction:
    """Return a number as it is written, not as its nearest binary fraction: 0.1 is one tenth."""
    return Fraction(number) if isinstance(number, int) else Fraction(repr(number))


def is_unit(text: str) -> bool:
    """Return whether a text is written as a unit is, whether or not it is known."""
    return text in _OWN or _NAME.fullmatch(text) is not None


def is_currency(unit: str) -> bool:
    """Return whether a unit has the form of an ISO 4217 code."""
    return len(unit) == 3 and unit.isascii() and unit.isupper()
