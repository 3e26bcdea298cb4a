"""What a criterion can be about: the output's one text, its fields, and the Python code in it with the tests.

Read once for all criteria. Refuses to choose: where two texts or two programs could be meant, there is none.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from probatum.core.errors import BudgetError
from probatum.core.json_text import JsonTextError, read_json
from probatum.programs.source import module_or_none
from probatum.readers.vocabulary import words_of

MOST_PARTS: Final = 200_000
MOST_CHARACTERS: Final = 2_000_000
_CODE_KEYS: Final = words_of("code source source_code implementation solution program script python")
_TEST_KEYS: Final = words_of("tests test unit_tests test_code unittest unittests test_suite")
_MOST_BLOCKS: Final = 500
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*(\w{0,40})([^\n`]{0,200})$")
_PYTHON: Final = frozenset({"python", "py", "python3"})
_NO_PROGRAM: Final = frozenset({"", "text", "console", "bash", "sh", "shell"})
_STATEMENTS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class FencedBlock:
    """A fenced block of a text: what it says it holds, what it holds, and its lines."""

    language: str
    content: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class OutputEntry:
    """One key of an object of the output, with the keys and places before it; a place in a list is written ``[]``."""

    around: tuple[str, ...]
    key: str
    value: object


@dataclass(frozen=True, slots=True, eq=False)
class FoundCode:
    """The Python code of an output, and the text of its tests where they stand by themselves."""

    source: str
    tree: ast.Module
    tests: str = ""
    tests_tree: ast.Module | None = None

    def functions(self) -> list[Function]:
        """Return every function and method that is not a test."""
        inside = {id(each) for test in _test_classes(self.tree) for each in ast.walk(test)}
        found = (node for node in ast.walk(self.tree) if isinstance(node, Function) and id(node) not in inside)
        return [each for each in found if not each.name.startswith("test")]

    def public_functions(self) -> list[Function]:
        """Return the functions of the top level whose names do not begin with an underscore."""
        functions = (node for node in self.tree.body if isinstance(node, Function))
        return [each for each in functions if not each.name.startswith(("_", "test")) and each.name != "main"]

    def test_functions(self) -> list[Function]:
        """Return every function that a runner of tests takes for a test."""
        trees = (self.tree,) if self.tests_tree is None else (self.tree, self.tests_tree)
        bodies = [body for tree in trees for body in (tree.body, *(each.body for each in _test_classes(tree)))]
        nodes = (node for body in bodies for node in body)
        return [node for node in nodes if isinstance(node, Function) and node.name.startswith("test")]


class OutputView:
    """An output as criteria see it."""

    def __init__(self, output: object) -> None:
        """Read an output; raises BudgetError where it has too many parts."""
        self.output = output
        self.strings: list[str] = []
        self.entries: list[OutputEntry] = []
        self.numbers: list[str] = []
        self._read(output if not isinstance(output, str) else self.data)

    @cached_property
    def data(self) -> object:
        """The JSON value that the output is, or that its text writes, whole or in one fenced block; else None."""
        if not isinstance(self.output, str):
            return self.output
        blocks = fenced_blocks(self.output)
        inner = blocks[0].content if len(blocks) == 1 and blocks[0].language == "json" else self.output
        try:
            value = read_json(inner, MOST_CHARACTERS)
        except (JsonTextError, ValueError):
            return None
        return value if isinstance(value, dict | list) else None

    @cached_property
    def text(self) -> str | None:
        """The output where it is text, or the only text in it."""
        if isinstance(self.output, str):
            return self.output
        return self.strings[0] if len(self.strings) == 1 and not self.numbers else None

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Every text of the output, without the keys."""
        return (self.output,) if isinstance(self.output, str) else tuple(self.strings)

    @cached_property
    def everything(self) -> str:
        """All that the output says, one thing a line: its texts, keys and numbers."""
        return "\n".join((*self.texts, *(each.key for each in self.entries), *self.numbers))

    def called(self, name: str) -> list[OutputEntry]:
        """Return the entries with this key; spaces, dashes, underscores and case make no difference."""
        return self._by_name.get(plain_name(name), [])

    @cached_property
    def _by_name(self) -> Mapping[str, list[OutputEntry]]:
        found: dict[str, list[OutputEntry]] = {}
        for entry in self.entries:
            found.setdefault(plain_name(entry.key), []).append(entry)
        return found

    @cached_property
    def code(self) -> FoundCode | None:
        """The Python code of the output; None where there is none, or where it could be one of several."""
        if isinstance(self.output, str):
            return _joined(_programs(self.output))
        if not isinstance(self.output, dict):
            return None
        named = [(plain_name(key).replace(" ", "_"), held) for key, held in self.output.items()]
        codes, tests = ([held for key, held in named if key in keys] for keys in (_CODE_KEYS, _TEST_KEYS))
        language = self.output.get("language")
        if len(codes) != 1 or len(tests) > 1 or (isinstance(language, str) and language.lower() not in _PYTHON):
            return None
        found = _joined(_programs(codes[0]))
        given = "\n".join(_programs(tests[0])) if tests else ""
        return replace(found, tests=given, tests_tree=module_or_none(given)) if found and given else found

    def declared_python(self) -> str | None:
        """Return what calls itself Python, whether or not it is."""
        if isinstance(self.output, str):
            blocks = [each.content for each in fenced_blocks(self.output) if each.language in _PYTHON]
            return blocks[0] if len(blocks) == 1 else None
        if isinstance(self.output, dict) and str(self.output.get("language", "")).lower() in _PYTHON:
            code = self.output.get("code")
            return code if isinstance(code, str) else None
        return None

    def _read(self, value: object) -> None:
        size = len(self.output) if isinstance(self.output, str) else 0
        stack: list[tuple[tuple[str, ...], object]] = [((), value)]
        parts = 0
        while stack:
            around, item = stack.pop()
            parts += 1
            if isinstance(item, str):
                size += len(item)
                self.strings.append(item)
            elif isinstance(item, dict):
                self.entries += [OutputEntry(around, key, held) for key, held in item.items()]
                stack += [((*around[-8:], key), held) for key, held in reversed(item.items())]
            elif isinstance(item, list | tuple):
                stack += [((*around[-8:], "[]"), held) for held in reversed(item)]
            elif isinstance(item, int | float) and not isinstance(item, bool):
                self.numbers.append(_digits(item))
            if parts + len(stack) > MOST_PARTS or size > MOST_CHARACTERS:
                raise BudgetError("judge.too_large", "The output is too large for its criteria to be decided.")


