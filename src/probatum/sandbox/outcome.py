"""What a sandboxed process can answer, and the values that stand for what cannot leave it.

A reply is exactly one of ``Returned``, ``Raised`` and ``Lost``. There is no default: silence, garbage and a dead
process are all ``Lost``, so that nothing that a hostile program does can look like a value that it did not send.
Nothing is carried that would have to be executed in order to be looked at.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from probatum.sandbox.inside.values import MAPPINGS, SEQUENCES


@dataclass(frozen=True, slots=True)
class Handle:
    """An object that stays in the candidate; ``number`` names it in later requests to the same candidate."""

    number: int
    type_name: str

    def __repr__(self) -> str:
        return f"<{self.type_name} object at 0x...>"


@dataclass(frozen=True, slots=True)
class NotPlain:
    """A place in a value where no plain data and no handle can stand, such as a tuple inside itself."""

    type_name: str

    def __repr__(self) -> str:
        return f"<{self.type_name}>"


@dataclass(frozen=True, slots=True)
class Declared:
    """An instance of a dataclass, an enum or a named tuple that the program under test declares.

    ``type_name`` is qualified (``artifact.Point``). ``fields`` are in order of declaration; an enum's are
    ``name`` and ``value``. As an argument it is built inside the candidate, by that name. Its ``repr`` is what Python
    writes of such an object by itself.
    """

    type_name: str
    fields: tuple[tuple[str, object], ...] = ()
    is_member: bool = field(default=False, compare=False)
    """Whether it is a member of an enum."""
    hidden: frozenset[str] = field(default=frozenset(), compare=False)
    """The fields that its text leaves out."""

    def __repr__(self) -> str:
        name = _short(self.type_name)
        if self.is_member:
            held = dict(self.fields)
            return f"<{name}.{held.get('name')}: {held.get('value')!r}>"
        shown = [f"{name}={value!r}" for name, value in self.fields if name not in self.hidden]
        return f"{name}({', '.join(shown)})"


@dataclass(frozen=True, slots=True, eq=False)
class Derived:
    """An instance of a subclass of a built-in type: its content, read through the slots of the built-in type alone.

    Equal to itself alone: what it is equal to in the candidate is for its own class to say.
    """

    body: Handle | Declared
    """The object itself, as it is given back to the candidate."""
    content: object
    """An exact built-in value."""
    speaks: bool = False
    """Whether its class has an own ``__eq__`` or ``__repr__``: content that differs says nothing."""
    reads: bool = False
    """Whether its class lets its content be read otherwise than it is: content that agrees says nothing."""

    def __hash__(self) -> int:
        # By content, so that keys which are chosen to collide are seen.
        try:
            return hash(self.content)
        except TypeError:
            return object.__hash__(self)

    def __repr__(self) -> str:
        if isinstance(self.body, Declared):
            return repr(self.body)
        return f"{_short(self.body.type_name)}({self.content!r})" if self.speaks else repr(self.content)


def _short(type_name: str) -> str:
    return type_name.rsplit(".", 1)[-1]


def plain(value: Any, met: list[Derived] | None = None, known: dict[int, object] | None = None) -> Any:
    """Return a value with contents in the place of what is `Derived`, which ``met`` collects; itself where none is.

    What contains itself stays as it is.
    """
    known = {} if known is None else known
    if id(value) in known:
        return known[id(value)]
    known[id(value)] = made = value
    kind = type(value)
    if kind is Derived:
        if met is not None:
            met.append(value)
        made = plain(value.content, met, known)
    elif kind in MAPPINGS:
        pairs = [(plain(key, met, known), plain(held, met, known)) for key, held in value.items()]
        if any(key is not old or held is not value[old] for (key, held), old in zip(pairs, value, strict=True)):
            made = kind()
            for key, held in pairs:
                made[key] = held
    elif kind in SEQUENCES:
        parts = [plain(part, met, known) for part in value]
        if any(part is not old for part, old in zip(parts, value, strict=True)):
            made = deque(parts, value.maxlen) if kind is deque else kind(parts)
    known[id(value)] = made
    return made


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


OPTIONAL = {
    "path": "the file or folder",
    "module": "the module",
    "terminal": "a terminal for",
    "mention": "perhaps more memory",
}
"""How notes begin of what may be missing elsewhere too, by their kind."""


@dataclass(frozen=True, slots=True)
class Returned:
    """The request was answered. ``arguments`` and ``keyword_arguments`` are as they stood after the call.

    An object that occurs several times is one object here too, also between ``value`` and the arguments.
    ``output`` is what was printed to standard output meanwhile, cut at the budget. ``denied`` says what the program
    asked for and the sandbox does not have, each as a noun phrase; the program could have it say anything.
    """

    value: object
    arguments: tuple[object, ...] = ()
    keyword_arguments: tuple[tuple[str, object], ...] = ()
    output: str = ""
    denied: tuple[str, ...] = ()
    is_drained: bool = field(default=False, compare=False)
    """Whether ``value`` lists what a generator yielded."""


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
    denied: tuple[str, ...] = ()


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
    # Or it is marked to fail.
    SKIPPED = "skipped"
    # It passes, and nothing of the program took part in it.
    IDLE = "idle"
    # It needs to share a process with the program.
    NOT_CARRIED = "not_carried"


@dataclass(frozen=True, slots=True)
class GivenTest:
    """The outcome of one test of the user's file."""

    name: str
    outcome: TestOutcome
    message: str = ""
    # True of an error that says nothing: the process of the tests was lost, or the sandbox lacked something.
    is_lost: bool = False
    # True where the runner neither planned nor reported it: it stands for every test that is missing.
    is_absent: bool = False
    # What it relies on that does not reach a program in a process of its own; empty where nothing is known of that.
    uncarried: str = ""


Reply = Returned | Raised | Lost


def refused(denied: Iterable[str]) -> tuple[str, ...]:
    """Return what of the notes an ordinary machine has: a result that met it says nothing of any other place."""
    return tuple(each for each in denied if not each.startswith(tuple(OPTIONAL.values())))
