"""Interpreter sessions in documents: prompts, continued lines, expected output, set-up and directives.

Output is read by value where it is one, not compared as text. What earlier prompts bind or change is the ``setup`` of
later examples. Output that is not a value, exception, printed text or ``repr``, or is exact only in part, is a doubt.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from probatum.programs.examples.clauses import (
    Findings,
    Found,
    Owner,
    claims_of,
    expression_text,
    segment,
    without_own_module,
)
from probatum.programs.examples.expectations import find_relation, read_expected
from probatum.programs.examples.notations import CallReader
from probatum.programs.examples.outputs import admits_none, expectation_of, names_none
from probatum.programs.examples.sessions import Session, prints, showing
from probatum.programs.parsing.expressions import names_in
from probatum.programs.parsing.literals import executing
from probatum.programs.parsing.scanning import TextScanner
from probatum.programs.parsing.signatures import defined_names
from probatum.programs.specification import NOTHING_SHOWN, Expectation, PrintsText, RaisesError, ValueIs
from probatum.readings.syntax import NotReadableError, parse_expression, parse_statements

PROMPT = ">>>"
_CONTINUED = "..."
_FENCES = ("```", "~~~", '"""', "'''")
_DIRECTIVE = re.compile(r"#[ \t]*doctest:[ \t]*([+\-\w, \t]*)")


@dataclass(frozen=True, slots=True)
class _Prompt:
    """One prompt of a session, as written."""

    begin: int
    end: int
    source: str
    source_at: int
    output: str
    then: str
    """What follows the output: ``prompt``, ``blank`` or ``end`` (of the document or of the indented block)."""
    directives: frozenset[str]


