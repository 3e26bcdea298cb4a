"""The clerk: a process of its own for predicates and tests from the user's files; the judge stands between it and
the candidate.

The clerk never shares memory or a channel with the candidate. What it asks of the program comes out here, is asked
of the candidate, and goes back as plain data. A clerk whose candidate is lost has no result, whatever it says.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from probatum.core.errors import UsageError
from probatum.core.limits import ExtentError
from probatum.sandbox.jobs import Candidate, Channel, Process, Program
from probatum.sandbox.outcome import (
    Derived,
    GivenTest,
    Handle,
    Lost,
    LostReason,
    Raised,
    Reply,
    Returned,
    TestOutcome,
    plain,
    refused,
)
from probatum.sandbox.wire import ArgumentWriter, ProtocolError, ReplyReader, Wire, dump, source_text

# What answers a clerk: a target, positional and keyword arguments. See ``answering``.
Resolve = Callable[[str, tuple[object, ...], dict[str, object]], Reply]
_DRAWN_AT_ONCE = 100
# Stands for the whole file where none of its tests can be named.
THE_FILE = "the file of tests"
_MOST_TEXT = 2000
_MOST_STRANGERS = 100


def answering(candidate: Candidate) -> Resolve:
    """Return what answers a clerk's questions from a loaded candidate.

    A target ``f`` is called, ``+C`` constructed, ``.m`` is a method of the first argument, ``?n`` a name to read,
    ``?.n`` an attribute of the first argument, ``*`` draws from it (anew with a second
    argument) and ``=`` reads it by value.
    """

    def resolve(target: str, args: tuple[object, ...], kwargs: dict[str, object]) -> Reply:
        kind, name = (target[:1], target[1:]) if target[:1] in "+.?*=" else ("", target)
        if kind == "":
            return candidate.call(name, args, kwargs)
        if kind == "+":
            return candidate.construct(name, args, kwargs)
        if kind == "?" and not name.startswith("."):
            return candidate.get(None, name)
        if not args or not isinstance(args[0], Handle):
            return Raised("TypeError", ("TypeError", "Exception", "BaseException"), "not an object of the program")
        owner, rest = args[0], args[1:]
        if kind == ".":
            return candidate.method(owner, name, rest, kwargs)
        if kind == "?":
            return candidate.get(owner, name[1:])
        if kind == "*":
            return candidate.next(owner, _DRAWN_AT_ONCE, anew=bool(rest))
        reply = candidate.value(owner)
        if isinstance(reply, Returned) and isinstance(reply.value, Derived) and not reply.value.speaks:
            return Returned(plain(reply.value))
        return reply

    return resolve


class Clerk(Process):
    """One sandboxed process that evaluates what the user's files say about the program."""

    def evaluate(self, expression: str, names: Sequence[str], resolve: Resolve) -> Reply:
        """Evaluate one expression in which ``names`` are proxies of the program's functions.

        Each call of a proxy is answered by ``resolve``. If that loses the candidate, this evaluation is lost too.
        """
        desk = _Questions(resolve)
        content = self._channel.ask(dump(["evaluate", expression, list(names)]), desk.respond)
        return desk.lost or self._channel.reply(content)

    def run_tests(
        self,
        source: bytes,
        resolve: Resolve,
        names: Sequence[str] = (),
        modules: Sequence[str] = ("artifact",),
        *,
        wanted: Sequence[str] | None = None,
        until_one_fails: bool = False,
    ) -> list[GivenTest]:
        """Run a file of tests in which ``modules`` are proxies of the program; ``names`` is what ``*`` imports.

        Every test that the clerk planned, or that the file plainly has, is in the answer exactly once; with
        ``wanted`` every one of these. One that was not reported, or reported twice, or after the candidate was lost,
        is an ``error``: with ``until_one_fails`` all tests after the first that fails.
        """
        request: list[Wire] = ["tests", source_text(source), list(modules), list(names), wanted, until_one_fails]
        return _run(self._channel, request, _TestReports(resolve), source, wanted)


