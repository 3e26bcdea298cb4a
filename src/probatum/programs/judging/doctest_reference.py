"""What the standard library's `doctest` says of a failing example: what it passes is never held against a program.

The whole text is run in the program's own process, as `python -m doctest` does. Its word can only withhold a
refutation: a program that bends it gains nothing else.
"""

from __future__ import annotations

import ast
import doctest
from collections.abc import Iterator
from textwrap import dedent

from probatum.programs.examples.doctests import PROMPT
from probatum.programs.running.checks import PlannedCheck, Statements
from probatum.programs.running.execute import Benches, run_actions
from probatum.programs.running.question import FunctionQuestion
from probatum.sandbox import Returned

_RUN = """
def _passed(text, names):
    import doctest
    failed = set()
    class Runner(doctest.DocTestRunner):
        def report_failure(self, out, test, example, got):
            failed.add((example.source, example.want))
        def report_unexpected_exception(self, out, test, example, raised):
            failed.add((example.source, example.want))
    test = doctest.DocTestParser().get_doctest(text, names, "documentation", None, 0)
    Runner(verbose=False).run(test, out=lambda said: None)
    return [each for each in {(each.source, each.want) for each in test.examples} if each not in failed]
"""


def passes_doctest(question: FunctionQuestion, check: PlannedCheck, benches: Benches) -> bool:
    """Tell whether `doctest` passes an example of a session where it stands, and each that is written like it."""
    written = check.example.text
    if not written.startswith(PROMPT):
        return False
    try:
        wanted = {(each.source, each.want) for each in doctest.DocTestParser().get_examples(_from_margin(written))}
    except ValueError:
        return False
    first = written.partition("\n")[0]
    texts = [text for text in dict.fromkeys(_texts(question)) if first in text]
    asked = [Statements((_RUN,), f"_passed({text!r}, dict(globals()))") for text in texts]
    replies = run_actions(benches.first, question.program, asked)
    passed = [reply.value for reply in replies if isinstance(reply, Returned) and isinstance(reply.value, list)]
    return bool(wanted) and any(wanted.issubset(map(tuple, each)) for each in passed)


def _from_margin(written: str) -> str:
    """Return the text of an example, whose first line is without its margin, without it in the others."""
    first, newline, rest = written.partition("\n")
    return first + newline + dedent(rest)


def _texts(question: FunctionQuestion) -> Iterator[str]:
    yield from (question.function.document, question.function.further, *question.function.texts)
    for node in ast.walk(question.source.tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""