class DoctestReader:
    """Reads the sessions of one document; the state carries on from prompt to prompt."""

    def __init__(self, scanner: TextScanner, described: Owner, findings: Findings, calls: CallReader) -> None:
        self._scanner = scanner
        self._text = scanner.text
        self._described = described
        self._findings = findings
        self._calls = calls
        self._session = Session(described)
        self._passed_over = -1
        """The prompt in which a part is passed over: the name of a module that nothing confirms."""

    def read(self, begin: int) -> int:
        """Read the prompt at ``begin``; return the offset of the line after it and its output."""
        prompt = self._gather(begin)
        if prompt.source.strip() and "SKIP" not in prompt.directives:
            self._session.place = prompt.begin, prompt.end
            self._interpret(prompt)
        return min(max(prompt.end, self._scanner.line_end(begin)) + 1, len(self._text))

    # From text to a prompt -------------------------------------------------------------------------------------

    def _gather(self, begin: int) -> _Prompt:
        text, scanner = self._text, self._scanner
        line_begin = text.rfind("\n", 0, begin) + 1
        indent = begin - line_begin
        first_line = line_begin == 0
        source_at = begin + len(PROMPT) + text.startswith(" ", begin + len(PROMPT))
        end = scanner.line_end(begin)
        lines = [text[source_at:end]]
        while end < len(text) and self._is_continuation(end + 1):
            following = end + 1
            at = scanner.skip_spaces(following) + len(_CONTINUED)
            at += text.startswith(" ", at)
            end = scanner.line_end(following)
            lines.append(text[at:end])
        # Some people carry an expression on without "...": brackets that stay open tell.
        if len(lines) == 1 and not TextScanner(lines[0]).brackets_close():
            carried = scanner.logical_line_end(source_at)
            if carried > end:
                lines, end = [text[source_at:carried]], carried
        source = "\n".join(lines)
        output, end, then = self._output(end, 0 if first_line else indent)
        return _Prompt(begin, end, source, source_at, output, then, _directives(source))

    def _is_continuation(self, line: int) -> bool:
        at = self._scanner.skip_spaces(line)
        after = at + len(_CONTINUED)
        return self._text.startswith(_CONTINUED, at) and (after >= len(self._text) or self._text[after] in " \t\n")

    def _output(self, end: int, indent: int) -> tuple[str, int, str]:
        """Return the expected output after the line that ends at ``end``, its end, and what follows it."""
        text, scanner = self._text, self._scanner
        lines: list[str] = []
        while end < len(text):
            line = end + 1
            at = scanner.skip_spaces(line)
            line_end = scanner.line_end(line)
            if at >= len(text):
                return "\n".join(lines), end, "end"
            if at >= line_end:
                return "\n".join(lines), end, "blank"
            if text.startswith(PROMPT, at):
                return "\n".join(lines), end, "prompt"
            # Text that is indented less than its prompt is prose after the session, not output.
            if at - line < indent or text.startswith(_FENCES, at):
                break
            lines.append(text[min(line + indent, at) : line_end].rstrip())
            end = line_end
        margin = min((len(each) - len(each.lstrip()) for each in lines), default=0)
        return "\n".join(each[margin:] for each in lines), end, "end"

    # From a prompt to clauses ----------------------------------------------------------------------------------

    def _interpret(self, prompt: _Prompt) -> None:
        try:
            statements = parse_statements(prompt.source)
        except NotReadableError as error:
            self._not_python(prompt, error.sentence)
            return
        try:
            match statements:
                case []:
                    return
                case [ast.Assert(test=test)]:
                    self._assertion(prompt, test)
                case [*before, ast.Expr(value=expression)] if not (prompt.output and _shows_more(before)):
                    self._session.execute(prompt.source, before)
                    written = expression_text(segment(prompt.source, expression), expression)
                    self._expression(prompt, written, expression)
                case _ if prompt.output:
                    self._statements(prompt, statements)
                case _:
                    self._session.execute(prompt.source, statements)
        except NotReadableError as error:
            self._doubt(prompt, error.sentence)

    def _statements(self, prompt: _Prompt, statements: list[ast.stmt]) -> None:
        """Read statements with output: what they print, or the exception that ends them."""
        expectation, confidence = self._expected(prompt, printed=True)
        whole = ast.Module(statements, [])
        bound = frozenset(defined_names(statements))
        self._session.require_names(whole, bound)
        try:
            shown = prompt.source
            if isinstance(expectation, PrintsText):
                shown = showing(prompt.source, self._described.shadowed)
            self._add_claim(prompt, whole, executing(shown), expectation, confidence=confidence)
        finally:
            if isinstance(expectation, RaisesError):
                self._session.remember_raising(prompt.source, whole)
            else:
                self._session.execute(prompt.source, statements, printed=True)

    def _expected(self, prompt: _Prompt, *, printed: bool) -> tuple[Expectation, float]:
        known, shadowed = self._session.known, self._described.shadowed
        return expectation_of(prompt.output, prompt.directives, known, shadowed, printed=printed)

    def _assertion(self, prompt: _Prompt, test: ast.expr) -> None:
        self._session.require_names(test)
        claim = claims_of(prompt.source, test, self._described.shadowed)
        if claim is None:
            claim = f"bool({expression_text(segment(prompt.source, test), test)})", ValueIs(True, "True")
        self._add_claim(prompt, test, *claim)
        if self._session.depends_on_state(test):
            self._session.remember(prompt.source, test, concerns_all=False)

    def _not_python(self, prompt: _Prompt, reason: str) -> None:
        """Read ``>>> f(2) -> 4``; a doubt when that fails too."""
        before = len(self._findings.examples) + len(self._findings.doubts)
        at = self._scanner.skip_spaces(prompt.source_at)
        if self._text.startswith("assert ", at):
            at = self._scanner.skip_spaces(at + len("assert "))
        self._calls.read_prompt(at)
        if len(self._findings.examples) + len(self._findings.doubts) == before:
            self._doubt(prompt, f"the line after the prompt cannot be read: {reason}")

    def _expression(self, prompt: _Prompt, written: str, node: ast.expr) -> None:
        """Read an expression with or without output; raises `NotReadableError`."""
        if isinstance(node, ast.Await):
            written, node = segment(written, node.value) if "\n" not in written else ast.unparse(node.value), node.value
        if written.strip() == "...":
            return
        if not prompt.source.startswith(written) or "\n" in prompt.source:
            node = parse_expression(written)
        strangers = self._session.strangers(node)
        unqualified = without_own_module(node, self._session.known, self._described.module)
        if unqualified is not None:
            self._passed_over = prompt.begin if strangers else -1
            written = ast.unparse(unqualified)
            node = parse_expression(written)
        try:
            self._session.require_names(node)
        except NotReadableError:
            if prompt.output or self._described.name in names_in(node):
                raise
            return
        depends = self._session.depends_on_state(node)
        shows = bool(prompt.output)
        raises = False
        try:
            if prompt.output:
                expectation = self._with_output(prompt, written, node)
                shows, raises = isinstance(expectation, PrintsText), isinstance(expectation, RaisesError)
            else:
                self._without_output(prompt, written, node)
        finally:
            text = expression_text(written, node)
            if raises:
                self._session.remember_raising(text, node)
            else:
                self._session.note(text)
                if depends:
                    self._session.remember(text, parse_expression(text), concerns_all=False, printed=shows)

    def _is_direct_call(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == self._described.name

    def _with_output(self, prompt: _Prompt, written: str, node: ast.expr) -> Expectation:
        """Note what the output documents; raises `NotReadableError` when it cannot be read."""
        claim = claims_of(written, node, self._described.shadowed) if isinstance(node, ast.Compare) else None
        if claim is not None and prompt.output.strip() == "True":
            self._add_claim(prompt, node, *claim)
            return claim[1]
        is_quiet = self._described.returns_nothing and self._is_direct_call(node)
        expectation, confidence = self._expected(prompt, printed=is_quiet or prints(node, self._described.shadowed))
        self._add_claim(prompt, node, expression_text(written, node), expectation, confidence=confidence)
        return expectation

    def _without_output(self, prompt: _Prompt, written: str, node: ast.expr) -> None:
        """Decide what a prompt without output documents: a condition, a value in its comment, nothing, or None."""
        claim = claims_of(written, node, self._described.shadowed)
        if claim is not None:
            self._add_claim(prompt, node, *claim)
            return
        text = expression_text(written, node)
        commented = self._value_in_comment(prompt)
        if commented is not None:
            self._add_claim(prompt, node, text, commented, notation="comment")
            return
        if isinstance(node, ast.Subscript) and written[len(segment(written, node.value)) :].startswith((" ", "\t")):
            self._doubt(prompt, "no sign between the call and the value")
            return
        direct = self._is_direct_call(node)
        if direct and not admits_none(self._described.annotation):
            self._doubt(prompt, f"no output is written, yet the annotation is {self._described.annotation}")
        elif prompt.then == "end" and not (direct and self._described.returns_nothing):
            if direct:
                self._doubt(prompt, "no output is written; a blank line after the prompt would document None")
        elif isinstance(node, ast.Call | ast.Name | ast.Attribute | ast.Subscript):
            notation = "doctest" if direct and names_none(self._described.annotation) else NOTHING_SHOWN
            self._add_claim(prompt, node, text, ValueIs(None, "None"), confidence=0.7, notation=notation)
        if not direct and not self._session.depends_on_state(node):
            self._session.remember(text, node, concerns_all=True)

    def _value_in_comment(self, prompt: _Prompt) -> Expectation | None:
        """Read ``>>> f(2)  # => 4``, ``>>> f(2)  # returns 4``."""
        scanner = TextScanner(prompt.source.rstrip())
        comment = scanner.comment_at(0)
        if comment < 0 or "\n" in scanner.text or _DIRECTIVE.match(scanner.text, comment):
            return None
        relation = find_relation(scanner, comment)
        if relation is None:
            return None
        try:
            expected = read_expected(scanner, relation)
        except NotReadableError:
            return None
        return expected.expectation if expected is not None else None

    def _add_claim(
        self,
        prompt: _Prompt,
        node: ast.AST,
        expression: str,
        expectation: Expectation,
        *,
        confidence: float = 0.95,
        notation: str = "doctest",
    ) -> None:
        needed = self._session.setup_for(node, printing=isinstance(expectation, PrintsText))
        setup = tuple(step.statement for step in needed)
        found = Found(prompt.begin, prompt.end, expression, expectation, notation, confidence, setup)
        places = (*self._session.imports, *(step.place for step in needed if any(step.place)))
        steps = tuple(dict.fromkeys(places))
        self._findings.examples.append(
            replace(found, before=self._before(setup), steps=steps, is_whole=prompt.begin != self._passed_over)
        )

    def _before(self, setup: tuple[str, ...]) -> tuple[str, ...]:
        """Return the whole session so far where it is more than the set-up."""
        history = self._session.history
        return history if len(history) > len(setup) else ()

    def _doubt(self, prompt: _Prompt, reason: str) -> None:
        self._findings.doubt(prompt.begin, prompt.end, reason)


def _shows_more(before: Sequence[ast.stmt]) -> bool:
    """True where what is shown may be of more than the last statement."""
    return any(isinstance(each, ast.Expr) for each in before)


def _directives(source: str) -> frozenset[str]:
    """Return the names of the options that a prompt switches on."""
    found = (name for match in _DIRECTIVE.finditer(source) for name in match.group(1).replace(",", " ").split())
    return frozenset(name[1:] for name in found if name.startswith("+"))
