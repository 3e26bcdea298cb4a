"""Runs predicates and tests from the user's files in a process that has no part in the program under test.

Runs inside the sandbox, standard library only. What the program offers is here a proxy: a call of it leaves this
process as a frame to the judge and comes back as a plain value or an exception. Objects of the program appear as
``Remote`` and its declared classes as ``Record``. Nothing but plain values and those two can be sent out.
"""

from __future__ import annotations

import ast
import base64
import builtins
import collections
import contextlib
import importlib
import json
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from . import carrying, requests, suite
from .proxies import CandidateLostError, Function, NotCarriedError, ProgramModule, Record, Remote
from .values import Declarations, Decoder, Encoder, Wire, type_name

# Objects of the program that are known by name, and say nothing that it computed.
_TYPES = ("type", "abc.ABCMeta", "enum.EnumMeta", "enum.EnumType", "typing._ProtocolMeta")
_NAMED = (*_TYPES, "function", "builtin_function_or_method", "module", "functools._lru_cache_wrapper")
# Modules that an expression may use by name; imported when one does.
_OFFERED = ("collections", "datetime", "itertools", "math", "re", "statistics", "string")
# An exception of unittest would speak to what runs the tests.
_STANDARD = sys.stdlib_module_names - {"unittest"}
_dumps = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


def _holds(self: BaseException, *text: object) -> None:
    self.args = text


# Of an exception that is otherwise made of more than its text.
_BY_TEXT = {"__init__": _holds, "__str__": BaseException.__str__, "__repr__": BaseException.__repr__}


class ForeignValueError(Exception):
    """A value exists only here and cannot be given to the program."""


class _QuestionEncoder(Encoder):
    """Writes what may leave: plain values, remote objects and records; ``strict`` refuses all else."""

    strict = True

    def _head(self, value: Any, kind: type) -> Wire:
        return ["o", value._kind]

    def _fields(self, value: Any, kind: type) -> Iterable[tuple[Wire, Any]] | None:
        return value._fields.items() if kind is Record else None

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
        number = wire[1] if wire[0] == "h" else 0
        return self._desk.same_object((number, wire[-1]), lambda: Remote(self._desk, number, wire[-1]))

    def _build(self, wire: Wire) -> object:
        fields = {wire[i]: self.decode(wire[i + 1]) for i in range(2, len(wire), 2)}

        def make() -> Record:
            return Record(self._desk, wire[1], fields)

        # The members of an enumeration: each is one object.
        return self._desk.same_object((wire[1], fields["name"]), make) if list(fields) == ["name", "value"] else make()


def _no_source(text: str) -> object:
    raise ValueError(f"a source is not an answer: {text}")


