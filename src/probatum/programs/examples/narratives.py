"""Examples told in words: ``Input: … Output: …``, ``For n = 3 the output should be 6``, ``n = 3`` then ``return 6``.

Values are matched with parameters by name where the names agree, by position where only their number does. A missing
parameter, an unquoted text or a condition ("if n = 0 or …") makes no example; unreadable labelled inputs are doubts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from probatum.programs.examples.clauses import Findings, Found, Owner
from probatum.programs.examples.expectations import Relation, find_relation, read_expected
from probatum.programs.examples.notations import skip_label
from probatum.programs.parsing.literals import read_value
from probatum.programs.parsing.scanning import TextScanner
from probatum.programs.specification import Parameter
from probatum.readings.syntax import NotReadableError

_LABEL_SIGN = r"(?: ?#?[0-9]{1,3})?[ \t]*(?::|=(?!=)|->|=>|→)"
_INPUT = re.compile(r"(?:sample |example )?inputs?" + _LABEL_SIGN, re.IGNORECASE)
_OUTPUT = re.compile(
    r"(?:(?:sample|expected|example) )?(?:outputs?|expected|results?|answer|return(?:s|ed)?(?: value)?)" + _LABEL_SIGN,
    re.IGNORECASE,
)
_OUTPUT_ON_LINE = re.compile(r"\b(?:expected )?outputs?[ \t]*(?::|=(?!=)|->|→)", re.IGNORECASE)
_OPENERS = re.compile(r"(?:for|if|given|when|with)[ \t]+", re.IGNORECASE)
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w{0,60})[ \t]*(?:==|=|:)[ \t]*")
_SEPARATOR = re.compile(r"[ \t]*(?:,|;|&|\band\b|,[ \t]*and\b)[ \t]*")
_RESULT = re.compile(
    r"\b(?:(?:the )?(?:output|result|answer|return value|returned value)(?: value)?"
    r" (?:should be|should equal|must be|will be|would be|is|equals)"
    r"|(?:should|must|will|would) (?:return|be|output|give)|returns?|gives?|outputs?)\b:?[ \t]*"
    r"|(?:==>|=>|-->|->|→|➞)[ \t]*",
    re.IGNORECASE,
)
_STRONG = re.compile(r"output|result|answer|return", re.IGNORECASE)
_CONDITIONAL = re.compile(
    r"(?:or|but|unless|with|while|to|in|is|are|and|otherwise|through)\b|[<>!+*/%-]", re.IGNORECASE
)
_AFTER_BARE_VALUE = re.compile(
    r"[,:]?[ \t]*(?:the|it|you|then|should|we|this|output|result|answer|returns?)\b|[=-]>|→|➞", re.IGNORECASE
)
_RETURN_LINE = re.compile(
    r"(?:[=-]{1,2}>[ \t]*)?(?:(?:should )?returns?|outputs?|results?|answer)[ \t]*(?::|=|is\b)?[ \t]*", re.IGNORECASE
)
_NEXT_CASE = re.compile(r"\b(?:if|for|given|when)\b", re.IGNORECASE)
_HEADING = re.compile(r"^[ \t]*((?:for )?examples?[ \t]*:{0,2})[ \t]*\n", re.IGNORECASE | re.MULTILINE)
_SHOWS_VALUES = ("=", "->", "→", "➞")
_UNREAD_HEADING = "nothing under this heading can be read as an example"
_MAX_INPUT_LINES = 40
_MAX_STEPS_BETWEEN = 8
_MAX_SENTENCE = 400
_MAX_VALUES = 64


class NarrativeReader:
    """Reads the examples that one document tells in words."""

    def __init__(self, scanner: TextScanner, described: Owner, findings: Findings) -> None:
        self._scanner = scanner
        self._text = scanner.text
        self._described = described
        self._findings = findings
        self._names = {parameter.name for parameter in described.parameters}

    def read_line(self, begin: int) -> int:
        """Read what begins on the line at ``begin``; the offset of the next unread line, or -1 when it is nothing."""
        at = skip_label(self._text, begin)
        if label := _INPUT.match(self._text, at):
            end = self._labelled(at, label.end())
        elif opener := _OPENERS.match(self._text, at) or _OPENERS.match(self._text, begin):
            end = self._sentence(at, opener.end())
        elif _ASSIGNMENT.match(self._text, at):
            end = self._assignments(at)
        else:
            return -1
        return end if end < 0 else min(self._scanner.line_end(end) + 1, len(self._text))

    def note_unread_heading(self, begin: int, end: int) -> None:
        """Note a heading "Example:" whose text shows values and cannot be read as an example."""
        scanner, text = self._scanner, self._text
        while begin < end and (heading := _HEADING.search(text, begin, end)):
            last = scanner.line_end(heading.end())
            for _ in range(_MAX_STEPS_BETWEEN):
                following = scanner.skip_break(last)
                if following == last:
                    break
                last = scanner.line_end(following)
            shown = text[heading.end() : last].rstrip()
            if any(sign in shown for sign in _SHOWS_VALUES):
                self._findings.doubt(heading.start(1), heading.end() + len(shown), _UNREAD_HEADING)
            begin = last

    # Input: … Output: … ----------------------------------------------------------------------------------------

    def _labelled(self, begin: int, at: int) -> int:
        output = self._find_output(at)
        if output is None:
            return -1
        output_at, value_at = output
        relation = self._relation_of_output(value_at)
        try:
            arguments = self._call_with(self._values(at, output_at), by_position=True)
            reason = "" if arguments else "the inputs do not fit the function's parameters"
        except NotReadableError as error:
            arguments, reason = "", error.sentence
        try:
            expected = read_expected(self._scanner, relation)
        except NotReadableError as error:
            expected, reason = None, reason or error.sentence
        if expected is not None and arguments:
            self._findings.examples.append(Found(begin, expected.end, arguments, expected.expectation, "input_output"))
            return expected.end
        end = self._scanner.line_end(relation.value_at)
        if self._means_an_example(at, relation.value_at):
            self._findings.doubt(begin, end, reason or "the output is not a value; are quotes missing?")
        return end

    def _means_an_example(self, input_at: int, output_at: int) -> bool:
        """True when input or output begins like a value: descriptions of parameters do not."""
        scanner = self._scanner
        at = scanner.skip_break(input_at)
        if assignment := _ASSIGNMENT.match(self._text, at):
            if self._text[assignment.end() - 1 :].lstrip(" \t")[:1] == "=":
                return True
            at = assignment.end()
        return scanner.starts_value(at) or scanner.starts_value(scanner.skip_break(output_at))

    def _find_output(self, at: int) -> tuple[int, int] | None:
        """Return where the output's label begins and where its value begins."""
        scanner, text = self._scanner, self._text
        if found := _OUTPUT_ON_LINE.search(text, at, scanner.line_end(at)):
            return found.start(), found.end()
        line_end = scanner.line_end(at)
        for _ in range(_MAX_INPUT_LINES):
            if line_end >= len(text):
                return None
            line = scanner.skip_spaces(line_end + 1)
            label = skip_label(text, line)
            if _INPUT.match(text, label) or text.startswith(">>>", line):
                return None
            if found := _OUTPUT.match(text, label):
                return label, found.end()
            line_end = scanner.line_end(line)
        return None

    def _relation_of_output(self, value_at: int) -> Relation:
        begin = self._scanner.skip_break(value_at)
        words = find_relation(self._scanner, begin) if self._text[begin : begin + 1].isalpha() else None
        return words or Relation("input_output", begin, by_sign=True)

    def _values(self, at: int, limit: int) -> list[tuple[str, str]]:
        """Read all values between two offsets; raises `NotReadableError` when anything else is there."""
        values, end = self._read_inputs(at, limit)
        rest = self._scanner.skip_break(end)
        rest_text = self._text[rest:limit].strip(" \t\n.,;|->=→`")
        if rest_text and not rest_text.startswith(("#", "//", "(")):
            raise NotReadableError("the input is not a value; are quotes missing?")
        return values

    def _read_inputs(self, at: int, limit: int) -> tuple[list[tuple[str, str]], int]:
        """Read values, named or not (an empty name), as far as they go; return them and where they end."""
        scanner, text = self._scanner, self._text
        values: list[tuple[str, str]] = []
        end = at
        at = scanner.skip_break(at)
        while at < limit and len(values) < _MAX_VALUES:
            name = ""
            value_at = at
            while text.startswith("`", value_at):
                value_at += 1
            if assignment := _ASSIGNMENT.match(text, value_at):
                name, value_at = assignment.group(1), assignment.end()
            value_at = scanner.skip_break(value_at)
            if not scanner.starts_value(value_at):
                break
            value_end = scanner.value_end(value_at)
            if not 0 <= value_end <= limit:
                raise NotReadableError("the input's quotes or brackets do not close")
            values.append((name, _as_python(text[value_at:value_end], scanner.shadowed)))
            while text.startswith("`", value_end):
                value_end += 1
            end = value_end
            if separator := _SEPARATOR.match(text, value_end):
                at = scanner.skip_break(separator.end())
            else:
                at = scanner.skip_break(value_end)
                if at < limit and "\n" not in text[value_end:at]:
                    break
        return values, end

    def _call_with(self, values: Sequence[tuple[str, str]], *, by_position: bool) -> str:
        """Return the call that gives these values to the parameters, or an empty text when they do not fit."""
        if self._described.call is None:
            raise NotReadableError("a method needs an object, and the example does not make one")
        takes = [each for each in self._described.parameters if not each.kind.startswith("var_")]
        required = [each for each in takes if each.default is None]
        names = [name for name, _ in values]
        if not len(required) <= len(values) <= len(takes) or not values:
            return ""
        if set(names) <= self._names and "" not in names and len(set(names)) == len(names):
            return self._named_call(takes, dict(values)) if {each.name for each in required} <= set(names) else ""
        in_place = all(name not in self._names or takes[index].name == name for index, name in enumerate(names))
        if not by_position or not in_place:
            return ""
        return self._named_call(takes, {each.name: value for each, (_, value) in zip(takes, values, strict=False)})

    def _named_call(self, takes: list[Parameter], values: dict[str, str]) -> str:
        arguments: list[str] = []
        by_name = False
        for parameter in takes:
            if parameter.name not in values:
                by_name = True
                continue
            by_name = by_name or parameter.kind == "keyword_only"
            value = values[parameter.name]
            arguments.append(f"{parameter.name}={value}" if by_name else value)
        return f"{self._described.call}({', '.join(arguments)})"

    # For n = 3 the output should be 6 --------------------------------------------------------------------------

    def _sentence(self, begin: int, at: int) -> int:
        scanner, text = self._scanner, self._text
        limit = self._sentence_limit(at)
        try:
            values, end = self._read_inputs(at, limit)
        except NotReadableError:
            return -1
        following = scanner.skip_break(end)
        if text.startswith(",", following):
            following = scanner.skip_break(following + 1)
        if not values or (_CONDITIONAL.match(text, following) and not text.startswith(("->", "-->"), following)):
            return -1
        is_bare = any(not name for name, _ in values)
        relation = None if is_bare and not _AFTER_BARE_VALUE.match(text, end) else self._last_result(following, limit)
        if relation is None:
            return -1
        try:
            return self._told(begin, values, relation, by_position=relation.by_sign)
        except NotReadableError as error:
            self._findings.doubt(begin, scanner.line_end(relation.value_at), error.sentence)
            return relation.value_at

    def _told(self, begin: int, values: Sequence[tuple[str, str]], relation: Relation, *, by_position: bool) -> int:
        """Note the example that these values make; return its end, or -1 when they make none."""
        expression = self._call_with(values, by_position=by_position)
        expected = read_expected(self._scanner, relation) if expression else None
        if expected is None:
            return -1
        self._findings.examples.append(Found(begin, expected.end, expression, expected.expectation, "prose", 0.9))
        return expected.end

    def _sentence_limit(self, at: int) -> int:
        """Return the end of the sentence at most: a blank line, or a length that sentences do not have."""
        end = self._scanner.logical_line_end(at)
        following = self._scanner.skip_break(end)
        if following > end and not _NEXT_CASE.match(self._text, skip_label(self._text, following)):
            end = self._scanner.logical_line_end(following)
        return end

    def _last_result(self, at: int, limit: int) -> Relation | None:
        """Return the last phrase of the sentence that says what comes out and that a value follows."""
        scanner = self._scanner
        found: Relation | None = None
        limit = min(limit, at + _MAX_SENTENCE)
        while match := _RESULT.search(self._text, at, limit):
            between = self._text[at : match.start()]
            if found is not None and _NEXT_CASE.search(between):
                break
            value_at = scanner.skip_break(match.end())
            at = match.end()
            if scanner.starts_value(value_at):
                strong = bool(_STRONG.search(match.group()))
                found = Relation("prose", value_at, by_sign=strong)
                end = scanner.value_end(value_at)
                at = max(at, end)
        return found

    # n = 3, and lines later: return 6 --------------------------------------------------------------------------

    def _assignments(self, begin: int) -> int:
        scanner, text = self._scanner, self._text
        values: dict[str, str] = {}
        at = begin
        while assignment := _ASSIGNMENT.match(text, at):
            name, value_at = assignment.group(1), assignment.end()
            is_new = name in self._names and name not in values and "=" in assignment.group()
            if not is_new or not scanner.starts_value(value_at):
                break
            end = scanner.value_end(value_at)
            if end < 0 or text[end : scanner.line_end(end)].strip(" \t,;"):
                break
            try:
                values[name] = _as_python(text[value_at:end], scanner.shadowed)
            except NotReadableError:
                return -1
            at = scanner.skip_break(scanner.line_end(end))
        relation = self._return_line(at) if values else None
        if relation is None:
            return -1
        try:
            return self._told(begin, tuple(values.items()), relation, by_position=False)
        except NotReadableError:
            return -1

    def _return_line(self, at: int) -> Relation | None:
        """Return the line that says what comes out, within the next few lines and before a blank one."""
        for _ in range(_MAX_STEPS_BETWEEN):
            if match := _RETURN_LINE.match(self._text, at):
                return Relation("prose", self._scanner.skip_spaces(match.end()), by_sign=True)
            following = self._scanner.skip_break(self._scanner.line_end(at))
            if following == self._scanner.line_end(at):
                return None
            at = following
        return None


def _as_python(written: str, shadowed: frozenset[str]) -> str:
    """Return a value's text as Python writes it; raises `NotReadableError` when it is not a value."""
    value = read_value(written, shadowed)
    text = written.strip()
    # Words of other languages are values to us, but not names that Python knows.
    if text in {"true", "false", "null", "none", "nil", "undefined", "TRUE", "FALSE", "NULL", "NONE"}:
        return repr(value)
    if text.lstrip("-") in {"inf", "nan", "Infinity", "NaN"}:
        return f"float({str(value)!r})"
    return " ".join(text.split("\n")) if "'''" not in text and '"""' not in text else repr(value)
