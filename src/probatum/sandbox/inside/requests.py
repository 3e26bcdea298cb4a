"""Serves one candidate's requests: load, call, construct, method, get, next, statements.

Runs inside the sandbox, standard library only. One frame in, one frame out, each with the request's number on it.
The names that serving needs are bound when this module is imported, before any program is there; a program that still
breaks them breaks its own answers, which the judge then counts as lost. Nothing here decides anything.
"""

from __future__ import annotations

import base64
import contextlib
import gc
import io
import itertools
import json
import os
import sys
import types
from typing import Any, BinaryIO, NamedTuple, cast

from . import marks, modules, pinned, suite
from .circumstances import Circumstances, RoundedError
from .denials import BENT, DOCUMENTATION, MET, PLACE
from .values import Declarations, Decoder, Encoder, TooLargeError, Wire, type_name

_read, _write, _exit = os.read, os.write, os._exit
_loads = json.JSONDecoder().decode
_dumps = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
# Four bytes of length, sixteen of the request's number.
_HEADER = 20

# ``ast.PyCF_ALLOW_TOP_LEVEL_AWAIT`` and ``inspect.CO_COROUTINE``, without importing either module.
_TOP_LEVEL_AWAIT = 0x2000
_COROUTINE = 0x80

# How many lines, calls and returns repeating may take altogether, and how many items of a generator it draws.
_REPEATED_WORK, _DRAWN = 2_000_000, 100

# What this process is for. Bound before the program runs: it can put others in their place.
_compile, _eval = compile, eval


class Frames:
    """Frames on one descriptor. Its end ends the process: there is nobody left to serve."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._pending = b""

    def receive(self) -> tuple[bytes, Wire]:
        """Return the number and the content of the next frame."""
        pending = self._pending
        while len(pending) < _HEADER:
            pending += self._more()
        end = _HEADER + int.from_bytes(pending[:4], "little")
        while len(pending) < end:
            pending += self._more()
        self._pending = pending[end:]
        return pending[4:_HEADER], _loads(pending[_HEADER:end].decode())

    def send(self, number: bytes, payload: bytes) -> None:
        """Send one frame whole."""
        data = len(payload).to_bytes(4, "little") + number + payload
        # One write is enough unless the socket is full.
        sent = _write(self._descriptor, data)
        while sent < len(data):
            sent += _write(self._descriptor, data[sent:])

    def _more(self) -> bytes:
        received = _read(self._descriptor, 1 << 16)
        if not received:
            _exit(0)
        return received


class CappedOutput(io.RawIOBase):
    """Keeps what is written to standard output, up to a number of bytes; what comes after that is dropped."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit
        self._room = limit
        self._parts: list[bytes] = []

    def text_layer(self) -> io.TextIOWrapper:
        """Return the new ``sys.stdout``, which passes every character on at once."""
        return io.TextIOWrapper(cast("BinaryIO", self), encoding="utf-8", newline="\n", write_through=True)

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        size = len(data)
        if self._room > 0:
            self._parts.append(bytes(data[: self._room]))
            self._room -= size
        return size

    def take(self) -> str:
        """Return what was written since the last time."""
        if not self._parts:
            return ""
        # A character may be cut in two at the limit.
        text = b"".join(self._parts).decode("utf-8", "ignore")
        self._parts.clear()
        self._room = self._limit
        return text


Arguments = tuple[Any, ...]
Keywords = dict[str, Any]


class BadArgumentsError(Exception):
    """The arguments could not be built, so that the program was not called."""


class Kept(NamedTuple):
    """An answer that stays here whatever its type is: the judge gets its number."""

    value: object


class Serving:
    """Answers the judge's requests, one after the other."""

    def __init__(self, channel: Frames, reply_bytes: int, output_bytes: int, depth: int) -> None:
        self._channel = channel
        self._reply_bytes = reply_bytes
        self._depth = depth
        self._output = CappedOutput(output_bytes)
        self._number = b""

    def serve(self) -> None:
        """Answer requests until the judge ends the channel."""
        python: Any = sys
        python.stdout = python.__stdout__ = self._output.text_layer()
        gc.enable()
        while True:
            self._number, request = self._channel.receive()
            self._channel.send(self._number, self._answer(request))

    def _answer(self, request: Wire) -> bytes:
        raise NotImplementedError

    def _report(self, *content: Wire) -> None:
        """Tell the judge something meanwhile; its empty answer keeps both sides in step."""
        self._channel.send(self._number, _dumps(content).encode())
        self._channel.receive()


