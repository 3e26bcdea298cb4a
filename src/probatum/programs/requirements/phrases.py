"""Words, numbers, signs and code in one sentence, and what they mean as amounts and as Python conditions.

A sentence is cut into tokens once; the readers of predicates and conditions walk over them. Python in a document is
accepted only when it uses the parameters, names of the module and a closed list of constructs. Refuses sentences that
are longer than a sentence is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from probatum.programs.reading.literals import NotReadableError, parse_expression
from probatum.programs.reading.scanning import word_set

__all__ = ["MAX_SENTENCE", "Scope", "Token", "Tokens", "python_condition", "tokens_of"]

MAX_SENTENCE = 600
_TOKEN = re.compile(
    r"``(?P<double>[^`\n]{1,200})``|`(?P<code>[^`\n]{1,200})`"
    r"|(?P<string>\"[^\"\n]{0,80}\"|(?<![\w])'[^'\n]{0,80}'(?!\w))"
    r"|(?P<number>[0-9]{1,3}(?:,[0-9]{3})+(?![\w,])|(?:[0-9][0-9_]*(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)(?![\w])"
    r"|(?P<word>[^\W\d]\w*(?:['’][a-z]{1,2}\b)?(?:-[^\W\d_]{2,}(?:-[^\W\d_]{2,}){0,3})?)"
    r"|(?P<sign><=|>=|==|!=|=<|\*\*|//|\.\.\.?|[^\w\s])"
    r"|(?P<odd>\w+)"
)
_SIGNS = {"≤": "<=", "≥": ">=", "≠": "!=", "=<": "<=", "=": "==", "…": "...", "–": "-", "−": "-"}
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
}
_COMPARISONS = word_set("< <= > >= == !=")
_ARITHMETIC = word_set("+ - * // / % **")
_FUNCTIONS = word_set(
    "len sum min max abs all any sorted set list tuple dict str int float bool isinstance range zip enumerate round "
    "reversed map ord chr divmod pow type frozenset bytes complex"
)
_NODES = (
    *(ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.IfExp, ast.Constant, ast.Attribute),
    *(ast.Subscript, ast.Slice, ast.Name, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.GeneratorExp, ast.ListComp),
    *(ast.SetComp, ast.DictComp, ast.comprehension, ast.keyword, ast.Starred, ast.expr_context, ast.boolop),
    *(ast.operator, ast.unaryop, ast.cmpop),
)
_CONDITION_CALLS = word_set("all any isinstance bool")
_CONDITION_METHODS = word_set(
    "isdigit isalpha isalnum islower isupper isspace istitle isidentifier isnumeric isdecimal isascii startswith "
    "endswith issubset issuperset isdisjoint is_integer"
)
_METHODS = _CONDITION_METHODS | word_set("lower upper strip lstrip rstrip split count index find get keys values items")
_LENGTH = re.compile(r"\b([^\W\d]\w*)\.(?:length|size|len)\b(?!\()")
_INDEXED = re.compile(r"\b([^\W\d]\w*)\[([ij])\]")


@dataclass(frozen=True, slots=True)
class Scope:
    """What the words of a document can refer to."""

    parameters: tuple[str, ...]
    annotations: Mapping[str, str] = field(default_factory=dict)
    known: frozenset[str] = frozenset()
    """Names of the module that a condition may call."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token: ``code``, ``string``, ``number``, ``word`` or ``sign``."""

    kind: str
    text: str
    low: str
    begin: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """Cut a sentence into tokens; a sentence beyond the limit has none."""
    if len(text) > MAX_SENTENCE:
        return []
    found = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "odd"
        written = match.group(kind)
        if kind == "number":
            written = written.replace(",", "")
        if kind == "sign":
            written = _SIGNS.get(written, written)
        kind = "code" if kind == "double" else kind
        found.append(Token(kind, written, written.lower().replace("’", "'"), match.start(), match.end()))
    return found


