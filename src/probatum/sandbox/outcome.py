"""What a sandboxed process can answer, and the values that stand for what cannot leave it.

A reply is exactly one of ``Returned``, ``Raised`` and ``Lost``. There is no default: silence, garbage and a dead
process are all ``Lost``, so that nothing that a hostile program does can look like a value that it did not send.
Nothing is carried that would have to be executed in order to be looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Handle:
    """An object that stays in the candidate; ``number`` names it in later requests to the same candidate."""

    number: int
    type_name: str


@dataclass(frozen=True, slots=True)
class NotPlain:
    """A place in a value where no plain data and no handle can stand, such as a tuple inside itself."""

    type_name: str


@dataclass(frozen=True, slots=True)
class Declared:
    """An instance of a dataclass, an enum or a named tuple that the program under test declares.

    ``type_name`` is qualified (``artifact.Point``). ``fields`` are in order of declaration; an enum's are
    ``name`` and ``value``. As an argument it is built inside the candidate, by that name.
    """

    type_name: str
    fields: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class SourceArgument:
    """An argument given as the expression that the documentation shows, evaluated inside the candidate."""

    text: str


class LostReason(StrEnum):
    """Why there is no answer. ``SETUP`` and ``ENDED`` are never the program's doing.

    After ``ARGUMENTS``, ``OUTPUT`` and ``MEMORY`` the process lives on; every other loss is its end.
    """

    # The isolation could not be set up before any of the program's bytes were there, or the worker is gone.
    SETUP = "setup"
    # The process was already ended, by the judge or by an earlier loss.
    ENDED = "ended"
    # The process ended itself, or gave up its channel.
    EXIT = "exit"
    # A signal ended the process: a crash of the interpreter, or the kernel out of memory.
    SIGNAL = "signal"
    # The budget of processor time is used up.
    CPU = "cpu"
    # The process kept the judge waiting for longer than its budget.
    WALL = "wall"
    # The budget of memory is used up.
    MEMORY = "memory"
    # The answer is larger or deeper than a reply may be.
    OUTPUT = "output"
    # The process sent something that is not one well-formed reply to the one request outstanding.
    PROTOCOL = "protocol"
    # A value could not be handed over, so that the program, or what asked it, did not get it.
    ARGUMENTS = "arguments"


@dataclass(frozen=True, slots=True)
class Returned:
    """The request was answered. ``arguments`` and ``keyword_arguments`` are as they stood after the call.

    An object that occurs several times is one object here too, also between ``value`` and the arguments.
    ``output`` is what was printed to standard output meanwhile, cut at the budget.
    """

    value: object
    arguments: tuple[object, ...] = ()
    keyword_arguments: tuple[tuple[str, object], ...] = ()
    output: str = ""


@dataclass(frozen=True, slots=True)
class Raised:
    """The request ended in an exception. ``bases`` names its whole method resolution order, itself first.

    Built-in types have their bare name (``ValueError``), others a qualified one (``artifact.MyError``).
    ``text`` is for people only: nothing is decided from it.
    """

    type_name: str
    bases: tuple[str, ...]
    text: str
    arguments: tuple[object, ...] = ()
    keyword_arguments: tuple[tuple[str, object], ...] = ()
    output: str = ""


@dataclass(frozen=True, slots=True)
class Lost:
    """The request has no answer: the process is gone, could not answer, or said what cannot be trusted."""

    reason: LostReason
    detail: str


class TestOutcome(StrEnum):
    """How a test ended."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"
    # The file itself marks it to be skipped, or to fail: it asks nothing.
    SET_ASIDE = "set_aside"
    # It needs to share a process with the program.
    NOT_CARRIED = "not_carried"


@dataclass(frozen=True, slots=True)
class GivenTest:
    """The outcome of one test of the user's file."""

    name: str
    outcome: TestOutcome
    message: str = ""
    # True of an error if the process of the tests itself was lost, so that this one says nothing.
    is_lost: bool = False
    # True where the runner neither planned nor reported it: it stands for every test that is missing.
    is_absent: bool = False
    # What it relies on that does not reach a program in a process of its own; empty where nothing is known of that.
    uncarried: str = ""


Reply = Returned | Raised | Lost