class Server(Serving):
    """The state of one candidate process: its module, the objects that stayed here, its documentation's names."""

    def __init__(self, channel: Frames, reply_bytes: int, output_bytes: int, depth: int) -> None:
        super().__init__(channel, reply_bytes, output_bytes, depth)
        self._declarations = Declarations()
        self._module = types.ModuleType("artifact")
        self._names: dict[str, Any] = {}
        self._namespace: dict[str, Any] = {}
        self._iterators: dict[int, Any] = {}
        self._loop: Any = None
        self._circumstances = Circumstances()

    def _answer(self, request: Wire) -> bytes:
        action, fields, positional, keyword = request
        decoder = Decoder(self._declarations, self._evaluate)
        arguments: Arguments = ()
        keywords: Keywords = {}
        try:
            try:
                arguments, keywords = decoder.arguments(positional, keyword)
            except Exception as error:
                raise BadArgumentsError(modules.text_of(error)) from error
            value = getattr(self, f"_{action}")(fields, arguments, keywords)
        except RoundedError:
            return _lost("arguments", "the precision makes a difference")
        except BadArgumentsError as error:
            return _lost("arguments", str(error))
        except MemoryError:
            return _lost("memory", "the budget of memory is used up")
        except BaseException as error:  # noqa: BLE001  whatever the program raises is its answer
            MET.failed(error)
            return self._frame(["raised", *described(error)], (), arguments, keywords, decoder.sources)
        return self._frame(["ok"], (value,), arguments, keywords, decoder.sources)

    def _frame(
        self, head: Wire, value: Arguments, arguments: Arguments, keywords: Keywords, sources: dict[int, str]
    ) -> bytes:
        encoder = Encoder(self._declarations, self._depth, self._reply_bytes // 2, sources)
        encode = encoder.encode
        try:
            for part in value:
                head.append(self._kept(part.value) if type(part) is Kept else encoder.encode_result(part))
            head.append([encode(part) for part in arguments])
            head.append([part for name, item in keywords.items() for part in (name, encode(item))])
            head.append(self._output.take())
            head.append(MET.take())
            payload = _dumps(head).encode()
        except TooLargeError as error:
            return _lost("output", str(error))
        except MemoryError:
            return _lost("memory", "the budget of memory is used up")
        except BaseException as error:  # noqa: BLE001  an object whose fields cannot be read is not a value
            return _lost("output", f"the value cannot be written down: {modules.text_of(error)}")
        if len(payload) > self._reply_bytes:
            return _lost("output", f"the reply has {len(payload)} bytes")
        return payload

    def _kept(self, value: object) -> Wire:
        return ["h", self._declarations.keep(value), type_name(type(value))]

    def _load(self, fields: Wire, _arguments: Arguments, _keywords: Keywords) -> list[str]:
        name, is_package, text, siblings, shown, is_forgiven, is_installed, world = fields
        decode = base64.b64decode
        # The program must not find its own text in the frames below it, where it could see that it was altered.
        source = [decode(text)]
        shown = decode(shown)
        fields.clear()
        del text
        others = {key: decode(text) for key, text in siblings}
        del siblings
        for call, settings in world:
            if call == "called":
                self._circumstances.begin(settings["names"], (shown, *others.values()))
            else:
                getattr(pinned, call)(**settings)
        if world:
            marks.name_functions()
        try:
            self._module = modules.load(name, is_package, source, shown, others, is_installed, self._declarations)
        finally:
            if b"MemoryError" in shown:
                MET.note("mention")  # Nothing tells when a program meets this error and catches it.
            if not is_forgiven:
                MET.keep()
        # A copy of the module's names: what an example assigns must not change the program.
        self._names = dict(self._module.__dict__)
        self._namespace = dict(self._names)
        self._circumstances.loaded(self._module)
        return list(self._names)

    def _tests(self, fields: Wire, _arguments: Arguments, _keywords: Keywords) -> None:
        """Load a program and run tests in its own process, as they are run by those who trust it."""
        program, tests, wanted, until_one_fails = fields
        given = base64.b64decode(tests)
        suite.load_what_runs_tests(given)
        known, paths, hooks = dict(sys.modules), sys.meta_path[:], sys.path_hooks[:]
        name, is_package, text, siblings, shown, is_forgiven, is_installed = program
        decode = base64.b64decode
        others = {key: decode(source) for key, source in siblings}
        BENT.begin(given, frozenset(each.partition(".")[0] for each in (name, modules.ALIAS, *others)))
        MET.begin(MET.scratch)
        MET.beside_tests = True
        try:
            source = [decode(text)]
            modules.load(name, is_package, source, decode(shown), others, is_installed, self._declarations, again=True)
            if is_forgiven:
                MET.take()
            suite.run(given, self._report_beside, None, wanted, until_one_fails)
        finally:
            # The next program finds nothing of this one.
            for each in sys.modules.keys() - known.keys():
                is_of_package = each.partition(".")[0] == name.partition(".")[0]
                if is_of_package or str(getattr(sys.modules[each], "__file__", "")).startswith(PLACE):
                    del sys.modules[each]
            sys.meta_path[:], sys.path_hooks[:] = paths, hooks

    def _report_beside(self, *content: Wire) -> None:
        """Report as usual, and what a pass leans on; after a denial, also in an earlier test, a failure says nothing.

        What a program can bend by now, it can in all tests that follow.
        """
        match content:
            case ["test", name, outcome, message, _]:
                if outcome == "failed":
                    MET.keep()
                    if denied := MET.take():
                        missing = ", ".join(" ".join(each).strip() for each in denied)
                        outcome, message = "error", f"the program asked for what the sandbox does not have: {missing}"
                bent = BENT.met()
                content = ("test", name, outcome, message, bent and f"the program could bend its tests: {bent}")
        self._report(*content)

    def _target(self, path: str) -> Any:
        found: Any = self._module
        for name in path.split("."):
            found = getattr(found, name)
        return found

    def _call(self, fields: Wire, arguments: Arguments, keywords: Keywords) -> Any:
        return self._awaited(self._circumstances.call(self._target(fields[0]), *arguments, **keywords))

    def _construct(self, fields: Wire, arguments: Arguments, keywords: Keywords) -> Kept:
        return Kept(self._circumstances.call(self._target(fields[0]), *arguments, **keywords))

    def _method(self, fields: Wire, arguments: Arguments, keywords: Keywords) -> Any:
        number, name = fields
        method = getattr(self._declarations.kept(number), name)
        return self._awaited(self._circumstances.call(method, *arguments, **keywords))

    def _get(self, fields: Wire, _arguments: Arguments, _keywords: Keywords) -> Any:
        number, name = fields
        return self._target(name) if number is None else getattr(self._declarations.kept(number), name)

    def _next(self, fields: Wire, _arguments: Arguments, _keywords: Keywords) -> tuple[list[Any], bool]:
        number, limit, anew = fields
        source: Any = self._declarations.kept(number)
        drained: list[Any] = []
        try:
            if hasattr(source, "__anext__"):
                while len(drained) < limit:
                    drained.append(self._run(source.__anext__()))
                return drained, False
            if anew or number not in self._iterators:
                self._iterators[number] = iter(source)
            while len(drained) < limit:
                drained.append(self._circumstances.call(next, self._iterators[number]))
        except (StopIteration, StopAsyncIteration):
            return drained, True
        return drained, False

    def _statements(self, fields: Wire, _arguments: Arguments, _keywords: Keywords) -> Any:
        source, expression, anew = fields
        if anew:
            self._namespace = dict(self._names)
        if source:
            self._documented(source, "exec")
        return None if expression is None else self._awaited(self._documented(expression, "eval"))

    def _repeat(self, fields: Wire, _arguments: Arguments, _keywords: Keywords) -> None:
        """Do the same again and again, with new arguments each time; the results are dropped."""
        times, requests = fields
        work = 1

        def count(*_event: object) -> Any:
            nonlocal work
            work += 1
            return count

        # The first time is counted: a clock would let another machine see another number of calls.
        sys.settrace(count)
        try:
            self._once(requests)
        finally:
            sys.settrace(None)
        for _ in range(min(times - 1, _REPEATED_WORK // work)):
            self._once(requests)

    def _once(self, requests: list[Wire]) -> None:
        for action, inner, positional, keyword in requests:
            decoder = Decoder(self._declarations, self._evaluate)
            with contextlib.suppress(Exception):  # Only what follows counts.
                arguments, keywords = decoder.arguments(positional, keyword)
                value = getattr(self, f"_{action}")(inner, arguments, keywords)
                if type(value) is types.GeneratorType:
                    list(itertools.islice(value, _DRAWN))

    def _documented(self, text: str, mode: str) -> Any:
        """Run what a document writes; ``await`` and ``async`` statements need no function around them."""
        code = _compile(text, DOCUMENTATION, mode, _TOP_LEVEL_AWAIT, dont_inherit=True)
        value = self._circumstances.call(_eval, code, self._namespace)
        return self._run(value) if code.co_flags & _COROUTINE else value

    def _evaluate(self, text: str) -> object:
        names = dict(self._module.__dict__)
        return _eval(_compile(text, DOCUMENTATION, "eval", dont_inherit=True), names)

    def _awaited(self, value: Any) -> Any:
        return self._run(value) if type(value) is types.CoroutineType else value

    def _run(self, awaitable: Any) -> Any:
        if self._loop is None:
            # Slow to import; the worker has done it where the program's text has "async".
            import asyncio

            self._loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self._loop)
        return self._loop.run_until_complete(awaitable)


def _lost(reason: str, detail: str) -> bytes:
    return _dumps(["lost", reason, detail[: modules.TEXT_SHOWN]]).encode()


def described(error: BaseException) -> list[Any]:
    """Return type name, names of the resolution order and text of an exception."""
    kind = type(error)
    code = error.code if kind is SystemExit else kind  # type: ignore[attr-defined]  # it has one
    # As it is written, as of a KeyError: the status 0 is another one than the text "0".
    text = repr(code) if code is None or type(code) in (int, bool, str) else modules.text_of(error)
    return [type_name(kind), [type_name(base) for base in kind.__mro__], text[: modules.TEXT_SHOWN]]
