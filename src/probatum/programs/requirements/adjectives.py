"""What documents say of a value: "positive", "at least 1", "between 0 and n", "sorted", "one of 'a', 'b'".

Every reader takes a place in the tokens of a sentence and returns the conditions that hold of a subject together with
the place after them. Refuses what it does not understand to the last word: the caller sees where reading ended.
"""

from __future__ import annotations

from probatum.programs.reading.scanning import word_set
from probatum.programs.requirements.phrases import Tokens
from probatum.programs.requirements.vocabulary import (
    ADJECTIVES,
    BOUNDS,
    CASED,
    CLASSES,
    MADE_OF,
    OPEN_TAIL,
    ORDERS,
    SIZES,
    UNITS,
    Predicate,
    Read,
    ascending,
    compared,
    descending,
    one,
    only_of,
    sized,
    strictly_ascending,
)

__all__ = [
    "bound",
    "class_of",
    "length",
    "predicate",
    "with_unit",
]

_MAX_CHOICES = 30
_DENIED = {"negative": compared(">=", "0"), "empty": SIZES["non-empty"], "zero": compared("!=", "0")}


def predicate(tokens: Tokens, at: int) -> Read | None:
    """Read what stands after "is" or "must be": an adjective, a bound, a range, a choice, an order, a length."""
    for reader in (_range, _choice, bound, _signed, length, _arranged, class_of, _divisible, _adjective):
        found = reader(tokens, at)
        if found is not None:
            return found
    return None


def _adjective(tokens: Tokens, at: int) -> Read | None:
    if tokens.low(at) == "strictly":
        at += 1
    word = tokens.low(at)
    if word == "not" and tokens.low(at + 1) in _DENIED:
        return one(_DENIED[tokens.low(at + 1)], at + 2)
    if word in ADJECTIVES:
        return one(ADJECTIVES[word], at + 1)
    if tokens.after(at, "a power of 2", "a power of two") > 0:
        return one(lambda subject: f"{subject} > 0 and {subject} & {subject} - 1 == 0", at + 4)
    if word in {"0", "zero"}:
        return one(compared("==", "0"), at + 1)
    if word == "none":
        return one(lambda subject: f"{subject} is None", at + 1)
    return None


def _signed(tokens: Tokens, at: int) -> Read | None:
    """Read ``> 0``, ``>= 1 and <= 9``."""
    conditions: list[Predicate] = []
    while sign := tokens.comparison(at):
        amount, after = tokens.amount(at + 1)
        if not amount:
            return None
        conditions.append(compared(sign, amount))
        at = after
        joined = tokens.after(at, "and", ",")
        if joined < 0 or not tokens.comparison(joined):
            return Read(tuple(conditions), at)
        at = joined
    return None


def bound(tokens: Tokens, at: int) -> Read | None:
    for phrase, sign in BOUNDS:
        if (after := tokens.after(at, phrase)) > 0:
            return _bounded(tokens, after, sign)
    amount, after = tokens.amount(at)
    if amount:
        if (end := tokens.after(after, "or more", "or greater", "or larger", "or above", "or higher")) > 0:
            return with_unit(tokens, end, ">=", amount)
        if (end := tokens.after(after, "or less", "or fewer", "or smaller", "or below", "or lower")) > 0:
            return with_unit(tokens, end, "<=", amount)
    return None


def _bounded(tokens: Tokens, at: int, sign: str) -> Read | None:
    amount, end = tokens.amount(at)
    if not amount:
        return None
    if sign in "<>" and (further := tokens.after(end, "or equal to")) > 0:
        other, after = tokens.amount(further)
        return with_unit(tokens, after, sign + "=", amount) if other == amount else None
    read = with_unit(tokens, end, sign, amount)
    joined = tokens.after(end, "and")
    second = bound(tokens, joined) if joined > 0 and sign != "==" else None
    return read if second is None else Read((*read.conditions, *second.conditions), second.end)


def with_unit(tokens: Tokens, at: int, sign: str, amount: str) -> Read:
    """Read "3 elements", which is a length, or a bare amount."""
    if tokens.low(at) in UNITS:
        end = at + 1
        return one(sized(sign, amount), end + (tokens.low(end) in {"long"}))
    return one(compared(sign, amount), at)


def _range(tokens: Tokens, at: int) -> Read | None:
    """Read "between 1 and n (inclusive)", "in the range [0, 1)", "from 1 to 9", "in 1..9"."""
    after = tokens.after(at, "between", "from", "in the range of", "in the range from", "in the range between")
    if after < 0:
        after = tokens.after(at, "in the inclusive range", "in the closed interval", "in the interval")
    if after < 0:
        after = tokens.after(at, "in the range", "in range", "within the range", "in")
        if after < 0 or (tokens.low(at + 1) not in {"the", "range", "["} and tokens.low(at) == "in"):
            return None
    opening = tokens.low(after) if tokens.low(after) in {"[", "("} else ""
    low, middle = tokens.amount(after + bool(opening))
    joint = tokens.after(middle, "and", "to", ",", "..", "...", "-", "through") if low else -1
    high, end = tokens.amount(joint) if joint > 0 else ("", -1)
    if not high:
        return None
    signs = ("<=", "<=")
    if opening:
        closing = tokens.low(end)
        if closing not in {"]", ")"}:
            return None
        end += 1
        python_range = opening == "(" and tokens.low(at) == "in" and tokens.low(at + 1) == "range"
        signs = ("<=" if opening == "[" or python_range else "<", "<=" if closing == "]" else "<")
    if (stated := tokens.after(end, "( inclusive )", ", inclusive", "inclusive", "( both inclusive )", "included")) > 0:
        end, signs = stated, ("<=", "<=")
    elif (stated := tokens.after(end, "( exclusive )", ", exclusive", "exclusive")) > 0:
        end, signs = stated, ("<", "<")
    return one(lambda subject: f"{low} {signs[0]} {subject} {signs[1]} {high}", end)


