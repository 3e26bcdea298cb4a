"""Patterns mean what ECMA-262 says, whatever syntax the engine has, and errors show them as their author wrote them."""

from __future__ import annotations

import pytest

from probatum.core.errors import NotAttemptedError
from probatum.readers.json_schema.schema import compiled

# What Node says of each with the flag "u", or without it where only that is a pattern.
PATTERNS: list[tuple[str, list[str], list[str]]] = [
    ("^.$", ["a", "\x85", "\U0001f600"], ["\r", "\n", "\u2028", "\u2029", ""]),
    ("^.*$", ["", "X-A: b"], ["a\rb", "a\nb"]),
    (r"^a\.b[.]$", ["a.b."], ["a.bc", "axb."]),
    (r"^\<\>$", ["<>"], ["", "a"]),
    (r"^[\<\>]$", ["<", ">"], ["\\", "a"]),
    (r"\ba", ["a", "\u00e9a", "-a"], ["ba", "_a"]),
    (r"\Ba", ["ba"], ["a", "\u00e9a"]),
    (r"^\w$", ["a", "_"], ["\u00e9"]),
    (r"^\d$", ["1"], ["\u0663"]),
    (r"^\s$", ["\ufeff", "\u00a0", "\u2028"], ["\x85", "\u180e"]),
    (r"^\0$", ["\0"], ["0"]),
    (r"^[\b]$", ["\b"], ["b"]),
    ("^[^]$", ["\n", "a"], ["", "ab"]),
    ("[]", [], ["", "[", "a"]),
    ("^[[a&&b]$", ["[", "a", "&", "b"], ["]"]),
    ("^[a-c-e]$", ["b", "-", "e"], ["d"]),
    ("^[+--]$", ["+", ",", "-"], ["."]),
    ("^[^a-]$", ["b"], ["a", "-"]),
    (r"^[\]\\^]$", ["]", "\\", "^"], ["a"]),
    (r"^\uD83D\uDE00$", ["\U0001f600"], ["D"]),
    (r"^\u{1F600}\x41\u0041\cJ$", ["\U0001f600AA\n"], ["a"]),
    (r"^(?<year>\d{4})-(?:a|b)+?$", ["1999-ab"], ["199-a"]),
    ("^(?i:straSSe)$", ["STRASSE"], ["strase"]),
    (r"^\#\ \_\@\"$", ['# _@"'], ["#"]),
    (r"^\p{Lu}\P{L}\p{Script=Greek}$", ["A1\u03b1"], ["a1\u03b1"]),
    ("^]}$", ["]}"], ["]"]),
]


@pytest.mark.parametrize(("pattern", "fitting", "others"), PATTERNS, ids=[row[0] for row in PATTERNS])
def test_a_pattern_means_what_it_says(pattern: str, fitting: list[str], others: list[str]) -> None:
    ready = compiled({"pattern": pattern})
    keys = compiled({"patternProperties": {pattern: False}})
    for text in (*fitting, *others):
        assert ready.is_satisfied_by(text) is (text in fitting), text
        assert keys.is_satisfied_by({text: 1}) is (text not in fitting), text


NOT_ECMA: list[tuple[str, str, str]] = [
    ("(?x)a b", "at '(?x)'", ""),
    ("(?i)a", "at '(?i)'", "(?i:"),
    ("(?s:.)", "at '(?s:'", ""),
    ("(?P<n>a)", "at '(?P<'", "(?<name>"),
    ("(?-u:a)", "at '(?-u'", ""),
    (r"\Aa", r"at '\\Aa'", "'^'"),
    (r"a\z", r"at '\\z'", "'$'"),
    (r"a\Z", r"at '\\Z'", "'$'"),
    (r"\b{start}a", "at '{sta'", ""),
    ("a**", "at '*'", ""),
    ("a+*", "at '*'", ""),
    ("a*+", "at '+'", ""),
    ("a{2}{3}", "at '{3}'", ""),
    ("^*", "at '*'", ""),
    ("a|+", "at '+'", ""),
    (r"\x{41}", r"at '\\x{4'", ""),
    (r"\U00000041", r"at '\\U00'", ""),
    (r"\pL", r"at '\\pL'", ""),
    (r"[\B]", r"at '\\B]'", ""),
    ("a{,3}", "at '{,3}'", ""),
    ("[a", "at '[a'", ""),
    ("(", "is not a regular expression", ""),
]