class Desk(requests.Serving):
    """Serves the judge's requests for evaluation, and puts this process's own questions to the judge."""

    def __init__(self, channel: requests.Frames, reply_bytes: int, output_bytes: int, depth: int) -> None:
        super().__init__(channel, reply_bytes, output_bytes, depth)
        self._exceptions: dict[str, type[BaseException]] = {}
        self._objects: dict[tuple[Any, ...], Any] = {}
        # What a file of tests relies on, while one is run.
        self.watch: carrying.Watch | None = None

    @property
    def is_testing(self) -> bool:
        """Whether a file of tests is run, and not a predicate."""
        return self.watch is not None

    def refuse(self, what: str) -> NoReturn:
        """Say that this cannot be carried; raises NotCarriedError in a file of tests, TypeError in a predicate."""
        if not self.is_testing:
            raise TypeError(f"{what} is for the program's own process to say")
        self._report("unsent", what)
        raise NotCarriedError(what)

    def same_object(self, key: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        """Return the object that stands for one of the program's, always the same for the same one."""
        if key not in self._objects:
            self._objects[key] = make()
        return self._objects[key]

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
            self._report("unsent", str(error))
            raise NotCarriedError(str(error)) from error
        if self.watch is not None:
            self.watch.look()
        # Under the number of the evaluation that is under way: the judge tells a question from a reply by its form.
        self._channel.send(self._number, _dumps(["ask", target, positional, keyword]).encode())
        _, answer = self._channel.receive()
        if answer[0] == "lost":
            raise CandidateLostError(answer[1])
        reader = _AnswerDecoder(self)
        has_raised = answer[0] == "raised"
        value = None if has_raised else reader.decode(answer[1])
        passed = (*arguments, *(keywords or {}).values())
        for given, after in zip(passed, [reader.decode(part) for part in answer[-2]], strict=False):
            # What came back as the very argument is the very argument here too.
            value = given if value is after and _is_changeable(given) else value
            _follow(given, after)
        raised = self._raised(answer[2], answer[3]) if has_raised else None
        self._note(target, value, arguments, raised, answer[-1])
        if raised is not None:
            raise raised
        return value

    def _note(
        self, target: str, value: Any, arguments: tuple[Any, ...], error: BaseException | None, output: str
    ) -> None:
        """Note for the test that is run what has come back, and let it see what the program printed."""
        if self.watch is None:
            return
        if output:
            sys.stdout.write(output)
        met = next((part for part in (value, *arguments[:1]) if type(part) in (Remote, Record)), None)
        # To look at a function is not to run it; one that was computed, or is called, is an answer.
        if met is not None and met._kind in _NAMED and target[0] == "?":
            return
        self.watch.answered(error)
        if met is not None:
            self.watch.meet(f"objects of type {met._kind}")
        elif target[0] == "?" and _is_changeable(value):
            self.watch.meet(f"changes of {target[1:]}, which is a copy here")

    def _raised(self, names: list[str], text: str) -> BaseException:
        kind = self.exception(names)
        argument: object = text
        if kind in (KeyError, SystemExit):
            with contextlib.suppress(ValueError, SyntaxError):
                argument = ast.literal_eval(text)  # Their text is what they hold as it is written.
        try:
            return kind(argument)
        except TypeError:
            return kind.__new__(kind)

    def member(self, path: str) -> Any:
        """Return what a dotted name of the program stands for: a value, a function, a class, an exception."""
        found = self.ask(f"?{path}", ())
        if type(found) is not Remote or found._kind not in _NAMED or found._kind == "module":
            return found
        if found._kind not in _TYPES:
            return self.same_object((path,), lambda: Function(self, path))
        bases = self.names_of_bases(found)
        if "BaseException" in bases:
            return self.exception(bases)
        return self.same_object((path,), lambda: Function(self, path, is_class=True))

    def names_of_bases(self, kind: Any) -> list[str]:
        """Return the qualified names in the resolution order of a class of the program."""
        return [self._qualified(base) for base in self.ask("?.__mro__", (kind,))]

    def _qualified(self, kind: Any) -> str:
        module, name = self.ask("?.__module__", (kind,)), self.ask("?.__qualname__", (kind,))
        return str(name) if module == "builtins" else f"{module}.{name}"

    def exception(self, names: list[str]) -> type[BaseException]:
        """Return the exception class with these names in its resolution order; the same for the same names."""
        known: Any = getattr(builtins, names[0], None)
        if isinstance(known, type) and issubclass(known, BaseException):
            return known
        if names[0] not in self._exceptions:
            standard = _standard(names)
            base = standard or (self.exception(names[1:]) if len(names) > 1 else Exception)

            def attribute(_: BaseException, name: str) -> Any:
                if not name.startswith("__") and self.is_testing:
                    self.refuse(f"{names[0]}.{name}, of an exception that travelled by its text")
                raise AttributeError(name)

            own: dict[str, Any] = {"__module__": "artifact", "__getattr__": attribute}
            own |= {} if standard is None else _BY_TEXT
            self._exceptions[names[0]] = type(names[0].rsplit(".", 1)[-1], (base,), own)
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
        finally:
            self.watch = None
            self._objects.clear()

    def _evaluate(self, expression: str, names: list[str]) -> Any:
        proxies: dict[str, Any] = {name: importlib.import_module(name) for name in _OFFERED if name in expression}
        proxies.update((name, Function(self, name)) for name in names)
        code = compile(expression, "<predicate>", "eval", dont_inherit=True)
        return eval(code, proxies)  # noqa: S307  running the user's predicate is this process's purpose

    def _run_tests(
        self, source: bytes, modules: list[str], names: list[str], wanted: list[str] | None, until_one_fails: bool
    ) -> bytes:
        program = ProgramModule(self, names)
        suite.load_what_runs_tests(source)
        for name in modules:
            sys.modules[name] = program
            _put_below_packages(name, program)
        self.watch = carrying.Watch()
        try:
            suite.run(source, self._report, self.watch, wanted, until_one_fails)
        except Exception as error:
            self._report("leans", self.watch.doubt(error, ()))
            raise
        return _dumps(["ok", None, [], [], self._output.take(), []]).encode()


def _standard(names: list[str]) -> Any:
    """Return the loaded class of the standard library with these names in its resolution order."""
    module, _, name = names[0].rpartition(".")
    found = getattr(sys.modules.get(module), name, None) if module.partition(".")[0] in _STANDARD else None
    is_known = isinstance(found, type) and [type_name(base) for base in found.__mro__] == names
    return found if is_known else None


def _put_below_packages(name: str, module: types.ModuleType) -> None:
    """Make ``import a.b`` and ``from a import b`` give a module that stands under a dotted name."""
    above, _, last = name.rpartition(".")
    if above:
        package = sys.modules[above] = types.ModuleType(above)
        package.__path__ = []
        setattr(package, last, module)
        _put_below_packages(above, package)


def _is_changeable(value: object) -> bool:
    return isinstance(value, list | bytearray | collections.deque | dict | set)


def _follow(given: Any, after: Any) -> Any:
    """Do to an argument here what the program did to it there; return the object that then stands in its place."""
    if type(given) is not type(after) or not _is_changeable(given):
        return after
    if isinstance(given, set | bytearray) or len(given) != len(after):
        parts: Any = after.items() if isinstance(after, dict) else after
    elif isinstance(given, dict):
        parts = [(key, _follow(given[key], part) if key in given else part) for key, part in after.items()]
    else:
        # In the same place it is taken for the same object.
        parts = [_follow(old, new) for old, new in zip(given, after, strict=True)]
    if isinstance(given, list | bytearray):
        given[:] = parts
    else:
        parts = list(parts)
        given.clear()
        (given.extend if isinstance(given, collections.deque) else given.update)(parts)
    return given