def _choice(tokens: Tokens, at: int) -> Read | None:
    """Read "one of 'a', 'b' or 'c'", "either 0 or 1", "'a' or 'b'"."""
    stated = tokens.after(at, "one of the following :", "one of", "either", "in")
    after = max(stated, at)
    close = tokens.low(after) if tokens.low(after) in {"(", "[", "{", ":"} else ""
    after += bool(close)
    values: list[str] = []
    while len(values) < _MAX_CHOICES:
        value, end = _literal(tokens, after)
        if not value:
            break
        values.append(value)
        after = tokens.after(end, ", or", ", and", "or", ",", "and", "|", "/")
        if after < 0:
            after = end
            break
    if close in {"(", "[", "{"}:
        if tokens.low(after) not in {")", "]", "}"}:
            return None
        after += 1
    if len(values) < 2 or (stated < 0 and not all(value[0] in "'\"" for value in values)):
        return None
    listed = ", ".join(values)
    return one(lambda subject: f"{subject} in ({listed})", after)


def _literal(tokens: Tokens, at: int) -> tuple[str, int]:
    token = tokens.all[at] if 0 <= at < len(tokens.all) else None
    if token is None:
        return "", at
    if token.kind == "string" and "\\" not in token.text:
        return repr(token.text[1:-1]), at + 1
    if token.kind == "code" and token.text[:1] in "'\"" and token.text[-1:] == token.text[:1] and len(token.text) > 1:
        return repr(token.text[1:-1]), at + 1
    if token.low in {"true", "false"}:
        return token.low.capitalize(), at + 1
    if token.kind == "number" or (
        token.low == "-" and tokens.all[at + 1 : at + 2] and tokens.all[at + 1].kind == "number"
    ):
        return tokens.amount(at)
    return "", at


def length(tokens: Tokens, at: int) -> Read | None:
    """Read "of length 3", "length at least 2", "a length between 1 and 100", "a length of 5"."""
    start = tokens.after(at, "a length of", "of length", "with length", "length of", "a length", "length", "of size")
    if start < 0:
        return None
    inner = _range(tokens, start) or bound(tokens, start) or _signed(tokens, start)
    if inner is not None:
        return Read(tuple(_on_length(each) for each in inner.conditions), inner.end)
    amount, end = tokens.amount(start)
    return one(sized("==", amount), end) if amount else None


def _on_length(condition: Predicate) -> Predicate:
    return lambda subject: condition(f"len({subject})")


def _arranged(tokens: Tokens, at: int) -> Read | None:
    already = tokens.after(at, "already sorted", "pre-sorted", "sorted", "ordered", "arranged")
    start = already if already > 0 else at
    for phrase, condition in ORDERS:
        if (end := tokens.after(start, phrase)) > 0:
            return one(condition, end)
    if tokens.after(at, "strictly increasing") > 0:
        return one(strictly_ascending, at + 2)
    if tokens.after(at, "non-decreasing") > 0:
        return one(ascending, at + 1)
    if tokens.after(at, "non-increasing") > 0:
        return one(descending, at + 1)
    return one(ascending, already) if already > 0 and tokens.low(already) not in {"by", "on", "using"} else None


def class_of(tokens: Tokens, at: int) -> Read | None:
    """Read "consisting only of digits", "only lower-case letters", "lowercase"."""
    start = at
    if tokens.low(at) in MADE_OF:
        start = tokens.skip(at + 1, word_set("up of only entirely solely the characters"))
    if start == at:
        start = tokens.skip(at, word_set("only"))
    spelled = start > at
    for phrase, condition in CLASSES:
        if spelled and (end := tokens.after(start, phrase)) > 0 and tokens.low(end) not in OPEN_TAIL:
            return one(condition, end)
    if spelled and (found := _characters(tokens, start)) is not None:
        return found
    if tokens.low(at) in CASED and tokens.is_end(at + 1):
        return one(CASED[tokens.low(at)], at + 1)
    return None


def _characters(tokens: Tokens, at: int) -> Read | None:
    """Read "'(' and ')'": characters that a text is made of."""
    found = ""
    while True:
        token = tokens.all[at] if at < len(tokens.all) else None
        if token is None or token.kind not in {"string", "code"}:
            return None
        text = token.text.strip("'\"") if token.kind == "code" else token.text[1:-1]
        if len(text) != 1:
            return None
        found += text
        at += 1
        joined = tokens.after(at, ", and", ", or", "and", "or", ",")
        if joined < 0:
            return one(only_of(found), at) if len(found) > 1 else None
        at = joined


def _divisible(tokens: Tokens, at: int) -> Read | None:
    start = tokens.after(at, "divisible by", "a multiple of", "multiple of", "evenly divisible by")
    amount, end = tokens.amount(start) if start > 0 else ("", -1)
    return one(lambda subject: f"{subject} % {_operand(amount)} == 0", end) if amount else None


def _operand(amount: str) -> str:
    return f"({amount})" if " " in amount else amount
