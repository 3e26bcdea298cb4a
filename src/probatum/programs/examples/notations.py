"""Calls with their values in running text: ``f(2) == 4``, ``f(2) -> 4``, ``assert f(2) == 4``.

Reads one line at a time (brackets carry over lines). Unquoted words, placeholders and unbalanced brackets become
doubts with a reason; prose that only mentions the call is left alone.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace

from probatum.programs.examples.clauses import (
    Findings,
    Found,
    Owner,
    claims_of,
    expression_text,
    require_known_names,
    segment,
)
from probatum.programs.examples.expectations import Relation, find_relation, read_expected
from probatum.programs.parsing.scanning import TextScanner
from probatum.programs.specification import Expectation, ValueIs
from probatum.readings.syntax import NotReadableError, parse_expression, parse_statements

_BULLET = re.compile(r"(?:[-*+•·▪]|\(?[0-9]{1,3}[.)]|[a-zA-Z][.)])[ \t]+")
_SIGNS = ("==", "=>", "->", "→", "➞")
_TYPE_NAME = re.compile(r"[A-Za-z_][\w.]{0,80}(?=\s|\[|:|$|\|)")
_ARGUMENT_NAME = re.compile(r"(?:^|(?<=,))[\s*\[]*([A-Za-z_]\w{0,80})")
_PROSE = re.compile(r"[A-Za-z'’ ,.;-]+\([^()]*\)[.]?|[A-Za-z'’ ,.;-]+")
_NO_EXAMPLE_BEFORE = frozenset({"def", "class", "not", "lambda", "in", "is", "await", "yield", "raise", "import"})
_OTHER_NAME_CONFIDENCE = 0.8


@dataclass(frozen=True, slots=True)
class _Call:
    """A call in the text: where it stands and what it becomes as an expression."""

    begin: int
    end: int
    expression: str
    node: ast.expr
    renamed: str
    """The other name that the document calls, if any."""


class CallReader:
    """Reads the examples that one document writes as calls."""

    def __init__(self, scanner: TextScanner, described: Owner, findings: Findings) -> None:
        self._scanner = scanner
        self._text = scanner.text
        self._described = described
        self._findings = findings
        self._placeholders = tuple(parameter.name for parameter in described.parameters)

    def read_line(self, begin: int) -> int:
        """Read the line that begins at ``begin``; return the offset of the line after what was read."""
        bullet = _BULLET.match(self._text, begin)
        at = bullet.end() if bullet is not None else begin
        after = self._read_assertion(at)
        if after < 0:
            after = self._read_at_line_start(at)
        at = max(at, after)
        while (found := self._next_own_call(at, self._scanner.line_end(at))) >= 0:
            at = max(found + 1, self._read_call(found))
        return min(self._scanner.line_end(at) + 1, len(self._text))

    def read_prompt(self, begin: int) -> int:
        """Read a prompt's line that is not Python (``>>> f(2) -> 4``); the offset after what was read, or -1."""
        return self._read_call(begin) if self._scanner.dotted_name(begin) >= 0 else -1

    def _read_assertion(self, at: int) -> int:
        text = self._text
        if not text.startswith(("assert ", "assert(", "assert\t"), at):
            return -1
        end = self._scanner.logical_line_end(at)
        try:
            statements = parse_statements(text[at:end].strip())
        except NotReadableError:
            return self._read_at_line_start(self._scanner.skip_spaces(at + len("assert")))
        match statements:
            case [ast.Assert(test=test)]:
                self._assertion(text[at:end].strip(), test, at)
                return end
            case _:
                return -1

    def _assertion(self, written: str, test: ast.expr, begin: int) -> None:
        # What a failing assertion says is words.
        said = segment(written, test)
        end = begin + written.index(said) + len(said)
        try:
            require_known_names(test, self._described.known, self._placeholders)
            claim = claims_of(written, test, self._described.shadowed)
        except NotReadableError as error:
            self._findings.doubt(begin, end, error.sentence)
            return
        if claim is None:
            claim = f"bool({expression_text(segment(written, test), test)})", ValueIs(True, "True")
        self._add(begin, end, *claim, "equals")

    def _is_other_name(self, name: str) -> bool:
        return name not in self._described.known and name != self._described.name

    def _read_at_line_start(self, at: int) -> int:
        """Read a call that begins the line and is not simply the documented one: wrapped, or by another name."""
        end = self._scanner.dotted_name(at)
        if end < 0 or not self._text.startswith("(", end):
            return -1
        name = self._text[at:end]
        if name == self._described.name:
            return self._read_call(at)
        close = self._scanner.bracket_end(end)
        if close < 0:
            return -1
        if "." not in name and self._is_other_name(name):
            return self._read_call(at)
        if self._described.name in self._text[end:close] or name.partition(".")[0] in self._described.known:
            relation = find_relation(self._scanner, self._scanner.postfix_end(close))
            return self._read_call(at) if relation is not None else -1
        return -1

    def _next_own_call(self, at: int, end: int) -> int:
        """Return where the next call of the documented function begins in the line, or -1."""
        name, text = self._described.name, self._text
        while True:
            found = text.find(name + "(", at, end)
            if found < 0:
                return -1
            begin = found
            while begin > at and (text[begin - 1] == "." or text[begin - 1].isalnum() or text[begin - 1] == "_"):
                begin -= 1
            if (begin == found or text[found - 1] == ".") and self._may_begin_example(begin):
                return begin
            at = found + len(name)

    def _may_begin_example(self, begin: int) -> bool:
        """True when what stands before a call does not make it a part of something larger."""
        text = self._text
        if begin == 0 or text[begin] == ".":
            return begin == 0
        before = text[begin - 1]
        if before in "\n`":
            return True
        if before in "([\"'":
            return begin == 1 or text[begin - 2] in " \t\n"
        if before not in " \t,;:":
            return False
        last = begin - 1
        while last > 0 and text[last] in " \t":
            last -= 1
        if text[last] in "+/%=<>&|^@(*[{":
            return False
        word_begin = last
        while word_begin > 0 and text[word_begin].isalpha():
            word_begin -= 1
        return text[word_begin : last + 1].strip() not in _NO_EXAMPLE_BEFORE

    def _read_call(self, begin: int) -> int:
        """Read the call at ``begin`` and what is said of it; return the offset after what was used."""
        scanner, text = self._scanner, self._text
        opening = scanner.dotted_name(begin)
        line_end = scanner.line_end(begin)
        if not text.startswith("(", opening):
            return line_end
        close = scanner.bracket_end(opening)
        if close < 0:
            if any(sign in text[opening:line_end] for sign in _SIGNS):
                self._doubt(begin, line_end, "the call's brackets or quotes do not close")
            return line_end
        close = scanner.postfix_end(close)
        relation = find_relation(scanner, close)
        if relation is None or self._is_signature(opening, close, relation):
            return close
        try:
            call = self._call(begin, opening, close)
        except NotReadableError as error:
            end = scanner.logical_line_end(relation.value_at)
            self._doubt(begin, end, error.sentence, text[begin:opening].rpartition(".")[2] != self._described.name)
            return end
        return self._read_relation(call, relation)

    def _read_relation(self, call: _Call, relation: Relation) -> int:
        scanner, begin = self._scanner, call.begin
        line_end = scanner.logical_line_end(relation.value_at)
        if relation.notation == "rounded":
            self._doubt(begin, line_end, "the value is only approximate", bool(call.renamed))
            return line_end
        try:
            expected = read_expected(scanner, relation)
        except NotReadableError as error:
            return self._compare_expressions(call, relation, error.sentence)
        if expected is not None:
            confidence, notation = 0.95, relation.notation
            if call.renamed:
                notation, confidence = f"{notation}_renamed", min(confidence, _OTHER_NAME_CONFIDENCE)
            written = self._without_owner(call)
            found = Found(written, expected.end, call.expression, expected.expectation, notation, confidence)
            self._findings.examples.append(replace(found, called=call.renamed))
            return expected.end
        return self._compare_expressions(call, relation, "what follows is not a value")

    def _without_owner(self, call: _Call) -> int:
        """Return where what is checked of a call begins: what it is called on is not, unless that is the file."""
        owner, dot, _ = call.renamed.rpartition(".")
        module = self._described.module
        return call.begin if owner in {module, module.rpartition(".")[2]} else call.begin + len(owner + dot)

    def _compare_expressions(self, call: _Call, relation: Relation, reason: str) -> int:
        """Read ``f(x) == other(y)``, which is a claim in Python itself; note a doubt when it is not."""
        begin = call.begin
        end = self._scanner.logical_line_end(relation.value_at)
        written = self._text[call.begin : end].strip()
        if relation.notation == "equals" and self._text.startswith("==", self._scanner.skip_spaces(call.end)):
            written = written.rstrip(".`")
            node = self._comparison(written)
            if node is not None and not call.renamed:
                text = " ".join(ast.unparse(node).splitlines()) if "\n" in written else written
                self._add(begin, begin + len(written), text, ValueIs(True, "True"), "equals")
                return end
        self._doubt(begin, end, reason, bool(call.renamed))
        return end

    def _comparison(self, written: str) -> ast.Compare | None:
        """Parse a comparison of two expressions that the module can evaluate; None when it is nothing of the kind."""
        try:
            node = parse_expression(f"({written}\n)")
            require_known_names(node, self._described.known, self._placeholders)
        except NotReadableError:
            return None
        if not isinstance(node, ast.Compare):
            return None
        return node if any(isinstance(part, ast.Name) for part in ast.walk(node.comparators[-1])) else None

    def _is_signature(self, opening: int, close: int, relation: Relation) -> bool:
        """True for ``f(a, b=0) -> int``, which shows how to call and not what comes out."""
        text = self._text
        if relation.notation != "arrow":
            return False
        inside = text[opening + 1 : close - 1]
        names = [match.group(1) for match in _ARGUMENT_NAME.finditer(inside)]
        result = text[relation.value_at : self._scanner.line_end(relation.value_at)].strip()
        if not inside.strip():
            return not self._scanner.starts_value(relation.value_at) or self._described.call is None
        if any(sign in inside for sign in "'\"0123456789") and "=" not in inside:
            return False
        only_names = bool(names) and all(name in self._placeholders for name in names)
        if only_names and (self._described.call is None or _PROSE.fullmatch(result)):
            return True
        type_name = _TYPE_NAME.match(result)
        rest = result[type_name.end() :] if type_name is not None else "?"
        shows_type = not rest or rest.startswith(("[", ":", "|", ".  ", ". "))
        annotated = ":" in inside or "[," in inside.replace(" ", "")
        return only_names and (shows_type or annotated)

    def _call(self, begin: int, opening: int, close: int) -> _Call:
        """Read the expression from ``begin`` to ``close``; raises `NotReadableError`."""
        described, text = self._described, self._text
        name = text[begin:opening]
        written = text[begin:close]
        owner, _, last = name.rpartition(".")
        own_object = bool(owner) and owner.partition(".")[0] in described.known
        if last == described.name and not own_object:
            renamed = name if owner not in {"", "self", "cls"} else ""
        else:
            renamed = name if not owner and self._is_other_name(name) else ""
        if renamed or (last == described.name and not own_object):
            written = self._own_call() + text[opening:close]
        node = parse_expression(written)
        if renamed and not any(isinstance(part, ast.Call) and self._fits(part) for part in ast.walk(node)):
            raise NotReadableError("it is called by another name and with other arguments")
        require_known_names(node, described.known, self._placeholders)
        return _Call(begin, close, expression_text(written, node), node, renamed)

    def _own_call(self) -> str:
        if self._described.call is None:
            raise NotReadableError("a method needs an object, and the example does not make one")
        return self._described.call

    def _fits(self, call: ast.Call) -> bool:
        """True when the arguments could be those of the documented function."""
        if any(isinstance(argument, ast.Starred) for argument in call.args):
            return False
        parameters = self._described.parameters
        positional = [each for each in parameters if each.kind.startswith("positional")]
        room = len(positional) if not any(each.kind == "var_positional" for each in parameters) else len(call.args)
        named = {keyword.arg for keyword in call.keywords}
        missing = [each for each in positional[len(call.args) :] if each.default is None and each.name not in named]
        return len(call.args) <= room and not missing and named <= {each.name for each in parameters}

    def _doubt(self, begin: int, end: int, reason: str, foreign: bool = False) -> None:
        """Note a doubt; a line about another name is only worth one when its arguments are values."""
        if not foreign:
            written = self._text[begin:end].rstrip()
            self._findings.doubt(begin, begin + len(written), reason)

    def _add(
        self, begin: int, end: int, expression: str, expectation: Expectation, notation: str, confidence: float = 0.95
    ) -> None:
        self._findings.examples.append(Found(begin, end, expression, expectation, notation, confidence))
