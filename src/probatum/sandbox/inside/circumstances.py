"""How a program may be called elsewhere: in another thread, in an event loop, while an error is handled, and so on.

Runs inside the sandbox, standard library only. Each circumstance is put around every call that the judge asks for. The
judge compares the answers with those of a plain call; an error alone says nothing, since some calls are refused there.
"""

from __future__ import annotations

import contextvars
import decimal
import sys
import threading
import types
from collections.abc import Callable, Iterable
from queue import SimpleQueue
from typing import Any

Work = Callable[[], Any]
_DIGITS, _FEWER_DIGITS = 28, 20
# Who configures it cannot be called where it is configured.
_CONFIGURES = (b"addHandler", b"basicConfig", b"dictConfig", b"fileConfig")


class RoundedError(Exception):
    """Another precision makes a difference here, as it must: this answer and all later ones say nothing."""


class Circumstances:
    """Those in which the program is called, by name; none at first."""

    def __init__(self) -> None:
        self._around: list[Callable[[Work], Any]] = []
        self._names: frozenset[str] = frozenset()
        self._todo: SimpleQueue[tuple[contextvars.Context, Work]] = SimpleQueue()
        self._done: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self._context: contextvars.Context | None = None
        self._loop: Any = None
        self._is_rounded = False

    def begin(self, names: Iterable[str], texts: Iterable[bytes]) -> None:
        """Put these in place, before the program, whose texts these are, is loaded."""
        self._names = frozenset(names)
        self._around = [around for name, around in self._ways().items() if name in self._names]
        if "logging" in self._names and not any(each in text for text in texts for each in _CONFIGURES):
            import logging  # Few programs have it.

            logging.getLogger().addHandler(logging.NullHandler())
            logging.getLogger().setLevel(logging.DEBUG)

    def loaded(self, module: types.ModuleType) -> None:
        """Go on once the program is loaded."""
        if "main" in self._names:
            module.__dict__["__name__"] = "__main__"
            sys.modules["__main__"] = module

    def call(self, function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """Call the function in these circumstances."""
        if not self._around:
            return function(*arguments, **keywords)

        def work() -> Any:
            return function(*arguments, **keywords)

        for around in self._around:
            work = _within(around, work)
        return work()

    def _ways(self) -> dict[str, Callable[[Work], Any]]:
        return {
            "decimal": self._with_fewer_digits,
            "error": _while_an_error_is_handled,
            "loop": self._in_a_loop,
            "thread": self._in_a_thread,
        }

    def _with_fewer_digits(self, work: Work) -> Any:
        context = decimal.getcontext()
        if self._is_rounded:
            raise RoundedError
        if context.prec != _DIGITS:
            return work()
        context.prec, context.traps[decimal.Rounded] = _FEWER_DIGITS, True
        context.clear_flags()
        try:
            return work()
        except decimal.DecimalException as error:
            self._is_rounded = True
            raise RoundedError from error
        finally:
            if any(context.flags.values()):
                self._is_rounded = True
            context.traps[decimal.Rounded] = False
            if context.prec == _FEWER_DIGITS:
                context.prec = _DIGITS

    def _in_a_loop(self, work: Work) -> Any:
        # Slow to import; the worker has done it where the program's text has "async".
        import asyncio

        if self._loop is None:
            self._loop = asyncio.new_event_loop()
        asyncio._set_running_loop(self._loop)
        try:
            return work()
        finally:
            asyncio._set_running_loop(None)

    def _in_a_thread(self, work: Work) -> Any:
        # One for all calls, which finds the variables of the context that loading has set.
        if self._context is None:
            self._context = contextvars.copy_context()
            self._context.run(contextvars.ContextVar[str]("request").set, "elsewhere")
            threading.Thread(target=self._serve, daemon=True).start()
        self._todo.put((self._context, work))
        value, error = self._done.get()
        if error is not None:
            raise error
        return value

    def _serve(self) -> None:
        while True:
            context, work = self._todo.get()
            try:
                self._done.put((context.run(work), None))
            except BaseException as error:  # noqa: BLE001  it is raised where the call was asked for
                self._done.put((None, error))


def _within(around: Callable[[Work], Any], work: Work) -> Work:
    return lambda: around(work)


def _while_an_error_is_handled(work: Work) -> Any:
    try:
        raise LookupError("elsewhere")
    except LookupError:
        return work()