class OneProcess(Process):
    """A sandboxed process in which a program and the user's tests run together; the program can forge its reports."""

    def run_tests(
        self, program: Program, source: bytes, wanted: Sequence[str] | None = None, *, until_one_fails: bool = False
    ) -> list[GivenTest]:
        """Load a program and run a file of tests beside it; the answer is as that of `Clerk.run_tests`."""
        request: list[Wire] = ["tests", [program.wire, source_text(source), wanted, until_one_fails], [], []]
        return _run(self._channel, request, _TestReports(_nothing_to_ask), source, wanted)


def _nothing_to_ask(_target: str, _args: tuple[object, ...], _kwargs: dict[str, object]) -> Reply:
    return Lost(LostReason.PROTOCOL, "a question beside the program")


def _run(
    channel: Channel, request: Wire, desk: _TestReports, source: bytes, wanted: Sequence[str] | None
) -> list[GivenTest]:
    content = channel.ask(dump(request), desk.respond)
    ended = "the file of tests came to its end without it"
    if isinstance(content, Lost):
        ended = f"the tests were lost: {content.detail}"
    elif type(content) is list and content[:1] != ["ok"]:
        ended = ": ".join(("the file of tests raised", *map(str, (*content[1:2], *content[3:4]))))
    visible = _plain_test_names(source) if wanted is None else wanted
    return desk.results(visible, ended, content)


