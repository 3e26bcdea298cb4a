"""Sentence forms for arithmetic: sums and differences of two numbers, divisors, factorials, digits, bases, primes."""

from __future__ import annotations

import re

from probatum.programs.results.nouns import Scene, kind_guard
from probatum.programs.results.sentence_form import Claim, Form, form, number
from probatum.programs.results.worded_predicates import PRIME

__all__ = ["NUMBERS"]

_MODEST = 100_000


def _pair(scene: Scene, match: re.Match[str], kind: str) -> tuple[str, str, tuple[str, ...]] | None:
    """Return the two numbers that a phrase names, or the only two parameters for "two numbers"."""
    words = re.sub(r"\b(?:two|the|both|given|numbers?|integers?|positive|values?)\b", " ", match["pair"])
    names = re.split(r"\s*,\s*|\s+and\s+", words.strip(" ,")) if words.strip() else list(scene.parameters)
    found = [name for each in names if (name := scene.named(each.strip())) is not None]
    if len(found) != 2 or len(names) != 2 or found[0] == found[1]:
        return None
    if any(scene.kind(name) not in {"", "int", "number"} for name in found):
        return None
    return found[0], found[1], (kind_guard(found[0], kind), kind_guard(found[1], kind))


def _integer(scene: Scene, match: re.Match[str], least: int) -> tuple[str, tuple[str, ...]] | None:
    phrase = re.sub(r"^(?:a |an |the )?(?:(?:given|positive|natural) )*(?:number|integer|input)? ?", "", match["n"])
    name = scene.number(phrase) if phrase else scene.number("the " + match["n"])
    if name is None or name not in scene.parameters:
        return None
    return name, (kind_guard(name, "int"), f"{least} <= {name} <= {_MODEST}")


def _sum(scene: Scene, match: re.Match[str]) -> Claim | None:
    pair = _pair(scene, match, "number")
    return number(f"{pair[0]} + {pair[1]}", *pair[2]) if pair is not None else None


def _product(scene: Scene, match: re.Match[str]) -> Claim | None:
    pair = _pair(scene, match, "number")
    return number(f"{pair[0]} * {pair[1]}", *pair[2]) if pair is not None else None


def _difference(scene: Scene, match: re.Match[str]) -> Claim | None:
    pair = _pair(scene, match, "number")
    if pair is None:
        return None
    sides = "result" if match["absolute"] else "abs(result)"
    return Claim(f"abs({sides} - abs({pair[0]} - {pair[1]})) <= 1e-6 * max(1, abs({pair[0]}), abs({pair[1]}))", pair[2])


def _divisor(scene: Scene, match: re.Match[str]) -> Claim | None:
    pair = _pair(scene, match, "int")
    if pair is None:
        return None
    first, second, guards = pair
    function = "math.lcm" if match["which"] == "multiple" else "math.gcd"
    return number(f"{function}({first}, {second})", *guards, f"{first} > 0", f"{second} > 0")


def _larger(scene: Scene, match: re.Match[str]) -> Claim | None:
    pair = _pair(scene, match, "number")
    function = "max" if match["which"] in {"larger", "greater", "bigger", "maximum", "largest"} else "min"
    return number(f"{function}({pair[0]}, {pair[1]})", *pair[2]) if pair is not None else None


