"""What the engine is given for an author's schema: the same meaning, in words that it cannot read otherwise.

Patterns are ECMA-262 and run in an engine with a syntax of its own: what means something else there is said another
way, and what ECMA-262 does not have is refused. A keyword that the engine enforces in a draft without it is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.readers.json_schema.engine import refuse_pattern, refuse_schema
from probatum.readers.json_schema.graph import Node, Steps
from probatum.readers.json_schema.keywords import ENFORCED_ANYWHERE, KNOWN

_ESCAPE: Final = (
    r"\\(?:[dDsSwWtnvfr]|c[A-Za-z]|0(?![0-9])|x[0-9A-Fa-f]{2}|u\{[0-9A-Fa-f]+\}"
    r"|u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}"
    r"|[pP]\{\w+(?:=\w+)?\}|[^A-Za-z0-9])"
)
_TOKEN: Final = re.compile(
    r"(?P<edge>\\[bB]|[\^$|])|(?P<back>\\[1-9][0-9]*|\\k<\w+>)"
    r"|(?P<open>\((?!\?)|\(\?(?:[:=!]|<[=!]|-?i:|<[^\W\d]\w*>))|(?P<close>\))"
    r"|(?P<repeat>(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??)"
    rf"|(?P<of>\[(?:\\.|[^\]\\])*\])|(?P<one>{_ESCAPE}|[^\\\[(){{*+?])",
    re.DOTALL,
)
_IN_CLASS: Final = re.compile(rf"(\\b|{_ESCAPE}|[^\\])(?:-(\\b|{_ESCAPE}|[^\\]))?", re.DOTALL)
_SIGNS: Final = frozenset(r"^$\.*+?()[]{}|/-&~")
# The engine takes the edge of a word for Unicode's, and a letter of a word for ASCII's.
_SAID: Final = {
    ".": r"[^\n\r\u2028\u2029]",
    r"\b": r"(?-u:\b)",
    r"\B": r"(?-u:\B)",
    r"\0": r"\x00",
    "[^]": r"[\s\S]",
    "[]": r"[^\s\S]",
}


def pattern_for_engine(pattern: str) -> str:
    """Return a pattern that the engine reads as ECMA-262 reads this one; raises ValueError with what it cannot read."""
    said: list[str] = []
    at, is_repeatable = 0, False
    while at < len(pattern):
        found = _TOKEN.match(pattern, at)
        kind = found.lastgroup if found is not None else None
        if found is None or (kind == "repeat" and not is_repeatable):
            raise ValueError(pattern[at : at + 4])
        token = found.group()
        is_class = kind == "of" and token not in _SAID
        said.append(_class(token) if is_class else _one(token) if kind == "one" else _SAID.get(token, token))
        is_repeatable = kind in {"one", "of", "back", "close"}
        at = found.end()
    return "".join(said)


def _class(token: str) -> str:
    start = 2 if token.startswith("[^") else 1
    said, at = token[:start], start
    while at < len(token) - 1:
        found = _IN_CLASS.match(token, at, len(token) - 1)
        if found is None:
            raise ValueError(token[at : at + 4])
        said += "-".join(_in_class(each) for each in found.groups() if each is not None)
        at = found.end()
    return f"{said}]"


def _in_class(sign: str) -> str:
    return r"\x08" if sign == r"\b" else f"\\{sign}" if sign in _SIGNS else _one(sign)


def _one(sign: str) -> str:
    """Return one character, or a class of them; what is escaped without need is itself."""
    if sign.count(r"\u") == 2:
        return str(json.loads(f'"{sign}"'))
    plain = sign[1:] if re.fullmatch(r"\\[^A-Za-z0-9]", sign, re.DOTALL) else sign
    return _SAID.get(sign) or (f"\\{plain}" if plain != sign and plain in _SIGNS else plain)


class Wording:
    """The words of one contract for the engine, and the author's for each."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._nodes: Final = {id(node.schema): node for node in nodes}
        self.authored: Final[dict[str, str]] = {}
        """What the author wrote, by the pattern that the engine is given."""

    def for_engine(self, part: JsonValue) -> JsonValue:
        """Return a part of a schema in words for the engine; raises NotAttemptedError for a pattern that is none."""
        if isinstance(part, list):
            return [self.for_engine(each) for each in part]
        if not isinstance(part, dict):
            return part
        node = self._nodes.get(id(part))
        if node is None:
            return {key: self.for_engine(each) for key, each in part.items()}
        return {
            key: self._keyword(node, key, each)
            for key, each in part.items()
            if key in KNOWN[node.draft] or key not in ENFORCED_ANYWHERE
        }

    def steps(self, steps: Steps) -> Steps:
        """Return a way through the schema as its author wrote it."""
        return tuple(self.authored.get(step, step) if isinstance(step, str) else step for step in steps)

    def _keyword(self, node: Node, key: str, value: JsonValue) -> JsonValue:
        if key == "pattern" and isinstance(value, str):
            return self._pattern(value, (*node.steps, key))
        said = self.for_engine(value)
        if key == "patternProperties" and isinstance(said, dict):
            return {self._pattern(each, (*node.steps, key)): inner for each, inner in said.items()}
        if key in {"const", "enum"} and said != value:
            refuse_schema("schema_reference", "A '$ref' leads into 'const' or 'enum', which is not a schema.")
        return said

    def _pattern(self, pattern: str, steps: Steps) -> str:
        try:
            said = pattern_for_engine(pattern)
        except ValueError as error:
            refuse_pattern(steps, pattern, str(error))
        # Two that mean the same stay two, so that none takes the other's place.
        while self.authored.setdefault(said, pattern) != pattern:
            said += "(?:)"
        return said