class _Questions:
    """Carries one evaluation's questions to ``resolve`` and its answers back."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self.lost: Lost | None = None

    def respond(self, content: Wire) -> bytes | None:
        """Return the answer to a question, or None when the frame is not a question."""
        match content:
            case ["unsent", str(detail)]:
                self.lost = self.lost or Lost(LostReason.ARGUMENTS, detail)
                return dump([])
        if type(content) is not list or len(content) != 4 or content[0] != "ask":
            return None
        reply = self.lost or self._asked(*content[1:])
        if isinstance(reply, Lost):
            self.lost = reply
            return dump(["lost", reply.detail])
        writer = ArgumentWriter()
        if isinstance(reply, Raised):
            told = ["raised", reply.type_name, list(reply.bases), reply.text, self._after(writer, reply), reply.output]
            return dump(told)
        try:
            value = writer.encode(reply.value)
            return dump(["returned", value, self._after(writer, reply), reply.output])
        except UsageError as error:
            # Not the program's fault: the clerk must not take it for an exception of the program.
            self.lost = Lost(LostReason.ARGUMENTS, error.sentence)
            return dump(["lost", error.sentence])

    @staticmethod
    def _after(writer: ArgumentWriter, reply: Returned | Raised) -> list[Wire]:
        """Write the arguments as they are after the call, those with names last; none if one cannot travel."""
        try:
            return [writer.encode(part) for part in (*reply.arguments, *(part for _, part in reply.keyword_arguments))]
        except UsageError:
            return []

    def _asked(self, target: Wire, positional: Wire, keyword: Wire) -> Reply:
        if type(target) is not str:
            return Lost(LostReason.PROTOCOL, "a question of unknown form")
        try:
            args, kwargs = ReplyReader().arguments(positional, keyword)
        except ExtentError as error:
            return Lost(LostReason.OUTPUT, str(error))
        except ProtocolError as error:
            return Lost(LostReason.PROTOCOL, str(error))
        return self._resolve(target, args, kwargs)


class _TestReports(_Questions):
    """Also takes the reports of a run of tests; each test must be planned and reported exactly once."""

    def __init__(self, resolve: Resolve) -> None:
        super().__init__(resolve)
        self._planned: list[str] = []
        self._told: dict[str, GivenTest] = {}
        # What the file itself relies on, where it ended before its tests.
        self._uncarried = ""
        # What the sandbox did not have for the program so far: it may keep for a later test what it made of that. The
        # value says whether a test that passes leaned on it; what a test met without being carried decides no other.
        self._denied: dict[str, bool] = {}

    def _asked(self, target: Wire, positional: Wire, keyword: Wire) -> Reply:
        reply = super()._asked(target, positional, keyword)
        if not isinstance(reply, Lost):
            self._denied.update(dict.fromkeys(reply.denied, True))
        return reply

    def respond(self, content: Wire) -> bytes | None:
        """Take a report, or answer a question."""
        match content:
            case ["planned", list(names)] if not self._planned and all(type(name) is str for name in names):
                self._planned = list(dict.fromkeys(names))
            case ["test", str(name), str(outcome), str(message), str(uncarried)]:
                self._take(name, outcome, message, uncarried)
            case ["leans", str(uncarried)]:
                self._uncarried = uncarried[:_MOST_TEXT]
            case _:
                return super().respond(content)
        return dump([])

    def _take(self, name: str, outcome: str, message: str, uncarried: str) -> None:
        fails = outcome == TestOutcome.FAILED and self.lost is None
        leaned_on = [each for each, decides in self._denied.items() if decides]
        if refused(leaned_on) or (fails and self._denied):
            missing = f"the program asked for what the sandbox does not have: {', '.join(self._denied)}"
            leans = uncarried[:_MOST_TEXT]
            told = GivenTest(name, TestOutcome.ERROR, missing[:_MOST_TEXT], is_lost=True, uncarried=leans)
        elif self._is_carried_no_further:
            told = self._not_carried(name)
        elif self.lost is not None:
            told = GivenTest(name, TestOutcome.ERROR, f"the program was lost: {self.lost.detail}")
        elif name not in self._planned or outcome not in set(TestOutcome):
            told = GivenTest(name, TestOutcome.ERROR, "a report that nothing announced")
        elif name in self._told:
            told = GivenTest(name, TestOutcome.ERROR, "reported more than once")
        else:
            told = GivenTest(name, TestOutcome(outcome), message[:_MOST_TEXT], uncarried=uncarried[:_MOST_TEXT])
        if name in self._planned or len(self._told) < len(self._planned) + _MOST_STRANGERS:
            self._told[name] = told
        if uncarried:
            self._denied = dict.fromkeys(self._denied, False)
        # The program lives on after a value that could not be handed over, so the next test can run.
        if self._is_carried_no_further:
            self.lost = None

    @property
    def _is_carried_no_further(self) -> bool:
        return self.lost is not None and self.lost.reason in {LostReason.ARGUMENTS, LostReason.OUTPUT}

    def _not_carried(self, name: str, *, is_absent: bool = False) -> GivenTest:
        detail = self.lost.detail if self.lost is not None else ""
        return GivenTest(name, TestOutcome.NOT_CARRIED, detail, is_absent=is_absent, uncarried=detail)

    def results(self, visible: Sequence[str], ended: str, content: Wire | Lost) -> list[GivenTest]:
        """Return one result for every test that was planned, reported, or is plainly there in the file."""
        results = dict.fromkeys(self._planned) | self._told
        known = {name.split("[")[0] for name in results}
        missing = [name for name in visible if name not in known and name not in results]
        if not results and not missing and (isinstance(content, Lost) or content[:1] != ["ok"]):
            missing = [THE_FILE]
        is_lost = isinstance(content, Lost)
        found = [told or GivenTest(name, TestOutcome.ERROR, ended, is_lost) for name, told in results.items()]
        if self._is_carried_no_further:
            return [*found, *(self._not_carried(name, is_absent=True) for name in missing)]
        unknown = GivenTest("", TestOutcome.ERROR, ended, is_lost, is_absent=True, uncarried=self._uncarried)
        return [*found, *(replace(unknown, name=name) for name in missing)]


def _plain_test_names(source: bytes) -> list[str]:
    """Return the names of the test functions that a file defines at its top level, without running it."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [THE_FILE]
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node.name for node in body if isinstance(node, functions) and node.name.startswith("test")]