@pytest.mark.parametrize(("pattern", "said", "hint"), NOT_ECMA, ids=[row[0] for row in NOT_ECMA])
def test_what_ecma_does_not_have_is_refused(pattern: str, said: str, hint: str) -> None:
    for schema in ({"pattern": pattern}, {"items": {"patternProperties": {pattern: True}}}):
        with pytest.raises(NotAttemptedError) as caught:
            compiled(schema)
        assert caught.value.code == "contract.schema_invalid"
        assert repr(pattern) in caught.value.sentence
        assert said in caught.value.sentence
        assert hint in caught.value.hint


AUTHORED: list[tuple[str, object, object, str, object]] = [
    ("itself", {"pattern": "^.$"}, "\r", r'expected text that matches "^.$", got "\r"', "^.$"),
    ("of a key", {"propertyNames": {"pattern": "^.$"}}, {"ab": 1}, 'matches "^.$", got "ab"', "^.$"),
    ("excluded", {"not": {"pattern": "."}}, "x", '"x" is what the schema excludes', {"pattern": "."}),
    ("of alternatives", {"anyOf": [{"pattern": "^.$"}, {"type": "null"}]}, "ab", 'matches "^.$"', 2),
    ("where only a reference leads", {"$ref": "#/x", "x": {"pattern": "^.$"}}, "\r", 'matches "^.$"', "^.$"),
]


@pytest.mark.parametrize(
    ("schema", "value", "said", "expected"), [row[1:] for row in AUTHORED], ids=[row[0] for row in AUTHORED]
)
def test_an_error_shows_the_pattern_of_the_author(schema: object, value: object, said: str, expected: object) -> None:
    (finding,) = compiled(schema).findings(value)
    assert said in finding.message
    assert finding.evidence["expected"] == expected


def test_the_way_to_an_error_names_the_pattern_of_the_author() -> None:
    (finding,) = compiled({"patternProperties": {"^.\\<$": {"type": "string"}}}).findings({"a<": 1})
    assert finding.evidence["schema_path"] == "patternProperties/^.\\<$/type"
    schema = {"patternProperties": {"^.$": {"anyOf": [{"type": "number"}, {"type": "integer"}]}}, "type": "object"}
    assert [each.evidence["steps"] for each in compiled(schema).concerns] == [["patternProperties", "^.$", "anyOf", 1]]
    with pytest.raises(NotAttemptedError, match=r"'\^\.\{5000\}\$'"):
        compiled({"pattern": "^.{5000}$"})
    with pytest.raises(NotAttemptedError, match=r'"pattern":"\^\.\$"'):
        compiled({"items": [{"pattern": "^.$"}]})


def test_two_patterns_of_one_meaning_both_count() -> None:
    ready = compiled({"patternProperties": {"<": {"type": "string"}, "\\<": {"maxLength": 0}}})
    assert [len(ready.findings({"<": value})) for value in ("", "a", 1)] == [0, 1, 1]


def test_a_value_that_looks_like_a_schema_stays_as_it_is() -> None:
    schema = {"enum": [{"pattern": "."}], "properties": {"pattern": {"const": "."}}, "default": {"pattern": "("}}
    assert compiled(schema).is_satisfied_by({"pattern": "."})
    with pytest.raises(NotAttemptedError, match="const"):
        compiled({"properties": {"a": {"$ref": "#/const"}}, "const": {"pattern": "."}})
