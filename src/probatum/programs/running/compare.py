"""Comparing what a program answered with what its document says, by value and never by text of a value.

Floats agree within a relative tolerance of 1e-6, all other numbers exactly. A value that agrees only after rounding to
the digits that the document writes, or as another kind of number (1 for True), is *near*: that neither holds nor
refutes. An exhausted budget and an operation that the sandbox denies leave the clause undecided.
"""

from __future__ import annotations

import builtins
import math
import re
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from numbers import Number
from typing import Any

from probatum.core.canonical import JsonValue
from probatum.core.messages import writable
from probatum.core.tagged import NotPlainDataError, tagged
from probatum.programs.parsing.value_texts import value_text
from probatum.programs.record import CheckState
from probatum.programs.running.checks import PlannedCheck
from probatum.programs.specification import Expectation, PrintsText, RaisesError, ReprIs, ValueIs
from probatum.sandbox import (
    Declared,
    Derived,
    Handle,
    Lost,
    LostReason,
    NotPlain,
    Raised,
    Reply,
    Returned,
    plain,
    refused,
)

RELATIVE_TOLERANCE = 1e-6
ZERO_TOLERANCE = 1e-9
"""How far from a documented zero a float may be; nothing else has an absolute tolerance."""
_MOST_MATCHED = 200
"""Members of a set that are looked for among those of another one, where neither has the very same."""

_SET = re.compile(r"\{([^{}:]*)\}")
_FLOAT = re.compile(r"[0-9]+\.[0-9]+(?:e[+-]?[0-9]+)?")
_OLD_ERROR = re.compile(r"((?:Error|Exception|Warning)\([^()]*),\)")
_NOISY_DIGITS = 15