def _absolute(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = scene.number(match["n"])
    return number(f"abs({name})", kind_guard(name, "number")) if name in scene.parameters and name else None


def _factorial(scene: Scene, match: re.Match[str]) -> Claim | None:
    found = _integer(scene, match, 0)
    if found is None:
        return None
    name, guards = found
    return number(f"math.factorial({name})", *guards, f"{name} <= 60")


def _fibonacci(scene: Scene, match: re.Match[str]) -> Claim | None:
    found = _integer(scene, match, 1)
    if found is None:
        return None
    near = [f"round(((1 + 5 ** 0.5) / 2) ** ({found[0]} + {shift}) / 5 ** 0.5)" for shift in (-1, 0, 1)]
    return Claim(f"result in ({', '.join(near)})", (*found[1], f"{found[0]} <= 60"))


def _fraction(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = scene.number(match["n"])
    if name is None or name not in scene.parameters:
        return None
    return number(f"{name} - {name} // 1", kind_guard(name, "number"), f"{name} >= 0")


def _sum_to(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = scene.number(match["n"])
    if name is None or name not in scene.parameters:
        return None
    first = "0" if match["first"] in {"0", "zero"} else "1"
    return number(f"sum(range({first}, {name} + 1))", kind_guard(name, "int"), f"0 <= {name} <= {_MODEST}")


def _digits(scene: Scene, match: re.Match[str]) -> Claim | None:
    integers = [name for name in scene.parameters if scene.kind(name) in {"int", "number"}]
    if match["n"] is None and len(integers) != 1:
        return None
    found = (
        _integer(scene, match, 0)
        if match["n"]
        else (integers[0], (kind_guard(integers[0], "int"), f"{integers[0]} > 0"))
    )
    if found is None:
        return None
    test = {"even": "int(c_) % 2 == 0", "odd": "int(c_) % 2 == 1", "": "True"}[(match["which"] or "").strip()]
    value = "1" if match["what"] in {"number", "count"} else "int(c_)"
    function = "math.prod" if match["what"] == "product" else "sum"
    return number(f"{function}({value} for c_ in str({found[0]}) if {test})", *found[1])


def _power(scene: Scene, match: re.Match[str]) -> Claim | None:
    base, power, modulus = (scene.number(match[each]) for each in ("base", "power", "modulus"))
    if base is None or power is None or modulus is None:
        return None
    guards = [kind_guard(each, "int") for each in (base, power, modulus) if each in scene.parameters]
    return number(f"pow({base}, {power}, {modulus})", *guards, f"{power} >= 0", f"{modulus} > 0")


def _prime_factors(scene: Scene, match: re.Match[str]) -> Claim | None:
    found = _integer(scene, match, 2)
    if found is None:
        return None
    name, guards = found
    order = " and list(result) == sorted(result)" if match["order"] else ""
    prime = PRIME.replace("{x}", "p_")
    return Claim(
        f"all({prime} and {name} % p_ == 0 for p_ in result) and "
        f"all(d_ in result for d_ in range(2, {name} + 1) if {name} % d_ == 0 and {PRIME.replace('{x}', 'd_')}){order}",
        (*guards, f"{name} <= 3000"),
    )


def _largest_prime_factor(scene: Scene, match: re.Match[str]) -> Claim | None:
    found = _integer(scene, match, 2)
    if found is None:
        return None
    prime = PRIME.replace("{x}", "d_")
    function = "max" if match["which"] == "largest" else "min"
    chosen = f"{function}(d_ for d_ in range(2, {found[0]} + 1) if {found[0]} % d_ == 0 and {prime})"
    return number(chosen, *found[1], f"{found[0]} <= 3000")


def _largest_divisor(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = scene.number(match["n"])
    if name is None or name not in scene.parameters:
        return None
    other = scene.number(match["bound"])
    if other != name:
        return None
    chosen = f"max(d_ for d_ in range(1, {name}) if {name} % d_ == 0)"
    return number(chosen, kind_guard(name, "int"), f"2 <= {name} <= {_MODEST}")


def _in_base(base: str, value: str) -> str:
    """Return the condition that the result is how a value is written in a base, with or without ``0b`` before it."""
    digits = f"all(c_ in '0123456789abcdef'[:{base}] for c_ in r_)"
    written = "str(result).lower().removeprefix('0b').removeprefix('0o').removeprefix('0x')"
    return f"(lambda r_: r_ != '' and {digits} and int(r_, {base}) == {value})({written})"


def _binary(scene: Scene, match: re.Match[str]) -> Claim | None:
    found = _integer(scene, match, 1)
    base = {"binary": "2", "octal": "8", "hexadecimal": "16"}[match["base"]]
    return Claim(_in_base(base, found[0]), found[1]) if found is not None else None


def _converted(scene: Scene, match: re.Match[str]) -> Claim | None:
    value, base = scene.number(match["n"]), scene.number(match["base"])
    if value not in scene.parameters or base not in scene.parameters or value is None or base is None:
        return None
    guards = (kind_guard(value, "int"), kind_guard(base, "int"), f"{value} >= 1", f"2 <= {base} <= 10")
    return Claim(_in_base(base, value), guards)


def _raised(scene: Scene, match: re.Match[str]) -> Claim | None:
    base, power = scene.number(match["base"]), scene.number(match["power"])
    if base is None or power is None:
        return None
    guards = [kind_guard(each, "int") for each in (base, power) if each in scene.parameters]
    return number(f"{base} ** {power}", *guards, f"0 <= {power} <= 60", f"abs({base}) <= 1000")


def _divisors(scene: Scene, match: re.Match[str]) -> Claim | None:
    found = _integer(scene, match, 1)
    if found is None:
        return None
    wanted = f"{{d_ for d_ in range(1, {found[0]} + 1) if {found[0]} % d_ == 0}}"
    return Claim(f"set(result) == {wanted}", (*found[1], f"{found[0]} <= 3000"))


def _primes(scene: Scene, match: re.Match[str]) -> Claim | None:
    found = _integer(scene, match, 2)
    if found is None:
        return None
    name = found[0]
    not_prime = f"not {PRIME.replace('{x}', name)}"
    wanted = f"{{d_ for d_ in range(2, {name}) if {PRIME.replace('{x}', 'd_')}}}"
    return Claim(f"set(result) == {wanted}", (*found[1], f"{name} <= 3000", not_prime))


_PAIR = r"(?P<pair>.+)"
_N = r"(?P<n>.+)"
NUMBERS: tuple[Form, ...] = (
    form("sum_of_two", "the result is the sum of two numbers", "Add two numbers x and y.",
         rf"(?:adds?|return sum of|sums?) {_PAIR}", _sum),
    form("product_of_two", "the result is the product of two numbers", "Return the product of a and b.",
         rf"(?:multiply|multiplies|return product of) {_PAIR}", _product),
    form("difference", "the result is the difference of two numbers, its sign left open",
         "Return the absolute difference between a and b.",
         rf"return (?P<absolute>absolute )?difference (?:between|of) {_PAIR}", _difference),
    form("greatest_common_divisor", "the result is the greatest common divisor or least common multiple",
         "Return the greatest common divisor of a and b.",
         rf"return (?:greatest|least|lowest|highest) common (?P<which>divisor|factor|multiple)"
         rf"(?: \((?:gcd|lcm|hcf)\))? of {_PAIR}", _divisor),
    form("larger_of_two", "the result is the larger (smaller) of two numbers", "Return the larger of two numbers.",
         rf"return (?P<which>larger|greater|bigger|smaller|lesser|maximum|minimum|largest|smallest) of {_PAIR}",
         _larger),
    form("absolute_value", "the result is the absolute value", "Return the absolute value of x.",
         rf"return absolute value of {_N}", _absolute),
    form("factorial", "the result is the factorial", "Return the factorial of n.",
         rf"return factorial of {_N}", _factorial),
    form("fibonacci", "the result is the n-th Fibonacci number, wherever one begins to count",
         "Return the n-th Fibonacci number.", r"return (?P<n>\w+)[- ]?th (?:element of the )?fibonacci (?:number"
         r"|sequence)",
         _fibonacci),
    form("fractional_part", "the result is what follows the decimal point, for numbers that are not negative",
         "Return the decimal part of the number.", rf"return (?:decimal|fractional) part of {_N}", _fraction),
    form("sum_from_one_to", "the result is the sum of the integers up to a number", "Return the sum of numbers from "
    "1 to n.",
         r"(?:return sum of|sums?|adds?)(?: all)?(?: the)? (?:numbers|integers) from (?P<first>0|zero|1|one) (?:up "
         r")?to "
         rf"{_N}", _sum_to),
    form("digits", "the result is the sum or number of the decimal digits", "Return the sum of the digits of n.",
         rf"return (?P<what>sum|product|number|count) of (?:all )?(?:the |its )?(?P<which>even |odd )?(?:decimal "
         rf")?digits"
         rf"(?: (?:of|in) {_N})?", _digits),
    form("power_modulo", "the result is a power modulo a number", "Return 2^n modulo p.",
         r"return (?P<base>\w+) ?(?:\^|\*\*|to the power(?: of)?) ?(?P<power>\w+),? (?:modulo|mod|%) (?P<modulus>\w+)"
         r"(?: \(.*\))?", _power),
    form("prime_factors", "the result holds exactly the primes that divide a number",
         "Return list of prime factors of n in ascending order.",
         r"return list of prime factors of (?P<n>.+?)(?P<order>,? (?:in (?:the )?(?:ascending|increasing) order"
         r"|in the order from smallest to largest))?", _prime_factors),
    form("extreme_prime_factor", "the result is the largest (smallest) prime that divides a number",
         "Return the largest prime factor of n.", rf"return (?P<which>largest|smallest) prime (?:factor|divisor) of "
         rf"{_N}",
         _largest_prime_factor),
    form("largest_proper_divisor", "the result is the largest divisor below the number",
         "Return the largest number that divides n evenly, smaller than n.",
         r"return largest (?:number|integer) that divides (?P<n>\w+)(?: evenly)?,? (?:smaller|less) than "
         r"(?P<bound>\w+)",
         _largest_divisor),
    form("notation", "the result, read in a base, is the number", "Return the binary representation of n.",
         rf"return (?P<base>binary|octal|hexadecimal) (?:representation|form|string) of {_N}", _binary),
    form("base_conversion", "the result, read in the base, is the number", "Convert the number x to base b.",
         r"(?:change|changes|convert|converts) (?:the )?(?:numerical )?(?:base of )?(?P<n>(?:the )?(?:input "
         r")?(?:number |integer )?\w+)"
         r" (?:to|into) (?:the )?(?:given )?(?:base )?(?P<base>\w+)", _converted),
    form("power", "the result is a power", "Return x raised to the power n.",
         r"return (?P<base>.+?) (?:raised )?to the (?:power(?: of)?) (?P<power>.+)", _raised),
    form("divisors", "the result holds exactly the divisors of a number", "Return the list of all divisors of n.",
         r"return (?:(?:sorted )?list of )?(?:all )?(?:the )?(?:positive )?(?:divisors|factors) of (?P<n>.+)",
         _divisors),
    form("primes_below", "the result holds exactly the primes below a number, which itself is none",
         "Return all primes up to n.",
         r"return (?:(?:sorted )?list of )?(?:all )?(?:the )?(?:primes|prime numbers) (?:up to|less than|below"
         r"|smaller than"
         r"|not greater than) (?P<n>.+)", _primes),
)  # fmt: skip
