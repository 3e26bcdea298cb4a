"""Runs predicates and tests from the user's files in a process that has no part in the program under test.

Runs inside the sandbox, standard library only. What the program offers is here a proxy: a call of it leaves this
process as a frame to the judge and comes back as a plain value or an exception. Objects of the program appear as
``Remote`` and its declared classes as ``Record``. Nothing but plain values and those two can be sent out.
"""

from __future__ import annotations

import base64
import builtins
import collections
import gc
import importlib
import json
import sys
import types
from collections.abc import Callable
from typing import Any

from . import requests, suite
from .values import Declarations, Decoder, Encoder, Wire, type_name

# Modules that an expression may use by name; imported when one does.
_OFFERED = ("collections", "datetime", "itertools", "math", "re", "statistics", "string")
_dumps = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


class CandidateLostError(BaseException):
    """The program's process is gone: nothing that is evaluated here can come to a result any more."""


class ForeignValueError(Exception):
    """A value exists only here and cannot be given to the program."""


def _refuse_truth(_self: object) -> bool:
    raise TypeError("whether an object of the program counts as true is for its own type to say")


def _special(name: str) -> Callable[..., Any]:
    """Return a special method that asks the program's object, which may turn out not to have it."""

    def method(self: Remote, *arguments: Any) -> Any:
        try:
            return self._desk.ask(f".{name}", (self, *arguments))
        except AttributeError as error:
            # As everywhere in Python: an object without the method is of the wrong type.
            raise TypeError(str(error)) from error

    return method


class Remote:
    """An object that lives in the program's process; reading an attribute of it or calling it asks there."""

    def __init__(self, desk: Desk, number: int, kind: str) -> None:
        self._desk = desk
        self._number = number
        self._kind = kind

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._desk.ask(f"?.{name}", (self,))

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self._desk.ask(".__call__", (self, *arguments), keywords)

    def __iter__(self) -> Any:
        done = False
        while not done:
            values, done = self._desk.ask("*", (self,))
            yield from values

    __next__ = _special("__next__")
    __len__ = _special("__len__")
    __getitem__ = _special("__getitem__")
    __setitem__ = _special("__setitem__")
    __contains__ = _special("__contains__")
    __bool__ = _refuse_truth

    def __eq__(self, other: object) -> bool:
        """Compare by value, here: the program is never asked whether something of its own is equal."""
        mine = self._desk.ask("=", (self,))
        theirs = self._desk.ask("=", (other,)) if type(other) is Remote else other
        if type(mine) is not Remote:
            return bool(mine == theirs)
        if type(theirs) is Remote and theirs._number == self._number:
            return True
        raise TypeError(f"an object of type {self._kind} can only be compared inside the program's process")

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<{self._kind} in the program's process>"


class Function:
    """A function or class of the program, by its dotted name."""

    def __init__(self, desk: Desk, name: str, is_class: bool = False) -> None:
        self._desk = desk
        self._path = name
        self._is_class = is_class
        self.__name__ = name.rsplit(".", 1)[-1]

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self._desk.ask("+" + self._path if self._is_class else self._path, arguments, keywords)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._desk.member(f"{self._path}.{name}")


class ProgramModule(types.ModuleType):
    """What ``import artifact`` gives in a test file: every name of it is asked for when it is used."""

    def __init__(self, desk: Desk, names: list[str]) -> None:
        super().__init__("artifact")
        self._desk = desk
        self.__all__ = [name for name in names if not name.startswith("_")]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._desk.member(name)


class Record:
    """A dataclass, enum or named tuple of the program: its type's name and its fields, equal by both."""

    def __init__(self, kind: str, fields: dict[str, Any]) -> None:
        self._kind = kind
        self._fields = fields

    def __getattr__(self, name: str) -> Any:
        # Through the dictionary: a copy is asked for attributes before it has any.
        fields = self.__dict__.get("_fields", {})
        if name not in fields:
            raise AttributeError(name)
        return fields[name]

    __bool__ = _refuse_truth

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and (self._kind, self._fields) == (other._kind, other._fields)

    def __hash__(self) -> int:
        return hash((self._kind, tuple(self._fields.items())))

    def __repr__(self) -> str:
        return f"{self._kind}({', '.join(f'{name}={value!r}' for name, value in self._fields.items())})"


class _QuestionEncoder(Encoder):
    """Writes what may leave: plain values, remote objects and records; ``strict`` refuses all else."""

    strict = True

    def _name(self, value: Any, kind: type) -> str:
        return str(value._kind)

    def _fields(self, value: Any, kind: type) -> list[tuple[str, Any]] | None:
        return list(value._fields.items()) if kind is Record else None

    def _base(self, kind: type) -> None:
        return None  # The program is given its own objects and plain values alone.

    def _foreign(self, value: Any, kind: type) -> Wire:
        if kind is Remote:
            return ["h", value._number, value._kind]
        if self.strict:
            raise ForeignValueError(f"an object of type {type_name(kind)} cannot be given to the program's process")
        return ["n", type_name(kind)]


