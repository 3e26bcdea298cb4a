"""Which Python a text needs that this one cannot parse: a later version, named by the construct that it brought.

Every construct that came after 3.11 is written as this Python has it. Where what results compiles, nothing but the
newer constructs stood in the way. Refuses to guess: a text that does not compile then needs no version, it is broken.

| construct                                              | version | as this Python has it                         |
|--------------------------------------------------------|---------|-----------------------------------------------|
| ``type X = int``                                       | 3.12    | ``X = {0: int for _ in ()}``                  |
| ``def f[T: int](x)``, ``class A[*Ts]``                 | 3.12    | ``def f(x)``, ``class A``, with a decorator   |
| a quote, backslash, comment or line end in an f-string | 3.12    | a call for each field                         |
| ``class A[T = int]``                                   | 3.13    | ``class A``, with a decorator                 |
| ``except A, B:``                                       | 3.14    | ``except (A, B):``                            |
| ``t"{x}"``                                             | 3.14    | a call for each field                         |
| ``lazy import x``                                      | 3.15    | ``import x``, where ``import *`` may stand    |
| ``[*x for x in y]``, ``{**x for x in y}``              | 3.15    | ``[[*x] for x in y]``, ``{{**x} for x in y}`` |
| ``case +1:``                                           | 3.15    | ``case -1:``                                  |

``f"a{x}" "b"`` is written as ``""("a ")((x))("b")``: wherever the one may stand, the other may.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from probatum.core.limits import ExtentError
from probatum.programs.source import UNPARSABLE, require_few_tokens


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


def newer_syntax(text: str) -> NewerSyntax | None:
    """Return what a text that this Python refuses needs, None where it is no Python of a later version either."""
    reading, newest = _TextInLines(text), None
    try:
        lines, found = reading.whole(), reading.found
        for construct, pattern, as_older in _OLDER:
            lines, count = re.subn(pattern, as_older, lines, flags=re.MULTILINE)
            found += [construct] * count
        newest = max(found, key=lambda each: each.version, default=None)
        if newest is None or newest.version <= sys.version_info[:2]:
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            older = reading.with_texts(lines)
            require_few_tokens(older)
            compile(older, "program", "exec", dont_inherit=True)
    except ExtentError:
        # What is too large to be tried is not known to be broken.
        return newest
    except (*UNPARSABLE, SystemError):
        return None
    return newest


_FIELD: Final = NewerSyntax((3, 12), "a quote, backslash, comment or line end within a field of an f-string")
_TEMPLATE: Final = NewerSyntax((3, 14), "a t-string")
_TOKEN: Final = re.compile(
    r"(?P<space>[^\S\r\n]++)|(?P<blank>\\(?:\r\n?|\n)(?!\Z)|#[^\r\n]*+)|(?P<line>\r\n?|\n)"
    r"|(?P<text>(?P<prefix>(?i:br?|rb?|u|fr?|rf|tr?|rt)?)(?P<quote>'{3}|\"{3}|'|\"))"
    r"|(?P<other>\w++|!=|[^\w\s'\"])"
)
_LITERAL: Final = re.compile(r"\\N\{[^{}]*+\}|\\(?:\r\n|[^{}])?|\{\{|\}\}|[^\\{}'\"\r\n]++|[^{}]", re.DOTALL)
_CONVERSION: Final = re.compile(r"![rsa]\s*(?=[:}])")
_MOST_FORMATS: Final = 2


class _TextInLines:
    """One text, read once from its begin to its end, each statement in one line without comments.

    What stands between quotes is kept apart, so that no pattern finds something in it: a number is in its place.
    """

    def __init__(self, text: str) -> None:
        self.found: list[NewerSyntax] = []
        self._text = text
        self._place = 0
        self._kept: list[str] = []

    def whole(self) -> str:
        """Return the whole text; raises SyntaxError for what no version has."""
        lines = self._code(is_field=False)
        if self._place < len(self._text):
            raise SyntaxError("a text does not end")
        return lines

    def with_texts(self, lines: str) -> str:
        """Return the lines with what stands between quotes."""
        return re.sub(r"'(\d+)'", lambda match: self._kept[int(match[1])], lines)

    def _code(self, *, is_field: bool) -> str:
        """Read to the end of the text, or of the code of a field."""
        parts, depth, row, is_call = list[str](), 0, set[str](), False
        while match := _TOKEN.match(self._text, self._place):
            kind, part = match.lastgroup, match[0]
            if is_field and not depth and part in {"}", "!", ":"}:
                break
            self._place = match.end()
            depth += (part in {"(", "[", "{"}) - (part in {")", "]", "}"})
            if depth < 0:
                raise SyntaxError("a bracket is closed that is not open")
            if kind == "text":
                prefix, is_first = match["prefix"].lower(), not row
                is_call = is_call or bool({"f", "t"} & set(prefix))
                part = self._text_of(prefix, match["quote"])
                part = f"({part})" if is_call and not is_first else part
                row.add(prefix.strip("fru"))
                if len(row) > 1:
                    raise SyntaxError("bytes or a t-string stand beside another text")
            elif kind == "blank" or (kind == "line" and (depth or is_field)):
                part = " "
            elif kind == "space":
                # A tab stands where a space may; what a line begins with stays.
                part = " " if parts and parts[-1] != "\n" else part
            else:
                part, row, is_call = "\n" if kind == "line" else part, set(), False
            parts.append(part)
        return "".join(parts)

    def _text_of(self, prefix: str, quote: str) -> str:
        """Read what stands between quotes; an f-string or a t-string becomes a call for each part of it."""
        if not {"f", "t"} & set(prefix):
            match = re.compile(rf"(?s)(?:\\.|(?!{quote})[^\\])*+{quote}").match(self._text, self._place)
            if match is None:
                raise SyntaxError("a text does not end")
            self._place = match.end()
            return self._keep(prefix + quote + match[0])
        self.found.append(_TEMPLATE if "t" in prefix else _FIELD)
        calls = "".join(f"({each})" for each in self._parts(quote, "r" * ("r" in prefix), 0))
        self._place += len(quote)
        return f"{self._keep(quote * 2)}(){calls}"

    def _keep(self, text: str) -> str:
        self._kept.append(text)
        return f"'{len(self._kept) - 1}'"

    def _parts(self, quote: str, raw: str, formats: int) -> Iterator[str]:
        """Yield literal text and the code of fields, up to the quote that ends them or the brace that ends a format."""
        literal = ""
        while not self._text.startswith("}" if formats else quote, self._place):
            match = _LITERAL.match(self._text, self._place)
            piece = match[0] if match else ""
            piece = "\\N" if raw and piece.startswith("\\N{") else piece
            if not piece or (formats and piece == "{{"):
                yield from self._field(quote, raw, formats)
                piece = " "
            elif len(quote) == 1 and piece[0] in f"{quote}\r\n":
                raise SyntaxError("the f-string does not end")
            else:
                self._place += len(piece)
            literal += piece
        # What stands at the end of a text must not escape its quote.
        yield self._keep(f"{raw}{quote}{literal} {quote}")

    def _field(self, quote: str, raw: str, formats: int) -> Iterator[str]:
        if not self._text.startswith("{", self._place) or formats > _MOST_FORMATS:
            raise SyntaxError("a brace does not belong to a field, or formats are nested too deeply")
        self._place += 1
        code = self._code(is_field=True).strip().removesuffix("=")
        if not code:
            raise SyntaxError("a field is empty")
        yield f"({code})"
        if match := _CONVERSION.match(self._text, self._place):
            self._place = match.end()
        if self._text.startswith(":", self._place):
            self._place += 1
            yield from self._parts(quote, raw, formats + 1)
        if not self._text.startswith("}", self._place):
            raise SyntaxError("a field does not end")
        self._place += 1


def _in_brackets(depth: int) -> str:
    return rf"[\[({{](?:[^][(){{}}\n]++{f'|{_in_brackets(depth - 1)}' if depth else ''})*+[])}}]"


def _code_without(signs: str) -> str:
    """Return the pattern of a token of one line that is none of some signs, brackets with what they hold as one."""
    return rf"(?:[^][(){{}}\n{signs}]|{_BRACKETS})"


_BRACKETS: Final = _in_brackets(8)
_BEGIN: Final = (
    r"(?P<begin>(?:^|^[^\S\n]*(?:case|class|def|elif|else|except|finally|for|if|try|while|with)\b[^\n]*:|;)[^\S\n]*)"
)
_PARAMETERS: Final = rf"{_BEGIN}(?P<head>(?:(?:async +)?(?:def|class)|type) +\w+) *\[(?P<list>%s)\]"
_PARAMETER: Final = re.compile(
    rf" *(?P<star>\*\*?)? *(?P<name>\w+) *(?(star)|(?::(?P<bound>{_code_without(',=')}+))?)"
    rf"(?:=(?P<default>{_code_without(',=')}+))?(?:,|$)"
)
_UNPACKING: Final = (
    rf"(?P<open>\{{ *(?=\*\*)|[\[({{] *(?=\*[^*]))(?P<item>{_code_without(',')}+?)(?P<for>\b(?:async +)?for\b)"
)
_PLUS: Final = r"((?:\bcase|[(\[{,|:=]) *)\+(?= *\.?\d)"


def _evaluated(expression: str) -> str:
    """Return code in which an expression holds that neither yields nor awaits, and names nothing."""
    return f"{{0: {expression} for _ in ()}}"


def _without_parameters(match: re.Match[str]) -> str:
    """Write a statement without its type parameters; what they say stands in a decorator, or in a statement before."""
    parameters = list(_PARAMETER.finditer(match["list"].strip()))
    if not parameters or "".join(each[0] for each in parameters) != match["list"].strip():
        raise SyntaxError("a type parameter is a name, a bound and a default")
    names = ", ".join(f"{each['name']}{'=0' if each['default'] else ''}" for each in parameters)
    values = [f"[{each['default'] or 0}]" if each["star"] == "*" else each["default"] for each in parameters]
    values += [each["bound"] for each in parameters]
    checks = f"(lambda {names}: 0, {', '.join(map(_evaluated, filter(None, values)))})"
    if match["head"].startswith("type"):
        return f"{match['begin']}{checks}; {match['head']} "
    return f"{match['begin']}@{checks}\n{match['begin']}{match['head']} "


def _in_brackets_of_its_own(match: re.Match[str]) -> str:
    """Give what a comprehension unpacks brackets of its own."""
    item = re.sub(_UNPACKING, _in_brackets_of_its_own, match["item"])
    return match["open"] + (f"{{{item}}}" if item.startswith("**") else f"[{item}]") + match["for"]


_OLDER: Final[tuple[tuple[NewerSyntax, str, str | Callable[[re.Match[str]], str]], ...]] = (
    (
        NewerSyntax((3, 13), "a default of a type parameter"),
        _PARAMETERS % rf"{_code_without('=')}++={_code_without('')}*+",
        _without_parameters,
    ),
    (NewerSyntax((3, 12), "a list of type parameters"), _PARAMETERS % rf"{_code_without('')}++", _without_parameters),
    (
        NewerSyntax((3, 12), "a type statement"),
        rf"{_BEGIN}type +(\w+) *=(?!=)([^\n;]*)",
        r"\g<begin>\2 = " + _evaluated(r"\3"),
    ),
    (
        NewerSyntax((3, 14), "an except clause of several types without parentheses"),
        rf"^([^\S\n]*except\b *\*?)({_code_without(':,')}++(?:,(?! *\*){_code_without(':,')}*+)++):",
        r"\1 (\2):",
    ),
    (
        NewerSyntax((3, 15), "a lazy import"),
        rf"{_BEGIN}lazy +(?=import\b|from\b(?![\w. ]*\bimport *\*))",
        r"\g<begin>from _ import *; ",
    ),
    (NewerSyntax((3, 15), "unpacking in a comprehension"), _UNPACKING, _in_brackets_of_its_own),
    (
        NewerSyntax((3, 15), "a plus sign in a pattern"),
        rf"^[^\S\n]*(?=case\b)(?:(?!\bif\b)[^\n])*?{_PLUS}(?:(?!\bif\b)[^\n])*",
        lambda match: re.sub(_PLUS, r"\1-", match[0]),
    ),
)
