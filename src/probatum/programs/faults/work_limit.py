"""Counted work: a program that stops itself after a fixed number of loop turns and function entries.

A fault can make a loop endless, and a clock would make verdicts depend on the machine. So the text gets a counter; line
numbers stay as they are, or all move down by one. Not counted, because the text cannot be spliced safely:
``async for``, and code inside the braces of an f-string.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from probatum.core.errors import NotAttemptedError
from probatum.programs.parsing.signatures import is_text
from probatum.programs.source import UNPARSABLE, Source, decoded, parsed

# Name of the exception that ends a run; a direct subclass of ``BaseException``, so that ``except Exception`` lets it
# pass.
WORK_LIMIT_ERROR = "WorkLimitExceeded"

_LINE_END = re.compile(rb"\r\n|\r|\n")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_UNSAFE = frozenset({"JoinedStr", "TemplateStr"})


def with_work_limit(source: bytes | Source, limit: int, *, fresh_for: str | None = None) -> bytes:
    """Return the program with a counter that raises ``WorkLimitExceeded`` after ``limit`` units of work.

    The limit holds for the whole life of a process that runs the program; with ``fresh_for``, the name of a function
    of the module, it begins anew with every call of that function that is not made by the function itself. Raises
    `NotAttemptedError` (``program.unsupported_syntax``) for text that is not Python, ``ValueError`` for a limit
    below 1.
    """
    if limit < 1:
        raise ValueError(f"limit must be at least 1, got {limit}")
    encoding, text, tree = read_for_counting(source)
    splicer = Splicer(text.encode("utf-8", "surrogatepass"), free_name(text))
    if isinstance(source, Source):
        splicer.insertions += _insertions(source)
    else:
        splicer.instrument(tree)
    splicer.add_counter(tree, limit)
    if fresh_for is not None and fresh_for.isidentifier():
        splicer.begin_anew_with(fresh_for, limit)
    return splicer.result().decode("utf-8", "surrogatepass").encode(encoding)


@lru_cache(maxsize=2)
def _insertions(source: Source) -> tuple[tuple[int, int, int, str], ...]:
    """Return what is inserted into a program for whatever function of it."""
    splicer = Splicer(source.text.encode("utf-8", "surrogatepass"), free_name(source.text))
    splicer.instrument(source.tree)
    return tuple(splicer.insertions)


def read_for_counting(source: bytes | Source) -> tuple[str, str, ast.Module]:
    """Return the encoding of a program, its text and its syntax.

    Raises `NotAttemptedError` (``program.unsupported_syntax``) for text that is not Python.
    """
    if isinstance(source, Source):
        return source.encoding, source.text, source.tree
    try:
        encoding, text = decoded(source)
        return encoding, text, parsed(text)
    except UNPARSABLE as error:
        raise NotAttemptedError(
            "program.unsupported_syntax", f"The file cannot be given a counter: {error}."
        ) from error


def free_name(text: str) -> str:
    """Return a name for the counter that a text does not hold."""
    name = "_probatum_work"
    while name in text:
        name += "_"
    return name


class Splicer:
    """Collects what to insert where; positions are bytes of the UTF-8 text, as `ast` counts them."""

    def __init__(self, text: bytes, name: str) -> None:
        """Begin with a text and a name for the counter that the text does not hold."""
        self.text = text
        self.name = name
        # Offset, closing (0) or opening (1), order among those at one place, text.
        self.insertions: list[tuple[int, int, int, str]] = []
        self.line_starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def result(self) -> bytes:
        """Return the text with everything inserted."""
        [whole] = self.pieces([0])
        return whole

    def pieces(self, starts: Sequence[int]) -> list[bytes]:
        """Return the text with everything inserted, cut where these offsets of the bare text are; the first is 0."""
        pieces: list[bytes] = []
        waiting = sorted(self.insertions)
        place = 0
        for start, end in pairwise([*starts, len(self.text) + 1]):
            parts: list[bytes] = []
            at = start
            while place < len(waiting) and waiting[place][0] < end:
                offset, _, _, text = waiting[place]
                parts += [self.text[at:offset], text.encode()]
                at = offset
                place += 1
            pieces.append(b"".join([*parts, self.text[at:end]]))
        return pieces

    def instrument(self, tree: ast.Module) -> None:
        """Count every loop turn, comprehension turn and function entry of the module."""
        waiting: list[ast.AST] = [tree]
        while waiting:
            node = waiting.pop()
            if isinstance(node, _SCOPES):
                self._count_entry(node.body)
            elif isinstance(node, ast.Lambda):
                self._wrap(node.body)
            elif isinstance(node, ast.While):
                self._wrap(node.test)
            elif isinstance(node, ast.For):
                self._wrap_iterable(node.iter)
            elif isinstance(node, _COMPREHENSIONS):
                for generator in node.generators:
                    if not generator.is_async:
                        self._wrap_iterable(generator.iter)
            waiting.extend(_code_of(node))

    def add_counter(self, tree: ast.Module, limit: int) -> int:
        """Define the counter before anything that could use it, on a line that exists already if there is one.

        Returns the offset of the definition.
        """
        code = (
            f"class {WORK_LIMIT_ERROR}(BaseException):\n    pass\n"
            f"def count(value=None, left=[{limit}]):\n    left[0] -= 1\n"
            f"    if left[0] < 0:\n        raise {WORK_LIMIT_ERROR}('more than {limit} units of work')\n"
            "    return value\n"
        )
        counter = f"{self.name}, {self.name}_map = (lambda scope: exec({code!r}, scope) or scope['count'])({{}}), map"
        offset, before, after = self._room_for_counter(tree.body)
        self._insert(offset, before + counter + after, opening=True, outermost=True)
        return offset

    def begin_anew_with(self, function: str, limit: int) -> None:
        """Let every outermost call of a function of the module have the whole limit for itself."""
        code = (
            "import functools\ndef fresh(function):\n    busy, left = [], work.__defaults__[1]\n"
            "    @functools.wraps(function)\n    def counted(*args, **kwargs):\n"
            "        if busy:\n            return function(*args, **kwargs)\n"
            f"        left[0] = {limit}\n        busy.append(None)\n"
            "        try:\n            return function(*args, **kwargs)\n        finally:\n            busy.pop()\n"
            "    return counted\n"
        )
        glue = "" if not self.text or self.text.endswith((b"\n", b"\r")) else "\n"
        wrap = f"(lambda scope: exec({code!r}, scope) or scope['fresh'])({{'work': {self.name}}})"
        is_function = f"type(globals().get({function!r})).__name__ == 'function'"
        # Inserted last of all, behind the last statement: the lines above stay where they are.
        self.insertions.append((len(self.text), 2, 0, f"{glue}if {is_function}: {function} = {wrap}({function})\n"))

    def _room_for_counter(self, body: list[ast.stmt]) -> tuple[int, str, str]:
        index = length_of_preamble(body)
        while True:
            if index and _is_simple(body[index - 1]):
                return self._end(body[index - 1]), "; ", ""
            if index == len(body):
                glue = "" if not self.text or self.text.endswith((b"\n", b"\r")) else "\n"
                return len(self.text), glue, "\n"
            if _is_simple(body[index]):
                return self._start(body[index]), "", "; "
            blank = self._blank_line(body[index - 1] if index else None, body[index])
            if blank is not None:
                return blank, "", ""
            if not _only_defines(body[index]):
                return self.line_starts[first_line(body[index]) - 1], "", "\n"
            index += 1

    def _blank_line(self, before: ast.stmt | None, after: ast.stmt) -> int | None:
        first = (before.end_lineno or before.lineno) + 1 if before is not None else 1
        for line in range(first, first_line(after)):
            start, end = self.line_starts[line - 1], self.line_starts[line]
            is_encoding_line = (
                line <= 2 and b"coding" in self.text[: self.line_starts[min(2, len(self.line_starts) - 1)]]
            )
            if not self.text[start:end].strip() and not is_encoding_line:
                return start
        return None

    def _count_entry(self, body: list[ast.stmt]) -> None:
        """Count at the first statement that has room for it; nested definitions have none."""
        if is_text(body[0]):
            self._insert(self._end(body[0]), f"; {self.name}()", opening=False)
            return
        for statement in body:
            if _is_simple(statement):
                self._insert(self._start(statement), f"{self.name}(); ", opening=True)
            elif isinstance(statement, ast.If):
                self._wrap(statement.test)
            elif isinstance(statement, ast.With | ast.AsyncWith):
                self._wrap(statement.items[0].context_expr)
            elif isinstance(statement, ast.Match):
                self._wrap(statement.subject)
            elif isinstance(statement, ast.Try | ast.TryStar):
                self._count_entry(statement.body)
            elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            return

    def _wrap(self, node: ast.expr) -> None:
        self._surround(node, f"{self.name}((", "))")

    def _wrap_iterable(self, node: ast.expr) -> None:
        self._surround(node, f"{self.name}_map({self.name}, (", "))")

    def _surround(self, node: ast.expr, before: str, after: str) -> None:
        self._insert(self._start(node), before, opening=True)
        self._insert(self._end(node), after, opening=False)

    def _insert(self, offset: int, text: str, *, opening: bool, outermost: bool = False) -> None:
        number = len(self.insertions) + 1
        order = 0 if outermost else (number if opening else -number)
        self.insertions.append((offset, int(opening), order, text))

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self.line_starts[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        return self.line_starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)


def _code_of(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts that run; annotations are left alone because they may be read as text."""
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "type_params"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and type(child).__name__ not in _UNSAFE:
                yield child


def _is_simple(statement: ast.stmt) -> bool:
    compound = (
        ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.If, ast.For, ast.AsyncFor, ast.While, ast.With,
        ast.AsyncWith, ast.Try, ast.TryStar, ast.Match,
    )  # fmt: skip
    return not isinstance(statement, compound)


def length_of_preamble(body: list[ast.stmt]) -> int:
    """Return how many statements must stay first: the docstring and the imports from ``__future__``."""
    length = 0
    for index, statement in enumerate(body):
        is_future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if is_future or (index == 0 and is_text(statement)):
            length = index + 1
    return length


def first_line(statement: ast.stmt) -> int:
    """Return the line on which a statement begins, its decorators included."""
    decorators = statement.decorator_list if isinstance(statement, (*_SCOPES, ast.ClassDef)) else []
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _only_defines(statement: ast.stmt) -> bool:
    """A plain function definition runs nothing of the program, so the counter may come after it."""
    if not isinstance(statement, _SCOPES) or statement.decorator_list:
        return False
    defaults = [*statement.args.defaults, *(each for each in statement.args.kw_defaults if each is not None)]
    return all(isinstance(default, ast.Constant | ast.Name) for default in defaults)