class _AnswerDecoder(Decoder):
    """Reads the judge's answers: objects of the program become remote ones, declared ones records."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(Declarations(), _no_source)
        self._desk = desk

    def _stranger(self, wire: Wire) -> object:
        return Remote(self._desk, wire[1] if wire[0] == "h" else 0, wire[-1])

    def _build(self, wire: Wire) -> object:
        return Record(wire[1], {wire[i]: self.decode(wire[i + 1]) for i in range(2, len(wire), 2)})


def _no_source(text: str) -> object:
    raise ValueError(f"a source is not an answer: {text}")


class Desk:
    """Serves the judge's requests for evaluation, and puts this process's own questions to the judge."""

    def __init__(self, channel: requests.Frames, reply_bytes: int, output_bytes: int, depth: int) -> None:
        self._channel = channel
        self._reply_bytes = reply_bytes
        self._depth = depth
        self._output = requests.CappedOutput(output_bytes)
        self._number = b""
        self._exceptions: dict[str, type[BaseException]] = {}

    def serve(self) -> None:
        """Answer requests until the judge ends the channel."""
        sys.stdout = self._output.text_layer()
        gc.enable()
        while True:
            self._number, request = self._channel.receive()
            self._channel.send(self._number, self._answer(request))

    def ask(self, target: str, arguments: tuple[Any, ...], keywords: dict[str, Any] | None = None) -> Any:
        """Have the judge do ``target`` in the program's process; return the value or raise the exception.

        ``f`` calls a function, ``+C`` constructs, ``.m`` calls a method of the first argument, ``?n`` reads a
        name, ``?.n`` an attribute of the first argument, ``*`` draws from it, ``=`` reads it by value.
        """
        writer = _QuestionEncoder(Declarations(), self._depth, self._reply_bytes // 2, {})
        try:
            positional = [writer.encode(part) for part in arguments]
            keyword = [part for name, item in (keywords or {}).items() for part in (name, writer.encode(item))]
        except ForeignValueError as error:
            self._report(["unsent", str(error)])
            raise CandidateLostError(str(error)) from error
        # Under the number of the evaluation that is under way: the judge tells a question from a reply by its form.
        self._channel.send(self._number, _dumps(["ask", target, positional, keyword]).encode())
        _, answer = self._channel.receive()
        if answer[0] == "lost":
            raise CandidateLostError(answer[1])
        reader = _AnswerDecoder(self)
        has_raised = answer[0] == "raised"
        value = None if has_raised else reader.decode(answer[1])
        passed = (*arguments, *(keywords or {}).values())
        for given, after in zip(passed, [reader.decode(part) for part in answer[-1]], strict=False):
            _follow(given, after)
        if has_raised:
            raise self.exception(answer[2])(answer[3])
        return value

    def member(self, path: str) -> Any:
        """Return what a dotted name of the program stands for: a value, a function, a class, an exception."""
        found = self.ask(f"?{path}", ())
        if type(found) is not Remote or found._kind not in ("function", "type", "builtin_function_or_method"):
            return found
        if found._kind != "type":
            return Function(self, path)
        bases = [self._qualified(base) for base in self.ask("?.__mro__", (found,))]
        return self.exception(bases) if "BaseException" in bases else Function(self, path, is_class=True)

    def _qualified(self, kind: Any) -> str:
        module, name = self.ask("?.__module__", (kind,)), self.ask("?.__qualname__", (kind,))
        return str(name) if module == "builtins" else f"{module}.{name}"

    def exception(self, names: list[str]) -> type[BaseException]:
        """Return the exception class with these names in its resolution order; the same for the same names."""
        known: Any = getattr(builtins, names[0], None)
        if isinstance(known, type) and issubclass(known, BaseException):
            return known
        if names[0] not in self._exceptions:
            base = self.exception(names[1:]) if len(names) > 1 else Exception
            self._exceptions[names[0]] = type(names[0].rsplit(".", 1)[-1], (base,), {"__module__": "artifact"})
        return self._exceptions[names[0]]

    def _answer(self, request: Wire) -> bytes:
        writer = _QuestionEncoder(Declarations(), self._depth, self._reply_bytes // 2, {})
        writer.strict = False  # To the judge, any object may be named; it comes no further.
        try:
            if request[0] == "tests":
                return self._run_tests(base64.b64decode(request[1]), *request[2:])
            value = self._evaluate(request[1], request[2])
            return _dumps(["ok", writer.encode(value), [], [], self._output.take(), []]).encode()
        except BaseException as error:  # noqa: BLE001  whatever the expression raises is its answer
            return _dumps(["raised", *requests.described(error), [], [], self._output.take(), []]).encode()

    def _evaluate(self, expression: str, names: list[str]) -> Any:
        proxies: dict[str, Any] = {name: importlib.import_module(name) for name in _OFFERED if name in expression}
        proxies.update((name, Function(self, name)) for name in names)
        code = compile(expression, "<predicate>", "eval", dont_inherit=True)
        return eval(code, proxies)  # noqa: S307  running the user's predicate is this process's purpose

    def _run_tests(self, source: bytes, modules: list[str], names: list[str], until_one_fails: bool) -> bytes:
        program = ProgramModule(self, names)
        if not sys.stdlib_module_names.isdisjoint(modules):
            suite.load_what_runs_tests()
        for name in modules:
            sys.modules[name] = program
            _put_below_packages(name, program)
        suite.run(
            source,
            lambda planned: self._report(["planned", planned]),
            lambda *told: self._report(["test", *told]),
            until_one_fails,
        )
        return _dumps(["ok", None, [], [], self._output.take(), []]).encode()

    def _report(self, content: Wire) -> None:
        """Tell the judge something; its empty answer keeps both sides in step."""
        self._channel.send(self._number, _dumps(content).encode())
        self._channel.receive()


def _put_below_packages(name: str, module: types.ModuleType) -> None:
    """Make ``import a.b`` and ``from a import b`` give a module that stands under a dotted name."""
    above, _, last = name.rpartition(".")
    if above:
        package = sys.modules[above] = types.ModuleType(above)
        package.__path__ = []
        setattr(package, last, module)
        _put_below_packages(above, package)


def _follow(given: Any, after: Any) -> None:
    """Do to an argument here what the program did to it there."""
    if isinstance(given, list | bytearray):
        given[:] = after
    elif isinstance(given, collections.deque):
        given.clear()
        given.extend(after)
    elif isinstance(given, dict | set):
        given.clear()
        given.update(after)