def _digits(number: float) -> str:
    try:
        return repr(number)
    except ValueError:
        # More digits than Python writes; that there are many is enough.
        return "9" * 40


def fenced_blocks(text: str) -> list[FencedBlock]:
    """Return the fenced blocks of a text that are closed, in order."""
    found: list[FencedBlock] = []
    mark, language, first = "", "", 0
    lines = text.split("\n")
    for number, line in enumerate(lines):
        match = _FENCE.match(line)
        if match is None:
            continue
        if not mark:
            mark, language, first = match[1], match[2].lower(), number
        elif match[1].startswith(mark) and not match[2] and not match[3].strip():
            found.append(FencedBlock(language, "\n".join(lines[first + 1 : number]) + "\n", first, number))
            mark = ""
    return found


def unfenced(text: str) -> str:
    """Return a text without its fenced blocks."""
    blocks = fenced_blocks(text)
    inside = {number for block in blocks for number in range(block.first, block.last + 1)}
    return "\n".join(line for number, line in enumerate(text.split("\n")) if number not in inside)


def plain_name(name: str) -> str:
    """Return a name as words are compared: ``unitPrice``, ``unit_price`` and ``Unit price`` are one."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_-]", " ", name[:200])
    return " ".join(spaced.lower().split())


def _test_classes(tree: ast.Module) -> Iterator[ast.ClassDef]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            bases = {each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in node.bases}
            if node.name.startswith("Test") or "TestCase" in bases:
                yield node


def _programs(text: object) -> list[str]:
    """Return the programs in a text: its fenced blocks of Python, or the text itself where it is one."""
    if not isinstance(text, str):
        return []
    blocks = fenced_blocks(text)
    if not blocks:
        return [text] if _is_program(text) else []
    if len(blocks) > _MOST_BLOCKS or any(each.language not in {*_PYTHON, *_NO_PROGRAM} for each in blocks):
        return []
    named = [each.content for each in blocks if each.language in _PYTHON]
    return named or [each.content for each in blocks if not each.language and _is_program(each.content)]


def _is_program(text: str) -> bool:
    tree = module_or_none(text)
    return tree is not None and any(isinstance(node, _STATEMENTS) for node in tree.body)


def _joined(blocks: list[str]) -> FoundCode | None:
    """Return the blocks as one program, those with nothing but tests apart; None where they are not one."""
    programs: list[str] = []
    tests: list[str] = []
    for block in blocks:
        tree = module_or_none(block)
        if tree is None:
            return None
        names = {each.name for each in FoundCode(block, tree).test_functions()}
        other = [node for node in tree.body if isinstance(node, Function | ast.ClassDef) and node.name not in names]
        is_test = bool(names) and all(node in list(_test_classes(tree)) for node in other)
        (tests if is_test and len(blocks) > 1 else programs).append(block)
    source, test = "\n".join(programs), "\n".join(tests)
    tree = module_or_none(source)
    if tree is None or not programs:
        return None
    defined = [node.name for node in tree.body if isinstance(node, Function | ast.ClassDef)]
    if len(programs) > 1 and len(set(defined)) < len(defined):
        # Two versions of one thing, such as before and after.
        return None
    return FoundCode(source, tree, test, module_or_none(test) if test else None)