class Tokens:
    """A walk over the tokens of a sentence: every reader returns the place after what it read, or -1."""

    def __init__(self, tokens: list[Token], scope: Scope) -> None:
        self.all = tokens
        self.scope = scope

    def low(self, at: int) -> str:
        """Return the token in lower case, empty past the end."""
        return self.all[at].low if 0 <= at < len(self.all) else ""

    def is_end(self, at: int) -> bool:
        """True past the last token, a final full stop aside."""
        while at < len(self.all) and self.all[at].low in {".", "!", ";"}:
            at += 1
        return at >= len(self.all)

    def after(self, at: int, *phrases: str) -> int:
        """Return the place after the first of these phrases that stands at ``at``, or -1."""
        for phrase in phrases:
            words = phrase.split()
            if all(self.low(at + offset) == word for offset, word in enumerate(words)):
                return at + len(words)
        return -1

    def skip(self, at: int, words: frozenset[str]) -> int:
        """Return the place after all of these words; a word that names a parameter is no such word."""
        while self.low(at) in words and self.name(at) is None:
            at += 1
        return at

    def name(self, at: int) -> str | None:
        """Return the parameter that is named at ``at``, in backticks or plain."""
        if not 0 <= at < len(self.all):
            return None
        token = self.all[at]
        text = token.text.strip("*\"'") if token.kind in {"code", "word", "string"} else ""
        return text if text in self.scope.parameters else None

    # Amounts ---------------------------------------------------------------------------------------------------

    def amount(self, at: int) -> tuple[str, int]:
        """Read a number, a parameter, a length or simple arithmetic with them; an empty text when there is none."""
        text, at = self._term(at)
        for _ in range(8):
            if not text or self.low(at) not in _ARITHMETIC | {"^"}:
                break
            sign = "**" if self.low(at) == "^" else self.low(at)
            other, after = self._term(at + 1)
            if not other:
                break
            text, at = f"{text} {sign} {other}", after
        return text, at

    def _term(self, at: int) -> tuple[str, int]:
        if self.low(at) in {"+", "-"}:
            text, after = self._term(at + 1) if self.low(at + 1) not in {"+", "-"} else ("", at)
            return (f"-{text}" if self.low(at) == "-" and text else text), after
        of_length = self.after(at, "the length of", "length of", "the size of", "the number of elements in")
        if of_length > 0 and (name := self.name(self.skip(of_length, _THE))) is not None:
            return f"len({name})", self.skip(of_length, _THE) + 1
        if self.after(at, "len (") > 0 and (name := self.name(at + 2)) is not None and self.low(at + 3) == ")":
            return f"len({name})", at + 4
        token = self.all[at] if 0 <= at < len(self.all) else None
        if token is None:
            return "", at
        if token.kind == "number":
            return token.text.lstrip("0") or "0" if token.text.isdigit() else token.text, at + 1
        if (name := self.name(at)) is not None:
            return (name, at + 1) if self.low(at + 1) not in {"(", "["} or token.kind == "code" else ("", at)
        if token.kind == "code":
            return self._code_amount(token.text), at + 1
        if token.low in _NUMBER_WORDS and self.low(at + 1) != "of":
            return _NUMBER_WORDS[token.low], at + 1
        return "", at

    def _code_amount(self, text: str) -> str:
        try:
            node = parse_expression(text)
        except NotReadableError:
            return ""
        allowed = isinstance(node, ast.Constant | ast.BinOp | ast.UnaryOp | ast.Call | ast.Name)
        return ast.unparse(node) if allowed and _is_understood(node, self.scope) else ""

    def comparison(self, at: int) -> str:
        """Return the comparison sign at ``at``, or an empty text."""
        return self.low(at) if self.low(at) in _COMPARISONS else ""


_THE = word_set("the a an given input")


def python_condition(text: str, scope: Scope) -> str | None:
    """Return a condition that a document writes in Python (or nearly: ``10^9``, ``xs.length``), or None.

    It must be about a parameter, and use nothing else than parameters, the module's names and plain constructs.
    """
    written = text.strip().rstrip(".;,")
    for sign, meant in (("≤", "<="), ("≥", ">="), ("≠", "!="), ("^", "**"), ("−", "-")):
        written = written.replace(sign, meant)
    written = _LENGTH.sub(r"len(\1)", written)
    elements = {(match.group(1), match.group(2)) for match in _INDEXED.finditer(written)}
    if elements and not {index for _, index in elements} & set(scope.parameters):
        return _for_all(written, elements, scope)
    return _checked(written, scope)


def _for_all(written: str, elements: set[tuple[str, str]], scope: Scope) -> str | None:
    """Read ``0 <= xs[i] <= 9``, which speaks of every element."""
    if len(elements) != 1:
        return None
    [(name, _)] = elements
    inner = _checked(_INDEXED.sub("each_", written), Scope((*scope.parameters, "each_"), known=scope.known))
    return f"all({inner} for each_ in {name})" if inner is not None and name in scope.parameters else None


def _checked(written: str, scope: Scope) -> str | None:
    try:
        node = parse_expression(written)
    except NotReadableError:
        return None
    if not _is_condition(node) or not _is_understood(node, scope):
        return None
    for part in ast.walk(node):
        if isinstance(part, ast.Compare):
            part.ops = [_by_value(op, other) for op, other in zip(part.ops, part.comparators, strict=True)]
    return ast.unparse(node)


def _by_value(op: ast.cmpop, other: ast.expr) -> ast.cmpop:
    """``x is 0`` in a document means that it equals 0."""
    if isinstance(other, ast.Constant) and not isinstance(other.value, bool | None):
        return ast.Eq() if isinstance(op, ast.Is) else ast.NotEq() if isinstance(op, ast.IsNot) else op
    return op


def _is_condition(node: ast.expr) -> bool:
    match node:
        case ast.Compare(left=left, comparators=others):
            return any(not isinstance(side, ast.Constant) for side in (left, *others))
        case ast.BoolOp(values=values):
            return all(_is_condition(value) for value in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_condition(operand) or isinstance(operand, ast.Name)
        case ast.Call(func=ast.Name(id=name)):
            return name in _CONDITION_CALLS
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _CONDITION_METHODS
        case _:
            return False


def _is_understood(node: ast.expr, scope: Scope) -> bool:
    """True when only plain constructs, parameters and known names occur, and at least one parameter."""
    used: set[str] = set()
    bound: set[str] = set()
    for part in ast.walk(node):
        if not isinstance(part, _NODES):
            return False
        if isinstance(part, ast.Name):
            (used if isinstance(part.ctx, ast.Load) else bound).add(part.id)
        if isinstance(part, ast.Attribute) and part.attr not in _METHODS:
            return False
    free = used - bound
    return bool(free & set(scope.parameters)) and free <= {*scope.parameters, *_FUNCTIONS, *scope.known}
