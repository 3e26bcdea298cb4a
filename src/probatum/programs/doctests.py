"""Interpreter sessions in documents: prompts, continued lines, expected output, set-up and directives.

The output is read by value, not compared as text, where it is a value. A session is one state: what earlier prompts
bound or changed becomes the ``setup`` of later examples. Refuses to guess: output that is neither a value, an
exception, a printed text nor the ``repr`` of an object is a doubt, and so is output that is only in part exact.
"""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass

from probatum.programs.clauses import (
    Described,
    Findings,
    Found,
    claims_of,
    expression_text,
    require_known_names,
    segment,
    without_own_module,
)
from probatum.programs.expectations import find_relation, read_expected
from probatum.programs.literals import NotReadableError, parse_expression, parse_statements
from probatum.programs.notations import CallReader
from probatum.programs.outputs import Output, admits_none, expectation_of
from probatum.programs.scanning import TextScanner
from probatum.programs.signatures import defined_names
from probatum.programs.specification import Expectation, RaisesError, ValueIs

__all__ = ["PROMPT", "DoctestReader"]

PROMPT = ">>>"
_CONTINUED = "..."
_FENCES = ("```", "~~~", '"""', "'''")
_DIRECTIVE = re.compile(r"#[ \t]*doctest:[ \t]*([+\-\w, \t]*)")
_MAX_SETUP = 200
_NOTHING_SHOWN_CONFIDENCE = 0.7


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


@dataclass(frozen=True, slots=True)
class _Step:
    """An earlier statement of the session."""

    statement: str
    concerns_all: bool
    """True for imports, definitions and effects; False when it matters only to examples that use the names it binds."""