class Agreement(IntEnum):
    """How well two values agree, weakest first."""

    DIFFERENT = 0
    UNKNOWN = 1
    NEAR = 2
    EQUAL = 3


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a comparison came to, with the observation in words for people."""

    state: CheckState
    observed: str
    note: str = ""


def compare(expectation: Expectation, reply: Reply) -> Comparison:
    """Compare a reply with an expectation; what fails where the sandbox lacks something is undecided.

    So is what holds there, unless all that it lacks may be missing on an ordinary machine as well.
    """
    found = _compare(expectation, reply)
    denied = () if isinstance(reply, Lost) else reply.denied
    if (found.state is CheckState.FAILS and denied) or (found.state is CheckState.HOLDS and refused(denied)):
        return Comparison(CheckState.UNDECIDED, found.observed, lacking(denied))
    return found


def lacking(denied: Iterable[str]) -> str:
    """Say what a program asked for in vain."""
    return f"it asked for what the sandbox does not have: {', '.join(denied)}"


def _compare(expectation: Expectation, reply: Reply) -> Comparison:
    observed = describe(reply)
    if isinstance(reply, Lost):
        if reply.reason is LostReason.EXIT:
            return Comparison(CheckState.FAILS, observed, "the program ended its own process")
        return Comparison(CheckState.UNDECIDED, observed, reply.detail)
    if isinstance(expectation, RaisesError):
        return _compare_exception(expectation, reply, observed)
    if isinstance(reply, Raised):
        return Comparison(CheckState.FAILS, observed)
    if isinstance(expectation, PrintsText):
        return _compare_texts(_lines(expectation.text), _lines(reply.output), _shorten(repr(reply.output)))
    if isinstance(expectation, ReprIs):
        if not isinstance(reply.value, str):
            note = "the result is not plain data, and its text was not asked for"
            return Comparison(CheckState.UNDECIDED, observed, note)
        return _compare_texts(expectation.text, reply.value, observed)
    state, note = _BY_AGREEMENT[agree(expectation.value, reply.value)]
    return Comparison(state, observed, note)


def state_of(check: PlannedCheck, reply: Reply) -> CheckState:
    """Return what a reply makes of a check."""
    return compare(check.example.expectation, reply).state


def state_as_answered(check: PlannedCheck, reply: Reply) -> CheckState:
    """Return the same, whatever the sandbox lacks."""
    return _compare(check.example.expectation, reply).state


def _compare_exception(expectation: RaisesError, reply: Raised | Returned, observed: str) -> Comparison:
    wanted = expectation.type_name
    names = (reply.type_name, *reply.bases) if isinstance(reply, Raised) else ()
    if any(_is_exception(wanted, name) for name in names):
        return Comparison(CheckState.HOLDS, observed)
    last = wanted.rpartition(".")[2]
    if namesake := next((name for name in names if name.rpartition(".")[2] == last), ""):
        return Comparison(CheckState.UNDECIDED, observed, f"{namesake} is another class than {wanted}")
    return Comparison(CheckState.FAILS, observed)


def _is_exception(wanted: str, name: str) -> bool:
    """True where a class of this qualified name is the one that a document means by ``wanted``."""
    known = getattr(builtins, wanted.removeprefix("builtins."), None)
    if isinstance(known, type):
        return name == known.__name__
    top, _, rest = wanted.partition(".")
    if name.rpartition(".")[2] != wanted.rpartition(".")[2]:
        return False
    if rest and top in sys.stdlib_module_names:
        # Where a class is defined and where it is documented differ; some are other names of built-in ones.
        return "." not in name or name.partition(".")[0] in sys.stdlib_module_names
    return not rest or "." in name


_BY_AGREEMENT = {
    Agreement.EQUAL: (CheckState.HOLDS, ""),
    Agreement.NEAR: (
        CheckState.UNDECIDED,
        "the result agrees only after rounding, or as another kind of number than the document writes",
    ),
    Agreement.UNKNOWN: (CheckState.UNDECIDED, "the result is not plain data"),
    Agreement.DIFFERENT: (CheckState.FAILS, ""),
}


def _lines(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def _compare_texts(expected: str, observed: str, shown: str) -> Comparison:
    if expected == observed:
        return Comparison(CheckState.HOLDS, shown)
    left, right = without_chance(expected), without_chance(observed)
    noise = zip(_FLOAT.findall(left), _FLOAT.findall(right), strict=False)
    if _FLOAT.sub("0.", left) == _FLOAT.sub("0.", right) and all(a == b or _is_noise(a, b) for a, b in noise):
        note = "the texts differ by the order of a set, by rounding, or as versions and platforms do"
        return Comparison(CheckState.UNDECIDED, shown, note)
    return Comparison(CheckState.FAILS, shown)


def without_chance(text: str) -> str:
    """Return a text as it is the same for every order of a set, every platform and every version of Python."""
    text = _SET.sub(lambda found: "{" + ", ".join(sorted(found[1].split(", "))) + "}", text)
    return _OLD_ERROR.sub(r"\1)", text.replace("WindowsPath(", "PosixPath("))


def _is_noise(first: str, second: str) -> bool:
    long = max(sum(map(str.isdigit, each)) for each in (first, second)) >= _NOISY_DIGITS
    return long and math.isclose(float(first), float(second), rel_tol=1e-9)


def agree(expected: object, observed: object) -> Agreement:
    """Compare two plain values; shared structure may be cyclic in neither."""
    if isinstance(observed, Handle | NotPlain):
        return Agreement.DIFFERENT if expected is None else Agreement.UNKNOWN
    if isinstance(observed, Derived):
        return _agree_content(expected, observed)
    if isinstance(expected, bool) != isinstance(observed, bool):
        # Python calls True and 1 equal; a document that shows one of them means that one.
        return Agreement.NEAR if expected == observed else Agreement.DIFFERENT
    if isinstance(expected, float | complex) or isinstance(observed, float | complex):
        return _agree_numbers(expected, observed)
    if isinstance(expected, list | tuple):
        if type(observed) is not type(expected) or len(observed) != len(expected):
            return Agreement.DIFFERENT
        pairs = zip(expected, observed, strict=True)
        return min((agree(left, right) for left, right in pairs), default=Agreement.EQUAL)
    if isinstance(expected, dict):
        return _agree_dictionaries(expected, observed)
    if isinstance(expected, set | frozenset) and isinstance(observed, set | frozenset):
        return _agree_sets(expected, observed)
    if isinstance(observed, Declared):
        return Agreement.EQUAL if expected == observed else Agreement.UNKNOWN
    return Agreement.EQUAL if expected == observed else Agreement.DIFFERENT


def _agree_content(expected: object, observed: Derived) -> Agreement:
    """Compare with content: where its class has a word of its own in it, only that what it says agrees, or differs."""
    agreement = agree(expected, observed.content)
    is_open = observed.speaks if agreement is Agreement.DIFFERENT else observed.reads
    return Agreement.UNKNOWN if is_open else agreement


def _agree_numbers(expected: object, observed: object) -> Agreement:
    if not isinstance(expected, Number) or not isinstance(observed, Number):
        return Agreement.DIFFERENT
    if isinstance(expected, int) and isinstance(observed, float):
        return _agree_whole(expected, observed)
    try:
        if isinstance(expected, complex) or isinstance(observed, complex):
            left, right = _as_complex(expected), _as_complex(observed)
            return min(_agree_floats(left.real, right.real), _agree_floats(left.imag, right.imag))
        return _agree_floats(float(expected), float(observed))  # type: ignore[arg-type]  # both are real numbers
    except OverflowError:
        return Agreement.EQUAL if expected == observed else Agreement.DIFFERENT


def _agree_whole(expected: int, observed: float) -> Agreement:
    if observed.is_integer() and int(observed) == expected:
        return Agreement.EQUAL
    is_close = abs(expected) < 2**53 and math.isclose(expected, observed, rel_tol=RELATIVE_TOLERANCE)
    return Agreement.NEAR if is_close else Agreement.DIFFERENT


def _as_complex(number: Number) -> complex:
    return number if isinstance(number, complex) else complex(float(number))  # type: ignore[arg-type]  # a real number


def _agree_floats(expected: float, observed: float) -> Agreement:
    if math.isnan(expected) or math.isnan(observed):
        return Agreement.EQUAL if math.isnan(expected) and math.isnan(observed) else Agreement.DIFFERENT
    if expected == observed or math.isclose(expected, observed, rel_tol=RELATIVE_TOLERANCE):
        return Agreement.EQUAL
    if expected == 0 and abs(observed) <= ZERO_TOLERANCE:
        return Agreement.EQUAL
    _, _, decimals = repr(expected).partition(".")
    written = len(decimals) if decimals.isdigit() else 0
    if written >= 2 and math.isfinite(observed) and round(observed, written) == expected:
        return Agreement.NEAR
    return Agreement.DIFFERENT


def _agree_dictionaries(expected: dict[object, object], observed: object) -> Agreement:
    if not isinstance(observed, dict):
        return Agreement.DIFFERENT
    if expected.keys() != observed.keys():
        try:
            content = {plain(key): value for key, value in observed.items()}
        except TypeError:
            return Agreement.UNKNOWN  # Keys of a kind that Python itself could not look up by content.
        if expected.keys() != content.keys() or len(content) < len(observed):
            return _unlike(observed)
        observed = content
    return min((agree(value, observed[key]) for key, value in expected.items()), default=Agreement.EQUAL)


def _agree_sets(expected: set[object] | frozenset[object], observed: set[object] | frozenset[object]) -> Agreement:
    if expected == observed:
        return Agreement.EQUAL
    # What is exactly the same is its own match; only the rest is looked through, member by member.
    wanted, unmatched = list(expected - observed), list(observed - expected)
    if len(wanted) != len(unmatched):
        return _unlike(observed)
    if all(isinstance(each, int | float) and math.isfinite(each) for each in (*wanted, *unmatched)):
        pairs = zip(sorted(wanted), sorted(unmatched), strict=True)  # type: ignore[type-var]  # they are numbers
        return Agreement.EQUAL if all(agree(*pair) is Agreement.EQUAL for pair in pairs) else Agreement.DIFFERENT
    if len(wanted) > _MOST_MATCHED:
        return Agreement.UNKNOWN
    for item in wanted:
        match = next((other for other in unmatched if agree(item, other) is Agreement.EQUAL), unmatched)
        if match is unmatched:
            return _unlike(observed)
        unmatched.remove(match)
    return _unlike(observed) if unmatched else Agreement.EQUAL


def _unlike(members: Iterable[object]) -> Agreement:
    return Agreement.UNKNOWN if any(map(_is_open, members)) else Agreement.DIFFERENT


def _is_open(key: object) -> bool:
    """Tell whether a key, or a member of a set, may equal whatever its own class says."""
    if isinstance(key, tuple | frozenset):
        return any(map(_is_open, key))
    return key.speaks if isinstance(key, Derived) else isinstance(key, Handle | NotPlain | Declared)


def describe(reply: Reply) -> str:
    """Say in a few words what a reply is."""
    if isinstance(reply, Returned):
        return _shorten(show(reply.value))
    if isinstance(reply, Raised):
        return _shorten(f"raises {reply.type_name}" + (f": {reply.text}" if reply.text else ""))
    return f"no answer ({reply.reason.value})"


def show(value: object) -> str:
    """Write a received value as Python source where it is plain, else as a description."""
    if isinstance(value, Handle):
        return f"<{value.type_name}>"
    if isinstance(value, Declared):
        inner = ", ".join(f"{name}={show(item)}" for name, item in value.fields)
        return f"{value.type_name}({inner})"
    return value_text(value)


def _shorten(text: str, limit: int = 300) -> str:
    text = writable(text)
    return text if len(text) <= limit else text[: limit - 3] + "..."


_PLAINER: Mapping[type, Callable[[Any], object]] = {
    **dict.fromkeys((OrderedDict, Counter, defaultdict), dict),
    deque: list,
    bytearray: bytes,
}
NAMED_KINDS: Mapping[str, Callable[[Any], object]] = {
    **{kind.__name__: kind for kind in _PLAINER},
    "defaultdict": lambda held: defaultdict(None, held),
}
"""Built-in types of observed values that have no tag of their own."""


def observation(reply: Reply) -> JsonValue:
    """Return the JSON form of a reply that a record retains; equal observations have equal forms."""
    if isinstance(reply, Returned):
        seen: dict[str, JsonValue] = {"value": _observed_value(reply.value)}
        return {**seen, "output": tagged(reply.output)} if reply.output else seen
    if isinstance(reply, Raised):
        bases: list[JsonValue] = [writable(name) for name in reply.bases]
        return {"raises": writable(reply.type_name), "bases": bases}
    return {"lost": reply.reason.value}


def _observed_value(value: object) -> JsonValue:
    if isinstance(value, Handle | NotPlain):
        return {"$object": writable(value.type_name)}
    if isinstance(value, Declared):
        return {
            "$declared": [writable(value.type_name), [[name, _observed_value(item)] for name, item in value.fields]]
        }
    if isinstance(value, Derived):
        return {"$derived": [writable(value.body.type_name), _observed_value(value.content)]}
    if type(value) in _PLAINER:
        return {"$kind": [type(value).__name__, _observed_value(_PLAINER[type(value)](value))]}
    try:
        return tagged(plain(value))
    except NotPlainDataError:
        return {"$object": type(value).__name__}


def expected_form(expectation: Expectation) -> JsonValue:
    """Return the JSON form of an expectation that a record retains."""
    if isinstance(expectation, ValueIs):
        return {"value": _observed_value(expectation.value)}
    if isinstance(expectation, RaisesError):
        return {"raises": expectation.type_name}
    if isinstance(expectation, PrintsText):
        return {"prints": expectation.text}
    return {"repr": expectation.text}
