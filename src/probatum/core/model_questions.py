"""A question to a model and what comes of it: a value that was read strictly from the reply, or the reason for none.

A reply that is not what was asked for is shown to the model once, with what is wrong with it. Whoever asks puts what
strangers wrote inside a fence that it cannot close (`core.outside.fenced`). Refuses to guess what a reply meant: the
fence of one code block around all of it is taken off, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Generic, Protocol, TypeVar, runtime_checkable

from probatum.core.canonical import JsonValue
from probatum.core.errors import ProbatumError
from probatum.core.json_text import read_json
from probatum.core.outside import fenced, visible_lines
from probatum.core.ports import Advisor

Made = TypeVar("Made")
MOST_REPLY: Final = 400_000
"""Characters of a reply that are read."""
MOST_SHOWN: Final = 4_000
"""Characters of a wrong reply that are shown again."""
_MOST_REASON: Final = 300
_BLOCK: Final = re.compile(r"\s*(`{3,})(?:json)?[ \t]*\n(.*)\n[ \t]*\1\s*", re.DOTALL)
_AGAIN: Final = """{prompt}
Your reply to this was:
{reply}
It cannot be used: {reason}. Reply again, with JSON of the form that was asked for and nothing else.
"""


@dataclass(frozen=True, slots=True)
class ModelQuestion(Generic[Made]):
    """What a model is asked, the form of its reply, and who reads it."""

    prompt: str
    schema: Mapping[str, object]
    read: Callable[[JsonValue], Made]
    """Makes a value of the JSON of a reply; raises ValueError where that is not what was asked for."""

    def made_of(self, reply: str) -> Made:
        """Return the value of a reply; raises ValueError, with a reason that may be shown, for any other reply."""
        try:
            return self.read(json_of_reply(reply))
        except (ValueError, RecursionError) as error:
            raise ValueError(visible_lines(str(error), _MOST_REASON)) from error

    def again(self, reply: str, reason: object) -> ModelQuestion[Made]:
        """Return the question with a reply that cannot be used, and the reason."""
        prompt = _AGAIN.format(prompt=self.prompt, reply=fenced(reply[:MOST_SHOWN]), reason=reason)
        return replace(self, prompt=prompt)


@runtime_checkable
class KeepingAdvisor(Protocol):
    """An advisor that keeps a reply of the right form, so that it is not asked the same again."""

    def keep(self, reply: str, prompt: str, schema: Mapping[str, object], *, temperature: float, seed: int) -> None:
        """Keep the reply to a question; the arguments are those of `Advisor.advise`."""


@dataclass(frozen=True, slots=True)
class NoAdvice:
    """Why there is none: a code, and a sentence for a person."""

    code: str
    reason: str


def asked(advisor: Advisor, question: ModelQuestion[Made], *, seed: int = 0) -> Made | NoAdvice:
    """Return what a model says, or why it says nothing that can be used; raises nothing."""
    asking, found = question, NoAdvice("advisor.no_advice", "it was not asked")
    for _ in range(2):
        try:
            reply = str(advisor.advise(asking.prompt, question.schema, temperature=0.0, seed=seed))
        except ProbatumError as error:
            return NoAdvice(error.code, error.sentence)
        except Exception as error:  # noqa: BLE001  # whatever an advisor does, it is only advice that is missing
            return NoAdvice("advisor.no_advice", f"{type(error).__name__} in the advisor {advisor.name!r}")
        try:
            made = question.made_of(reply)
        except ValueError as error:
            found = NoAdvice("advisor.wrong_form", f"The reply of {advisor.name!r} cannot be used: {error}.")
            asking = question.again(reply, error)
        else:
            if isinstance(advisor, KeepingAdvisor):
                advisor.keep(reply, asking.prompt, question.schema, temperature=0.0, seed=seed)
            return made
    return found


def json_of_reply(reply: str) -> JsonValue:
    """Return the JSON of a reply, which may stand in one code block; raises ValueError for anything else."""
    block = _BLOCK.fullmatch(reply) if len(reply) <= MOST_REPLY else None
    return read_json(block[2] if block else reply, MOST_REPLY)  # type: ignore[return-value]  # what is read is JSON
