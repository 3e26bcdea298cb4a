"""Which Python a text needs that this one cannot parse: a later version, named by the construct that it brought.

Every construct that came after 3.11 is written as this Python has it. Where what results compiles, nothing but the
newer constructs stood in the way. Refuses to guess: a text that does not compile then needs no version, it is broken.

| construct                                              | version | as this Python has it                         |
|--------------------------------------------------------|---------|-----------------------------------------------|
| ``type X = int``                                       | 3.12    | ``X = int``                                   |
| ``def f[T: int](x)``, ``class A[*Ts]``                 | 3.12    | ``def f(x)``, ``class A``                     |
| a quote, backslash, comment or line end in an f-string | 3.12    | the field, with plain texts as names          |
| ``class A[T = int]``                                   | 3.13    | ``class A``                                   |
| ``except A, B:``                                       | 3.14    | ``except (A, B):``                            |
| ``t"{x}"``                                             | 3.14    | ``f"{x}"``                                    |
| ``lazy import x``                                      | 3.15    | ``import x``, where ``import *`` may stand    |
| ``[*x for x in y]``, ``{**x for x in y}``              | 3.15    | ``[[*x] for x in y]``, ``{{**x} for x in y}`` |
| ``case +1:``                                           | 3.15    | ``case -1:``                                  |

What is taken out is compiled on its own, at the top level, where ``yield`` is as wrong as it is there.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

from probatum.programs.source import PLAIN_TEXTS, UNPARSABLE

_TOKEN: Final = re.compile(
    r"(?P<space>[^\S\r\n]++|\\(?:\r\n?|\n))|(?P<comment>#[^\r\n]*+)|(?P<line>\r\n?|\n)"
    r"|(?P<formatted>(?i:fr?|rf|tr?|rt)(?='|\"))"
    rf"|(?P<text>(?i:br?|rb?|u)?(?:{'|'.join(PLAIN_TEXTS)}))"
    r"|(?P<number>\.?\d[\w.]*+)|(?P<name>\w++)"
    r"|(?P<sign>\*\*=?|//=?|<<=?|>>=?|->|:=|[-+*/%@&|^=<>!]=|[^\w\s])",
    re.DOTALL,
)
_QUOTE: Final = re.compile(r"'{3}|\"{3}|'|\"")
_LITERAL: Final = re.compile(r"\\N\{[^{}]*+\}|\\(?:\r\n|[^{}])?|\{\{|\}\}|[^\\{}'\"\r\n]++|[^{}]", re.DOTALL)
_CONVERSION: Final = re.compile(r"(![rsa])\s*(?=[:}])")
_BREAK: Final = re.compile(r"[\r\n]")
_COMPOUND: Final = frozenset(
    {"async", "class", "def", "elif", "else", "except", "finally", "for", "if", "try", "while", "with"}
)
_BEFORE_PATTERN: Final = frozenset({"case", "(", "[", "{", ",", "|", ":", "="})
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_MOST_NESTED: Final = 20
_BLANK: Final = "space"


@dataclass(frozen=True, slots=True)
class NewerSyntax:
    """A version of Python, and what it was the first to have."""

    version: tuple[int, int]
    construct: str

    @property
    def python(self) -> str:
        """The version as a command is called by it."""
        return f"python{self._number}"

    @property
    def sentence(self) -> str:
        """What needs which version, and which version reads it."""
        here = ".".join(map(str, sys.version_info[:2]))
        return f"{self.construct} needs Python {self._number}; Python {here} reads the file"

    @property
    def hint(self) -> str:
        """What to do."""
        return f"Run probatum itself under Python {self._number} or later."

    @property
    def _number(self) -> str:
        return ".".join(map(str, self.version))


_TYPE: Final = NewerSyntax((3, 12), "a type statement")
_PARAMETERS: Final = NewerSyntax((3, 12), "a list of type parameters")
_FIELD: Final = NewerSyntax((3, 12), "a quote, backslash, comment or line end within a field of an f-string")
_DEFAULT: Final = NewerSyntax((3, 13), "a default of a type parameter")
_EXCEPT: Final = NewerSyntax((3, 14), "an except clause of several types without parentheses")
_TEMPLATE: Final = NewerSyntax((3, 14), "a t-string")
_LAZY: Final = NewerSyntax((3, 15), "a lazy import")
_UNPACKING: Final = NewerSyntax((3, 15), "unpacking in a comprehension")
_PLUS: Final = NewerSyntax((3, 15), "a plus sign in a pattern")


def newer_syntax(text: str) -> NewerSyntax | None:
    """Return what a text that this Python refuses needs, None where it is no Python of a later version either."""
    reading = _TextRewritten(text)
    try:
        older = reading.whole()
        newest = max(reading.found, key=lambda each: each.version, default=None)
        if newest is None or newest.version <= sys.version_info[:2]:
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for each in (older, "\n".join(reading.apart)):
                compile(each, "program", "exec", dont_inherit=True)
    except (*UNPARSABLE, SystemError):
        return None
    return newest


class _Token:
    """A piece of the text: its kind stays, its text is rewritten."""

    __slots__ = ("kind", "text")

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        self.text = text


class _TextRewritten:
    """One text, read once from its begin to its end, and what was found in it."""

    def __init__(self, text: str) -> None:
        self.found: list[NewerSyntax] = []
        # Statements of what was taken out of its place.
        self.apart: list[str] = []
        self._text = text
        self._place = 0

    def whole(self) -> str:
        """Return the text as this Python has it; raises SyntaxError for what no version has."""
        tokens = self._tokens(0)
        for statement in _statements(tokens):
            self._rewrite(tokens, statement)
        return "".join(token.text for token in tokens)

    def _tokens(self, level: int) -> list[_Token]:
        """Read to the end of the text, or of one field of an f-string, with what stands in brackets rewritten."""
        tokens, depth = list[_Token](), 0
        while match := _TOKEN.match(self._text, self._place):
            kind, text = match.lastgroup or "", match[0]
            if level and not depth and (text in {"}", "!"} or text[0] == ":"):
                break
            self._place = match.end()
            if text in _OPEN:
                depth += 1
            elif text in _CLOSE:
                depth -= 1
            if depth < 0:
                raise SyntaxError("a bracket is closed that is not open")
            if kind == "line" and (depth or level):
                kind = _BLANK
            tokens.append(self._formatted(text, level) if kind == "formatted" else _Token(kind, text))
        self._unpack(tokens)
        kinds = [token.kind for token in tokens if token.kind not in {_BLANK, "comment"}]
        if {("text", "template"), ("template", "text")} & set(pairwise(kinds)):
            raise SyntaxError("a t-string stands beside another text")
        return tokens

    def _formatted(self, prefix: str, level: int) -> _Token:
        """Read an f-string or a t-string after its prefix; one within a field becomes a name with the inner fields."""
        if level > _MOST_NESTED:
            raise SyntaxError("f-strings are nested too deeply")
        is_template = "t" in prefix.lower()
        if is_template:
            self.found.append(_TEMPLATE)
        match = _QUOTE.match(self._text, self._place)
        assert match is not None
        self._place = match.end()
        fields = list[str]()
        body = self._parts(match[0], "r" in prefix.lower(), level, fields, in_spec=False)
        self._place += len(match[0])
        written = f"{prefix.lower().replace('t', 'f')}{match[0]}{body}{match[0]}"
        if level:
            self.apart.append(written)
            written = f"[{','.join(fields)},]" if fields else ""
        return _Token("template" if is_template else "text", written)

    def _parts(self, quote: str, is_raw: bool, level: int, fields: list[str], *, in_spec: bool) -> str:
        """Read literal text and fields up to the quote that ends them, or the brace that ends a format."""
        parts = list[str]()
        while not self._text.startswith("}" if in_spec else quote, self._place):
            match = _LITERAL.match(self._text, self._place)
            literal = match[0] if match else ""
            if is_raw and literal.startswith("\\N{"):
                literal = "\\N"
            if not literal or (in_spec and literal == "{{"):
                parts.append(self._field(quote, is_raw, level, fields))
                continue
            if len(quote) == 1 and literal[0] in f"{quote}\r\n":
                raise SyntaxError("the f-string does not end")
            self._place += len(literal)
            parts.append(literal)
        return "".join(parts)

    def _field(self, quote: str, is_raw: bool, level: int, fields: list[str]) -> str:
        """Read a field with its braces; return it as this Python has it, one within another without its code."""
        if not self._text.startswith("{", self._place):
            raise SyntaxError("the f-string does not end, or a brace in it is not open")
        begin = self._place = self._place + 1
        tokens = self._tokens(level + 1)
        given = self._text[begin : self._place]
        if (
            "\\" in given
            or quote in given
            or any(token.kind == "comment" for token in tokens)
            or (len(quote) == 1 and _BREAK.search(given))
        ):
            self.found.append(_FIELD)
        tail = ""
        if shown := [token for token in tokens if token.kind not in {_BLANK, "comment"}]:
            tail = "=" if shown[-1].text == "=" else ""
            shown[-1].text = "" if tail else shown[-1].text
        code = "".join(self._plain(tokens)).strip()
        if not code:
            raise SyntaxError("a field is empty")
        if match := _CONVERSION.match(self._text, self._place):
            self._place, tail = match.end(), tail + match[1]
        if self._text.startswith(":", self._place):
            self._place += 1
            tail += ":" + self._parts(quote, is_raw, level, fields, in_spec=True)
        if not self._text.startswith("}", self._place):
            raise SyntaxError("a field does not end")
        self._place += 1
        if not level:
            return f"{{({code}){tail}}}"
        fields.append(f"({code})")
        return f"{{0{tail}}}"

    def _plain(self, tokens: Sequence[_Token]) -> Iterator[str]:
        """Yield the tokens of a field on one line, every row of texts as a name."""
        was_text = False
        for token in tokens:
            if token.kind in {_BLANK, "comment"}:
                yield " "
                continue
            is_text = token.kind in {"text", "template"}
            if is_text and not was_text:
                yield " _ "
            was_text = is_text
            if is_text and token.text[-1:] in {"'", '"'}:
                self.apart.append(token.text)
            else:
                yield token.text

    def _unpack(self, tokens: Sequence[_Token]) -> None:
        """Give what a comprehension unpacks brackets of its own."""
        open_: list[list[_Token]] = []
        for token in tokens:
            if token.kind in {_BLANK, "comment"}:
                continue
            if token.text in _CLOSE and token.kind == "sign":
                self._unpack_one(open_.pop() if open_ else [])
            if open_:
                open_[-1].append(token)
            if token.text in _OPEN and token.kind == "sign":
                open_.append([token])

    def _unpack_one(self, within: Sequence[_Token]) -> None:
        texts = [token.text for token in within]
        clause = next((k for k, text in enumerate(texts) if text in {"for", "async"}), 0)
        signs = {"*": ("[", "]")} | ({"**": ("{", "}")} if texts[:1] == ["{"] else {})
        if clause < 3 or texts[1] not in signs or "," in texts[:clause]:
            return
        self.found.append(_UNPACKING)
        begin, end = signs[texts[1]]
        within[1].text = begin + within[1].text
        within[clause].text = f"{end} {within[clause].text}"

    def _rewrite(self, tokens: Sequence[_Token], statement: Sequence[int]) -> None:
        """Write one simple statement, or the header of a compound one, as this Python has it."""
        texts = [tokens[k].text for k in statement]
        first = texts[0]
        if first == "lazy" and texts[1:2] in (["import"], ["from"]) and "*" not in texts:
            self.found.append(_LAZY)
            tokens[statement[0]].text = "from _ import *;"
        elif first == "type" and len(texts) > 3 and tokens[statement[1]].kind == "name" and texts[2] in {"=", "["}:
            self._alias(tokens, statement)
        elif first in {"def", "class", "async"}:
            begin = texts.index("def") if first == "async" and "def" in texts else 0
            if texts[begin + 2 : begin + 3] == ["["]:
                self._parameters(tokens, statement[begin + 2 :])
        elif first == "except":
            types = statement[2:] if texts[1:2] == ["*"] else statement[1:]
            several = _split(tokens, types, ",")
            is_other = "as" in texts or any(tokens[each[0]].text == "*" for each in several if each)
            if len(several) > 1 and not is_other:
                self.found.append(_EXCEPT)
                tokens[types[0]].text = f" ({tokens[types[0]].text}"
                tokens[types[-1]].text += ")"
        elif first == "case" and ":" in texts:
            for before, sign, after in zip(statement, statement[1:], statement[2:], strict=False):
                is_plus = tokens[sign].text == "+" and tokens[after].kind == "number"
                if is_plus and tokens[before].text in _BEFORE_PATTERN:
                    self.found.append(_PLUS)
                    tokens[sign].text = "-"

    def _alias(self, tokens: Sequence[_Token], statement: Sequence[int]) -> None:
        self.found.append(_TYPE)
        for token in tokens[statement[0] : statement[1]]:
            token.text = ""
        rest = statement[2:]
        if tokens[rest[0]].text == "[":
            rest = self._parameters(tokens, rest)
        value = rest[1:]
        if _joined(tokens, rest[:1]) != "=" or len(_split(tokens, value, ",")) > 1:
            raise SyntaxError("a type statement gives one value")
        self.apart.append(f"_(_={_joined(tokens, value)})")

    def _parameters(self, tokens: Sequence[_Token], rest: Sequence[int]) -> Sequence[int]:
        """Take the type parameters out that a rest of a statement begins with; return what comes after them."""
        self.found.append(_PARAMETERS)
        depths = accumulate((tokens[k].text in _OPEN) - (tokens[k].text in _CLOSE) for k in rest)
        end = next((place for place, depth in enumerate(depths) if not depth), 0)
        *parameters, last = _split(tokens, rest[1:end], ",")
        written = [self._parameter(tokens, each) for each in (*parameters, *([last] if last else []))]
        if not written or tokens[rest[end]].text != "]":
            raise SyntaxError("there is no type parameter, or their list does not end")
        self.apart.append(f"lambda {', '.join(written)}: 0")
        for token in tokens[rest[0] : rest[end] + 1]:
            token.text = " "
        return rest[end + 1 :]

    def _parameter(self, tokens: Sequence[_Token], parameter: Sequence[int]) -> str:
        star = tokens[parameter[0]].text if parameter and tokens[parameter[0]].text in {"*", "**"} else ""
        before, *defaults = _split(tokens, parameter[bool(star) :], "=")
        bound = before[2:]
        is_bound = len(before) > 2 and not star and tokens[before[1]].text == ":"
        is_named = bool(before) and tokens[before[0]].kind == "name"
        if not is_named or len(defaults) > 1 or (len(before) > 1 and not is_bound):
            raise SyntaxError("a type parameter is a name, a bound and a default")
        self.apart += [f"_(_={_joined(tokens, bound)})"] if bound else []
        for default in defaults:
            self.found.append(_DEFAULT)
            value = _joined(tokens, default)
            self.apart.append(f"[{value}]" if star == "*" else f"_(_={value})")
        return f"{tokens[before[0]].text}{'=0' if defaults else ''}"


def _statements(tokens: Sequence[_Token]) -> Iterator[list[int]]:
    """Yield each simple statement and each header of a compound one, as the places of its tokens."""
    statement, depth, is_compound = list[int](), 0, False
    for k, token in enumerate(tokens):
        if token.kind in {_BLANK, "comment"}:
            continue
        is_compound = is_compound if statement else token.text in _COMPOUND
        depth += (token.text in _OPEN) - (token.text in _CLOSE)
        if token.kind == "line" or (not depth and (token.text == ";" or (is_compound and token.text == ":"))):
            yield from [statement] if statement else []
            statement = []
        else:
            statement.append(k)
    yield from [statement] if statement else []


def _split(tokens: Sequence[_Token], places: Sequence[int], sign: str) -> list[list[int]]:
    """Return the parts between the signs that stand in no bracket; an empty part for nothing at all."""
    parts, depth = [list[int]()], 0
    for k in places:
        depth += (tokens[k].text in _OPEN) - (tokens[k].text in _CLOSE)
        if not depth and tokens[k].text == sign:
            parts.append([])
        else:
            parts[-1].append(k)
    return parts


def _joined(tokens: Sequence[_Token], places: Sequence[int]) -> str:
    """Return the text of some tokens that stand in a row, with what is between them."""
    if not places:
        raise SyntaxError("a part of it is missing")
    return "".join(token.text for token in tokens[places[0] : places[-1] + 1])
