"""Words in code: what stands in it and is neither run nor compared.

Comments, messages of assertions, texts whose value nothing takes; in a condition every text of several words. Refuses
to take a comment for code, unless it is a directive of `doctest` or says the very value that is compared.
"""

from __future__ import annotations

import ast
import doctest
import io
import re
import tokenize
from collections.abc import Iterator, Sequence

from probatum.programs.parsing.literals import read_value
from probatum.programs.parsing.value_texts import value_text
from probatum.programs.source import module_or_none
from probatum.programs.specification import Expectation, ValueIs
from probatum.readings.syntax import NotReadableError

Range = tuple[int, int]
_DIRECTIVE = re.compile(r"#[ \t]*doctest:(?:[ \t,]*[+-][A-Z_][A-Z0-9_]*)+[ \t]*")
_OPTION = re.compile(r"[+-]([A-Z_0-9]+)")
_COMMENTED_VALUE = re.compile(r"#[ \t]*(?:[=-]{1,2}>|→|==?)[ \t]*(?P<value>.+)")
_SEVERAL_WORDS = re.compile(r"\w\W*\s\W*\w")
_TEXTS = frozenset({"STRING", "FSTRING_MIDDLE"})


def words_in_code(text: str, lines: Sequence[Range], expected: Expectation | None = None) -> Iterator[Range]:
    """Yield the words in lines of a text that are code; ``expected`` is what its value is compared with."""
    code = _Code(text, lines)
    tree = module_or_none(code.source)
    for node in _idle(tree) if tree is not None else ():
        if node.end_lineno is not None and node.end_col_offset is not None:
            begin, end = (
                code.of_bytes(node.lineno, node.col_offset),
                code.of_bytes(node.end_lineno, node.end_col_offset),
            )
            yield code.place(*begin), code.place(*end)
    yield from comments_in(text, lines, expected)


def comments_in(text: str, lines: Sequence[Range], expected: Expectation | None = None) -> Iterator[Range]:
    """Yield the comments that are words in lines of a text that are code."""
    code = _Code(text, lines)
    for token in code.tokens():
        if token.type == tokenize.COMMENT and not _is_code(token.string, expected):
            yield code.place(*token.start), code.place(*token.end)


def words_in_condition(text: str, lines: Sequence[Range]) -> Iterator[Range]:
    """Yield the words in a condition: its comments, and its texts of several words."""
    code = _Code(text, lines)
    for token in code.tokens():
        is_text = tokenize.tok_name[token.type] in _TEXTS and _SEVERAL_WORDS.search(token.string)
        if is_text or token.type == tokenize.COMMENT:
            yield code.place(*token.start), code.place(*token.end)


class _Code:
    """Lines of a text as one source, and where its places are in the text."""

    def __init__(self, text: str, lines: Sequence[Range]) -> None:
        self._margin = min((len(text[a:b]) - len(text[a:b].lstrip()) for a, b in lines if text[a:b].strip()), default=0)
        self._lines = lines
        self._texts = [text[min(a + self._margin, b) : b].replace("`", " ") for a, b in lines]
        self.source = "\n".join(self._texts)

    def place(self, row: int, column: int) -> int:
        """Return where a row, from 1 on, and a column of the source are in the text."""
        return self._lines[row - 1][0] + self._margin + column

    def of_bytes(self, row: int, column: int) -> tuple[int, int]:
        """Return a row and a column that counts characters, for one that counts bytes."""
        return row, len(self._texts[row - 1].encode()[:column].decode())

    def tokens(self) -> Iterator[tokenize.TokenInfo]:
        """Yield the tokens; where it is no Python after all, every sign of a comment begins one."""
        try:
            yield from tokenize.generate_tokens(io.StringIO(self.source).readline)
        except (tokenize.TokenError, SyntaxError):
            for row, line in enumerate(self._texts, 1):
                if "#" in line:
                    begin, end = (row, line.index("#")), (row, len(line))
                    yield tokenize.TokenInfo(tokenize.COMMENT, line[begin[1] :], begin, end, line)


def _idle(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the expressions that nothing takes the value of: messages, texts that stand alone or only for their truth.

    What uses no name is the same whatever the program does.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Assert(msg=ast.expr() as message):
                yield message
            case ast.Expr(value=ast.Constant(value=str() | bytes()) as alone):
                yield alone
            case ast.BoolOp(values=parts) | ast.Subscript(value=ast.Tuple(elts=parts) | ast.List(elts=parts)):
                yield from (text for part in parts for text in _texts(part))
            case ast.Subscript(value=ast.Dict(keys=keys)):
                yield from (text for key in keys if key is not None for text in _texts(key))
            case ast.IfExp(test=test) | ast.If(test=test) | ast.While(test=test):
                yield from _texts(test)


def _texts(part: ast.expr) -> Iterator[ast.expr]:
    inside = list(ast.walk(part))
    if not any(isinstance(node, ast.Name) for node in inside):
        yield from (node for node in inside if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def _is_code(comment: str, expected: Expectation | None) -> bool:
    if _DIRECTIVE.fullmatch(comment):
        return all(name in doctest.OPTIONFLAGS_BY_NAME for name in _OPTION.findall(comment))
    value = _COMMENTED_VALUE.fullmatch(comment.rstrip(". "))
    if value is None or not isinstance(expected, ValueIs):
        return False
    try:
        said = read_value(value["value"].strip("` "))
    except NotReadableError:
        return False
    return value_text(said) == value_text(expected.value)
