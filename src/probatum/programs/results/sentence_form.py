"""What a sentence form is, and how it says that a result equals a value.

A form is one way of documentation to say something of the result: a wording, what it means, and how to write that as a
condition. Refuses nothing itself; the forms do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from probatum.programs.results.nouns import Scene

__all__ = ["Claim", "Form", "boolean", "form", "listed", "number", "same", "text"]


@dataclass(frozen=True, slots=True)
class Claim:
    """What a sentence says of the result."""

    expression: str
    """A condition over the parameters and ``result``."""
    guards: tuple[str, ...] = ()
    """What must hold of the arguments for the words to be about them."""
    is_whole: bool = False
    """True when the sentence defines the result completely: another definition beside it would contradict."""
    value: str = ""
    """The result itself as an expression over the parameters, where the sentence gives it outright."""


Build = Callable[[Scene, re.Match[str]], Claim | None]


@dataclass(frozen=True, slots=True)
class Form:
    """One sentence form."""

    name: str
    says: str
    """What the form means, for the reference."""
    example: str
    """A sentence that is read by it."""
    pattern: re.Pattern[str]
    """Matched against the whole sentence from its verb on, in lower case; a verb of returning is ``return``."""
    build: Build
    keeps_article: bool = False
    """True where "a list" and "the list" mean different things: the article before what is returned is not left out."""
    of_result: bool = False
    """True when the pattern is matched, case apart, against what a sentence says of the result (`outcomes`)."""


def form(name: str, says: str, example: str, pattern: str, build: Build) -> Form:
    """Return a form with its pattern compiled."""
    return Form(name, says, example, re.compile(pattern), build)


def number(value: str, *guards: str) -> Claim:
    """Claim that the result is this number, up to rounding of floats."""
    expression = (
        f"result is not None and (lambda e_: result == e_ or abs(result - e_) <= 1e-6 * max(1, abs(e_)))({value})"
    )
    return Claim(expression, guards, is_whole=True, value=value)


def listed(value: str, *guards: str) -> Claim:
    """Claim that the result has these items in this order."""
    return Claim(f"result is not None and list(result) == list({value})", guards, is_whole=True, value=f"list({value})")


def same(left: str, right: str) -> str:
    """Return the condition that two values are equal, floats up to rounding, and not-a-number to itself."""
    return (
        "(lambda a_, b_: a_ == b_ or repr(a_) == repr(b_) or {type(a_), type(b_)} in ({float}, {int, float}) and "
        f"abs(a_ - b_) <= 1e-6 * max(1, abs(b_)))({left}, {right})"
    )


def text(value: str, *guards: str) -> Claim:
    """Claim that the result is this text."""
    return Claim(f"result == {value}", guards, is_whole=True, value=value)


def boolean(condition: str, *guards: str) -> Claim:
    """Claim that the result is true exactly under a condition."""
    return Claim(f"result == ({condition})", guards, is_whole=True, value=condition)
