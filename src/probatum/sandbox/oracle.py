"""The clerk: a process of its own for predicates and tests from the user's files; the judge stands between it and
the candidate.

The clerk never shares memory or a channel with the candidate. What it asks of the program comes out here, is asked
of the candidate, and goes back as plain data. A clerk whose candidate is lost has no result, whatever it says.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from probatum.core.errors import UsageError
from probatum.core.limits import ExtentError
from probatum.sandbox.jobs import Candidate, Process
from probatum.sandbox.outcome import GivenTest, Handle, Lost, LostReason, Raised, Reply, Returned, TestOutcome
from probatum.sandbox.wire import ArgumentWriter, ProtocolError, ReplyReader, Wire, dump, source_text

# What answers a clerk: a target, positional and keyword arguments. See ``answering``.
Resolve = Callable[[str, tuple[object, ...], dict[str, object]], Reply]
_DRAWN_AT_ONCE = 100


def answering(candidate: Candidate) -> Resolve:
    """Return what answers a clerk's questions from a loaded candidate.

    A target ``f`` is called, ``+C`` constructed, ``.m`` is a method of the first argument, ``?n`` a name to read,
    ``?.n`` an attribute of the first argument, ``*`` draws from it and ``=`` reads it by value.
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
        return candidate.next(owner, _DRAWN_AT_ONCE) if kind == "*" else candidate.value(owner)

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
        until_one_fails: bool = False,
    ) -> list[GivenTest]:
        """Run a file of tests in which ``modules`` are proxies of the program; ``names`` is what ``*`` imports.

        Every test that the clerk planned, or that the file plainly has, is in the answer exactly once. One that was
        not reported, or reported twice, or after the candidate was lost, is an ``error``: with ``until_one_fails``
        all tests after the first that fails.
        """
        desk = _TestReports(resolve)
        request: list[Wire] = ["tests", source_text(source), list(modules), list(names), until_one_fails]
        content = self._channel.ask(dump(request), desk.respond)
        ended = "the file of tests came to its end without it"
        if isinstance(content, Lost):
            ended = f"the tests were lost: {content.detail}"
        elif type(content) is list and content[:1] == ["raised"]:
            ended = f"the file of tests raised {content[1:2]}: {content[3:4]}"
        return desk.results(_plain_test_names(source), ended, is_lost=isinstance(content, Lost))


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
            return dump(["raised", reply.type_name, list(reply.bases), reply.text, self._after(writer, reply)])
        try:
            value = writer.write(reply.value)
            return dump(["returned", value, self._after(writer, reply)])
        except UsageError as error:
            # Not the program's fault: the clerk must not take it for an exception of the program.
            self.lost = Lost(LostReason.ARGUMENTS, error.sentence)
            return dump(["lost", error.sentence])

    @staticmethod
    def _after(writer: ArgumentWriter, reply: Returned | Raised) -> list[Wire]:
        """Write the arguments as they are after the call, those with names last; none if one cannot travel."""
        try:
            return [writer.write(part) for part in (*reply.arguments, *(part for _, part in reply.keyword_arguments))]
        except UsageError:
            return []

    def _asked(self, target: Wire, positional: Wire, keyword: Wire) -> Reply:
        reader = ReplyReader()
        if type(target) is not str or type(positional) is not list or type(keyword) is not list:
            return Lost(LostReason.PROTOCOL, "a question of unknown form")
        names = keyword[::2]
        if len(keyword) % 2 or not all(type(name) is str for name in names):
            return Lost(LostReason.PROTOCOL, "a question with arguments without names")
        try:
            args = tuple([reader.read(part) for part in positional])
            kwargs = {name: reader.read(part) for name, part in zip(names, keyword[1::2], strict=True)}
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

    def respond(self, content: Wire) -> bytes | None:
        """Take a report, or answer a question."""
        match content:
            case ["planned", list(names)] if not self._planned and all(type(name) is str for name in names):
                self._planned = list(dict.fromkeys(names))
            case ["test", str(name), str(outcome), str(message)]:
                self._take(name, outcome, message)
            case _:
                return super().respond(content)
        return dump([])

    def _take(self, name: str, outcome: str, message: str) -> None:
        if self.lost is not None:
            told = GivenTest(name, TestOutcome.ERROR, f"the program was lost: {self.lost.detail}")
        elif name not in self._planned or outcome not in set(TestOutcome):
            told = GivenTest(name, TestOutcome.ERROR, "a report that nothing announced")
        elif name in self._told:
            told = GivenTest(name, TestOutcome.ERROR, "reported more than once")
        else:
            told = GivenTest(name, TestOutcome(outcome), message)
        self._told[name] = told
        # The program lives on after a value that could not be handed over, so the next test can run.
        if self.lost is not None and self.lost.reason is LostReason.ARGUMENTS:
            self.lost = None

    def results(self, visible: Sequence[str], ended: str, *, is_lost: bool) -> list[GivenTest]:
        """Return one result for every test that was planned, reported, or is plainly there in the file."""
        results = dict.fromkeys(self._planned) | self._told
        known = {name.split("[")[0] for name in results}
        results |= {name: None for name in visible if name not in known}
        return [told or GivenTest(name, TestOutcome.ERROR, ended, is_lost) for name, told in results.items()]


def _plain_test_names(source: bytes) -> list[str]:
    """Return the names of the test functions that a file defines at its top level, without running it."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ["the file of tests"]
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node.name for node in body if isinstance(node, functions) and node.name.startswith("test")]
