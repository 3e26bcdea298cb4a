"""The words of readings: the syntax, built-ins and modules that each kind of their code may use; data for `subset`.

Nothing here reads, writes, waits for or depends on the world. Sessions alone may use what objects need to be tried.
"""

from __future__ import annotations

import ast
import builtins
from typing import Final

from probatum.readers.vocabulary import words_of

RESULT: Final = "result"
AFTER: Final = "__after"
EXPECTED: Final = "expected"
"""The function that a reference defines."""

EXPRESSIONS: Final[tuple[type[ast.AST], ...]] = (
    *(ast.BoolOp, ast.NamedExpr, ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp, ast.Dict, ast.Set, ast.List, ast.Tuple),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Compare, ast.Call, ast.FormattedValue),
    *(ast.JoinedStr, ast.Constant, ast.Attribute, ast.Subscript, ast.Starred, ast.Name, ast.Slice, ast.keyword),
    *(ast.comprehension, ast.arguments, ast.arg, ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop),
)
"""The syntax of clauses and inputs."""
STATEMENTS: Final[tuple[type[ast.AST], ...]] = (
    *(*EXPRESSIONS, ast.Module, ast.FunctionDef, ast.Return, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete),
    *(ast.For, ast.While, ast.If, ast.Try, ast.ExceptHandler, ast.Raise, ast.Assert, ast.Expr, ast.Pass, ast.Break),
    *(ast.Continue, ast.Import, ast.ImportFrom, ast.alias, ast.With, ast.withitem, ast.Yield, ast.YieldFrom),
    *(ast.Match, ast.match_case, ast.pattern),
)
"""The syntax of helpers and references."""
SESSION_STATEMENTS: Final[tuple[type[ast.AST], ...]] = (
    *(*STATEMENTS, ast.ClassDef, ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await, ast.Nonlocal),
)

ERRORS: Final = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException) and not name.startswith("_")
) - words_of("BaseException BaseExceptionGroup KeyboardInterrupt SystemExit GeneratorExit")
"""Exceptions that may be named: those that end a process belong to whoever runs it."""
BUILTINS: Final = ERRORS | words_of(
    "abs all any ascii bin bool bytearray bytes callable chr complex dict divmod enumerate filter float format"
    " frozenset getattr hasattr hex int isinstance issubclass iter len list map max min next object oct ord pow range"
    " repr reversed round set slice sorted str sum tuple type zip Ellipsis NotImplemented"
)
"""Hashes and identities differ from run to run, so they are not among them."""
SESSION_BUILTINS: Final = BUILTINS | words_of(
    "aiter anext classmethod delattr hash id property setattr staticmethod super vars BaseException"
)
COMPUTING: Final = SESSION_BUILTINS - ERRORS
"""What code of readings means by these names is Python's, whatever a program defines."""
SCRATCH: Final = "tmp_path"
"""What sessions call a fresh and empty folder of their own."""
ENVIRONMENT: Final = "environment"
"""What inputs call with the name of an environment, for a value that no literal writes."""
REACHING: Final = words_of("delattr getattr hasattr setattr")
"""Built-ins that take the name of an attribute, which then has to be written out."""

MODULES: Final = words_of(
    "ast base64 binascii bisect calendar cmath collections collections.abc copy csv dataclasses datetime decimal"
    " difflib enum fractions functools hashlib heapq html io itertools json math numbers operator re statistics string"
    " struct textwrap typing unicodedata zlib"
)
"""Modules of the standard library that compute and do nothing else."""
SESSION_MODULES: Final = MODULES | words_of("asyncio contextlib random types")
OF_PACKAGES: Final = SESSION_MODULES | words_of("abc array email errno http queue select token trace urllib xml")
"""Names of modules that packages give to functions and modules of theirs, such as ``numpy.array`` and ``anyio.abc``."""
MEMBERS: Final = {
    "asyncio": words_of(
        "run sleep gather wait wait_for timeout as_completed create_task ensure_future current_task iscoroutine Event"
        " Lock Semaphore Condition Queue Future Task CancelledError TimeoutError QueueEmpty QueueFull"
    ),
    "io": words_of("StringIO BytesIO"),
}
"""Modules that may be used in part."""
OF_THE_CLOCK: Final = words_of("now today utcnow")
"""What dates and times know of the day on which they are asked."""
CALLED: Final = {
    **{"Await": "an await", "Yield": "a yield", "YieldFrom": "a yield", "AsyncFunctionDef": "an async function"},
    **{"Global": "a global statement", "Nonlocal": "a nonlocal statement", "ClassDef": "a class", "Lambda": "a lambda"},
}
"""Syntax that is refused, in words; the name of anything else is that of Python's own grammar."""
