"""An output as the layers see it: its one text, the JSON that it is or writes, and the Python code in it.

Read once for all layers. Refuses to choose: where two texts or two programs could be meant, there is none.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from probatum.core.errors import BudgetError
from probatum.core.json_text import JsonTextError, exact_number, read_json
from probatum.programs.source import module_or_none
from probatum.readers.json_schema.paths import path_text
from probatum.readers.vocabulary import words_of

MOST_PARTS: Final = 200_000
MOST_CHARACTERS: Final = 2_000_000
_CODE_KEYS: Final = words_of("code source source_code implementation solution program script python")
_TEST_KEYS: Final = words_of("tests test unit_tests test_code unittest unittests test_suite")
_MOST_BLOCKS: Final = 500
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*(\w{0,40})([^\n`]{0,200})$")
_PYTHON: Final = frozenset({"python", "py", "python3"})
_STATEMENTS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


@dataclass(frozen=True, slots=True)
class FencedBlock:
    """A fenced block of a text: the language that it names, its content, and the number of lines above the content."""

    language: str
    content: str
    above: int


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Python code of an output: the path of its text in the output, and the number of lines of that text above it."""

    source: str
    path: str = ""
    above: int = 0
    is_test: bool = False


@dataclass(frozen=True, slots=True)
class Leaf:
    """One scalar of a JSON value, with the keys and positions that lead to it."""

    steps: tuple[str | int, ...]
    value: object

    @property
    def path(self) -> str:
        """The path as an issue writes it: ``tasks[2].status``; empty for the whole value."""
        return path_text(self.steps).removeprefix("$").removeprefix(".")


class OutputView:
    """An output as the layers see it."""

    def __init__(self, output: object) -> None:
        """Read an output; raises BudgetError where it has too many parts."""
        self.output = output
        self.leaves = tuple(leaves_of(output))
        if sum(len(each.value) for each in self.leaves if isinstance(each.value, str)) > MOST_CHARACTERS:
            raise BudgetError("judge.too_large", "The output is too large to be judged.")

    @cached_property
    def data(self) -> object:
        """The JSON value that the output is, or that its text writes, as it is or as one fenced block; else None.

        Raises BudgetError where it has a number that no JSON number keeps.
        """
        if not isinstance(self.output, str):
            return self.output
        text = self.output.strip()
        blocks = fenced_blocks(text)
        is_fenced = len(blocks) == 1 and text.count("\n") == blocks[0].content.count("\n") + 1
        inner = blocks[0].content if is_fenced and text[0] in "`~" else text
        try:
            value = read_json(inner, MOST_CHARACTERS, fraction=exact_number)
        except (JsonTextError, ValueError):
            return None
        return value if isinstance(value, dict | list) else None

    @cached_property
    def text(self) -> str | None:
        """The output where it is text, or the only scalar in it where that is text."""
        only = self.leaves[0].value if len(self.leaves) == 1 else None
        return only if isinstance(only, str) else None

    @cached_property
    def code(self) -> tuple[CodeBlock, ...]:
        """The Python code of the output: fenced blocks, and the texts under keys such as ``code`` and ``tests``."""
        found: list[CodeBlock] = []
        for leaf in self.leaves:
            if isinstance(leaf.value, str):
                key = str(leaf.steps[-1]).lower() if leaf.steps else ""
                is_code = not leaf.steps or key in _CODE_KEYS | _TEST_KEYS
                found += _code(leaf.value, leaf.path, is_code=is_code, is_test=key in _TEST_KEYS)
        return tuple(found[:_MOST_BLOCKS])

    @cached_property
    def program(self) -> str:
        """The program that the output holds; empty where there is none, or two versions of one thing."""
        source = "\n".join(each.source for each in self.code if not each.is_test)
        tree = module_or_none(source)
        if tree is None:
            return ""
        defined = [node.name for node in tree.body if isinstance(node, _STATEMENTS[:3])]
        return source if len(set(defined)) == len(defined) else ""

    @property
    def mentions_tests(self) -> bool:
        """Whether something stands under a key such as ``tests``, Python or not."""
        keyed = (each for each in self.leaves if each.steps and str(each.steps[-1]).lower() in _TEST_KEYS)
        return any(each.value for each in keyed)

    @cached_property
    def tests(self) -> str:
        """The tests that stand apart from the program."""
        return "\n".join(each.source for each in self.code if each.is_test)


def leaves_of(value: object) -> Iterator[Leaf]:
    """Yield the scalars of a JSON value in order; raises BudgetError where there are too many."""
    waiting: list[tuple[tuple[str | int, ...], object]] = [((), value)]
    for _ in range(MOST_PARTS):
        if not waiting:
            return
        steps, item = waiting.pop()
        if isinstance(item, dict | list):
            members = item.items() if isinstance(item, dict) else enumerate(item)
            waiting += reversed([((*steps, step), member) for step, member in members])
        else:
            yield Leaf(steps, item)
    if waiting:
        raise BudgetError("judge.too_large", f"A JSON value has more than {MOST_PARTS:,} parts.")


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
            found.append(FencedBlock(language, "\n".join(lines[first + 1 : number]) + "\n", first + 1))
            mark = ""
    return found


def _code(text: str, path: str, *, is_code: bool, is_test: bool) -> Iterator[CodeBlock]:
    blocks = fenced_blocks(text)
    for each in blocks:
        if each.language in _PYTHON or (not each.language and _is_program(each.content)):
            yield CodeBlock(each.content, path, each.above, is_test or _is_test(each.content))
    # A key such as `tests` may hold words, so that only what parses as a program counts as one.
    if not blocks and is_code and _is_program(text):
        yield CodeBlock(text, path, 0, is_test)


def _is_program(text: str) -> bool:
    tree = module_or_none(text)
    return tree is not None and any(isinstance(node, _STATEMENTS) for node in tree.body)


def _is_test(text: str) -> bool:
    """Return whether everything that a block defines is a test."""
    tree = module_or_none(text)
    names = [node.name for node in tree.body if isinstance(node, _STATEMENTS[:3])] if tree else []
    return bool(names) and all(name.lower().startswith("test") for name in names)