class DoctestReader:
    """Reads the sessions of one document; the state carries on from prompt to prompt."""

    def __init__(self, scanner: TextScanner, described: Described, findings: Findings, calls: CallReader) -> None:
        self._scanner = scanner
        self._text = scanner.text
        self._described = described
        self._findings = findings
        self._calls = calls
        self._setup: list[_Step] = []
        self._bound: set[str] = set()
        self._changing: set[str] = set()
        """Names bound by more than an import or a definition: expressions that use them may change them."""

    def read(self, begin: int) -> int:
        """Read the prompt at ``begin``; return the offset of the line after it and its output."""
        prompt = self._gather(begin)
        if prompt.source.strip() and "SKIP" not in prompt.directives:
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
        while (following := self._line_after(end)) is not None and self._is_continuation(following):
            at = scanner.skip_spaces(following) + len(_CONTINUED)
            at += text.startswith(" ", at)
            end = scanner.line_end(following)
            lines.append(text[at:end])
        if len(lines) == 1 and not _closed(lines[0]):
            carried = scanner.logical_line_end(source_at)
            if carried > end:
                lines, end = [text[source_at:carried]], carried
        source = "\n".join(lines)
        output, end, then = self._output(end, 0 if first_line else indent)
        directives = _directives(source)
        return _Prompt(begin, end, source, source_at, output, then, directives)

    def _line_after(self, end: int) -> int | None:
        return end + 1 if end < len(self._text) else None

    def _is_continuation(self, line: int) -> bool:
        at = self._scanner.skip_spaces(line)
        after = at + len(_CONTINUED)
        return self._text.startswith(_CONTINUED, at) and (after >= len(self._text) or self._text[after] in " \t\n")

    def _output(self, end: int, indent: int) -> tuple[str, int, str]:
        """Return the expected output after the line that ends at ``end``, its end, and what follows it."""
        text, scanner = self._text, self._scanner
        lines: list[str] = []
        while (line := self._line_after(end)) is not None:
            at = scanner.skip_spaces(line)
            line_end = scanner.line_end(line)
            if at >= len(text):
                return "\n".join(lines), end, "end"
            if at >= line_end:
                return "\n".join(lines), end, "blank"
            if text.startswith(PROMPT, at):
                return "\n".join(lines), end, "prompt"
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
        match statements:
            case []:
                return
            case [ast.Assert(test=test)]:
                self._assertion(prompt, test)
            case [*before, ast.Expr(value=expression)]:
                if self._run(prompt, before):
                    self._expression(prompt, segment(prompt.source, expression), expression)
            case _:
                self._statements(prompt, statements)

    def _assertion(self, prompt: _Prompt, test: ast.expr) -> None:
        try:
            self._require_names(test)
            claim = claims_of(prompt.source, test, self._described.shadowed)
        except NotReadableError as error:
            self._doubt(prompt, error.sentence)
            return
        if claim is None:
            claim = f"bool({expression_text(segment(prompt.source, test), test)})", ValueIs(True, "True")
        self._add_claim(prompt, test, *claim)
        if self._depends_on_state(test):
            self._remember(prompt.source, concerns_all=False)

    def _statements(self, prompt: _Prompt, statements: list[ast.stmt]) -> None:
        """Take statements into the set-up; what they print with ``print`` alone is an example of its own."""
        if not prompt.output:
            self._run(prompt, statements)
            return
        match statements:
            case [ast.For() | ast.While() | ast.If() | ast.With() as block] if _only_prints(block):
                self._expression(prompt, f"exec({prompt.source!r})", block)
            case _:
                self._run(prompt, statements)
                self._doubt(prompt, "output is documented for statements, which have no value")

    def _not_python(self, prompt: _Prompt, reason: str) -> None:
        """Read ``>>> f(2) -> 4``; a doubt when that fails too."""
        before = len(self._findings.examples) + len(self._findings.doubts)
        at = self._scanner.skip_spaces(prompt.source_at)
        if self._text.startswith("assert ", at):
            at = self._scanner.skip_spaces(at + len("assert "))
        self._calls.read_prompt(at)
        if len(self._findings.examples) + len(self._findings.doubts) == before:
            self._doubt(prompt, f"the line after the prompt cannot be read: {reason}")

    def _known(self) -> frozenset[str]:
        return self._described.known | self._bound if self._bound else self._described.known

    def _require_names(self, node: ast.AST) -> None:
        names = [each.name for each in self._described.parameters if each.name not in self._bound]
        require_known_names(node, self._known(), names)

    def _run(self, prompt: _Prompt, statements: list[ast.stmt]) -> bool:
        """Take statements into the set-up; False when one of them cannot be executed in the module."""
        for statement in statements:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                if not self._import(prompt, statement):
                    return False
                continue
            names = defined_names([statement])
            self._bound.update(names)
            try:
                self._require_names(statement)
            except NotReadableError as error:
                self._bound.difference_update(names)
                self._doubt(prompt, f"the set-up cannot be executed: {error.sentence}")
                return False
            fixed = isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            uses_state = self._uses_changing(statement)
            if not fixed or uses_state:
                self._changing.update(names)
                fixed = False
            self._remember(segment(prompt.source, statement), concerns_all=fixed or not (names or uses_state))
        return True

    def _import(self, prompt: _Prompt, statement: ast.Import | ast.ImportFrom) -> bool:
        """Take an import: of what the module itself defines nothing is needed; unknown modules are a doubt."""
        names = defined_names([statement])
        if isinstance(statement, ast.ImportFrom):
            module = statement.module or ""
            own = all(alias.name in self._described.known or alias.name == "*" for alias in statement.names)
            if own and (statement.level or module.partition(".")[0] not in sys.stdlib_module_names):
                self._rename(statement)
                return True
        else:
            module = statement.names[0].name
            if module.partition(".")[0] not in sys.stdlib_module_names | self._known():
                return True  # It may be the file itself; what uses it otherwise is a doubt of its own.
        if module.partition(".")[0] in sys.stdlib_module_names or set(names) <= self._known():
            self._bound.update(names)
            self._remember(segment(prompt.source, statement), concerns_all=True)
            return True
        self._doubt(prompt, f"it imports {module!r}, which the module itself does not")
        return False

    def _rename(self, statement: ast.ImportFrom) -> None:
        """Bind the other names under which a session imports what the file defines."""
        for alias in statement.names:
            if alias.asname is not None and alias.asname != alias.name:
                self._bound.add(alias.asname)
                self._remember(f"{alias.asname} = {alias.name}", concerns_all=True)

    def _remember(self, statement: str, *, concerns_all: bool) -> None:
        self._setup.append(_Step(statement.strip(), concerns_all))

    def _expression(self, prompt: _Prompt, written: str, node: ast.expr) -> None:
        if isinstance(node, ast.Await):
            written, node = segment(written, node.value) if "\n" not in written else ast.unparse(node.value), node.value
        if written.strip() == "...":
            return
        try:
            if not prompt.source.startswith(written) or "\n" in prompt.source:
                node = parse_expression(written)
            unqualified = without_own_module(node, self._known())
            if unqualified is not None:
                written = ast.unparse(unqualified)
                node = parse_expression(written)
            self._require_names(node)
        except NotReadableError as error:
            if prompt.output or self._mentions_subject(node):
                self._doubt(prompt, error.sentence)
            return
        completes = True
        try:
            if prompt.output:
                completes = self._with_output(prompt, written, node)
            else:
                self._without_output(prompt, written, node)
        except NotReadableError as error:
            self._doubt(prompt, error.sentence)
        if completes and self._depends_on_state(node):
            self._remember(expression_text(written, node), concerns_all=False)

    def _mentions_subject(self, node: ast.expr) -> bool:
        return any(isinstance(part, ast.Name) and part.id == self._described.name for part in ast.walk(node))

    def _depends_on_state(self, node: ast.AST) -> bool:
        return self._described.keeps_state or self._uses_changing(node)

    def _uses_changing(self, node: ast.AST) -> bool:
        return bool(self._changing) and any(
            isinstance(part, ast.Name) and part.id in self._changing for part in ast.walk(node)
        )

    def _is_direct_call(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == self._described.name

    def _with_output(self, prompt: _Prompt, written: str, node: ast.expr) -> bool:
        """Note what the output documents; False when the expression is documented to raise.

        Raises `NotReadableError` when the output cannot be read.
        """
        claim = claims_of(written, node, self._described.shadowed) if isinstance(node, ast.Compare) else None
        if claim is not None and prompt.output.strip() == "True":
            self._add_claim(prompt, node, *claim)
            return True
        output = Output(
            prompt.output,
            printed=_prints(node) or (self._described.returns_nothing and self._is_direct_call(node)),
            directives=prompt.directives,
            shadowed=self._described.shadowed,
        )
        expectation, confidence = expectation_of(output, self._known())
        self._add_claim(prompt, node, expression_text(written, node), expectation, confidence=confidence)
        return not isinstance(expectation, RaisesError)

    def _without_output(self, prompt: _Prompt, written: str, node: ast.expr) -> None:
        """Decide what a prompt without output documents: a condition, a value in its comment, nothing, or None."""
        claim = claims_of(written, node, self._described.shadowed)
        if claim is not None:
            self._add_claim(prompt, node, *claim)
            return
        text = expression_text(written, node)
        commented = self._value_in_comment(prompt, node)
        if commented is not None:
            self._add_claim(prompt, node, text, commented, notation="comment")
            return
        if isinstance(node, ast.Subscript) and written[len(segment(written, node.value)) :].startswith((" ", "\t")):
            self._doubt(prompt, "no sign stands between the call and the value")
            return
        direct = self._is_direct_call(node)
        if direct and not admits_none(self._described.annotation):
            self._doubt(prompt, f"no output is written, yet the annotation is {self._described.annotation}")
        elif prompt.then == "end" and not (direct and self._described.returns_nothing):
            if direct:
                self._doubt(prompt, "no output is written; a blank line after the prompt would document None")
        elif isinstance(node, ast.Call | ast.Name | ast.Attribute | ast.Subscript):
            self._add_claim(prompt, node, text, ValueIs(None, "None"), confidence=_NOTHING_SHOWN_CONFIDENCE)
        if not direct and not self._depends_on_state(node):
            self._remember(text, concerns_all=True)

    def _value_in_comment(self, prompt: _Prompt, node: ast.expr) -> Expectation | None:
        """Read ``>>> f(2)  # 4``; a bare value counts only after a call of the documented function itself."""
        scanner = TextScanner(prompt.source.rstrip())
        comment = scanner.comment_at(0)
        if comment < 0 or "\n" in scanner.text or _DIRECTIVE.match(scanner.text, comment):
            return None
        relation = find_relation(scanner, comment)
        if relation is None or (relation.to_line_end and not self._is_direct_call(node)):
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
        if len(self._setup) > _MAX_SETUP:
            self._doubt(prompt, f"it stands after more than {_MAX_SETUP} steps that it may depend on")
            return
        everything = self._depends_on_state(node)
        setup = tuple(step.statement for step in self._setup if everything or step.concerns_all)
        self._findings.examples.append(
            Found(prompt.begin, prompt.end, expression, expectation, notation, confidence, setup)
        )

    def _doubt(self, prompt: _Prompt, reason: str) -> None:
        self._findings.doubt(prompt.begin, prompt.end, reason)


def _prints(node: ast.expr) -> bool:
    """True for ``print(…)`` and ``pprint(…)``, also as an attribute or with an underscore."""
    match node:
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name.strip("_") in {"print", "pprint"}
        case _:
            return False


def _closed(line: str) -> bool:
    return TextScanner(line).brackets_close()


def _directives(source: str) -> frozenset[str]:
    """Return the names of the options that a prompt switches on."""
    found = (name for match in _DIRECTIVE.finditer(source) for name in match.group(1).replace(",", " ").split())
    return frozenset(name[1:] for name in found if name.startswith("+"))
