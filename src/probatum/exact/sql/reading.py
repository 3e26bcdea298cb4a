"""Reads SQL text into one tree: the tokens, the statement, and the names that are called like functions.

A query is one SELECT, VALUES, WITH or set operation. Refuses an unknown dialect, several statements, a statement that
begins like anything but a query, comments that some database runs, and text nested deeper than the budget allows.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from probatum.core.errors import BudgetError, NotAttemptedError, nearest
from probatum.exact.claim import CannotDecideError, Ruling, refuted
from probatum.exact.sql.functions import words

if TYPE_CHECKING:
    from sqlglot.dialects.dialect import Dialect
    from sqlglot.expressions import Expr
    from sqlglot.tokenizer_core import Token

SYNTAX: Final = "sql.syntax"
DIALECTS: Final = ("sqlite", "postgres", "mysql")
MAX_TOKENS: Final = 4_000
MAX_DEPTH: Final = 40
_DEEP: Final = "The SQL is longer or nested deeper than the budget allows."
_QUERY_WORDS: Final = frozenset({"SELECT", "WITH", "VALUES", "("})
_OTHER_STATEMENTS: Final = words("""
    INSERT UPDATE DELETE REPLACE MERGE UPSERT CREATE DROP ALTER TRUNCATE RENAME COMMENT GRANT REVOKE PRAGMA ATTACH
    DETACH VACUUM REINDEX ANALYZE COPY LOAD IMPORT EXPORT UNLOAD INSTALL CALL EXEC EXECUTE DO SET RESET BEGIN START
    COMMIT END ROLLBACK SAVEPOINT RELEASE LOCK UNLOCK USE EXPLAIN SHOW DESCRIBE DESC KILL HANDLER REFRESH NOTIFY
    LISTEN PREPARE DEALLOCATE DECLARE FETCH OPTIMIZE FLUSH CLUSTER DISCARD CHECKPOINT BACKUP RESTORE SHUTDOWN
""")
_NO_FUNCTIONS: Final = words("""
    IN AND OR NOT EXISTS VALUES OVER FILTER AS USING ON WHERE FROM SELECT JOIN UNION ALL ANY SOME BY THEN WHEN ELSE
    CASE BETWEEN LIKE ILIKE DISTINCT HAVING LIMIT OFFSET INTERSECT EXCEPT IS RECURSIVE ROW MATERIALIZED CAST TRY_CAST
    CHAR CHARACTER VARCHAR NVARCHAR DECIMAL NUMERIC FLOAT TIMESTAMP TIME BIT NUMBER STRING
""")
_BEGINNINGS: Final = ("COMMA", "L_PAREN", "SELECT", "DISTINCT", "FROM", "GROUP_BY", "ORDER_BY", "PARTITION_BY", "WITH")
_ENDS: Final = ("R_PAREN", "FROM", "WHERE", "GROUP_BY", "ORDER_BY", "LIMIT", "HAVING", "UNION")
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")


class RefutedError(Exception):
    """Raised inside this engine where a query turns out not to be sound."""

    def __init__(self, constraint: str, detail: str, **found: object) -> None:
        super().__init__(detail)
        self.constraint = constraint
        self.name = str(found.get("name", ""))
        self.ruling: Ruling = refuted(constraint, detail, {"found": detail, **found})


@dataclass(frozen=True, slots=True)
class Query:
    """One query that was read."""

    text: str
    dialect: str
    tree: Expr
    called: tuple[str, ...]
    """The names that stand before a parenthesis like a function's, in lower case."""
    tokens: tuple[Token, ...]

    @property
    def normal(self) -> str:
        """Return the query in one spelling."""
        return written(self.tree, self.dialect)


def part(node: Expr, name: str) -> Expr | None:
    """Return a member of a node; the names of some end in an underscore in newer versions of the parser."""
    value = node.args.get(name)
    return value if value is not None else node.args.get(f"{name}_")


def parts(node: Expr, name: str) -> list[Expr]:
    """Return the members of a list in a node."""
    return node.args.get(name) or []


def written(tree: Expr, dialect: str) -> str:
    """Return SQL for a tree."""
    from sqlglot import ErrorLevel

    return str(tree.sql(dialect=dialect, comments=False, unsupported_level=ErrorLevel.IGNORE))


def dialect_named(name: str) -> Dialect:
    """Return a dialect; raises NotAttemptedError where it is none that is known here."""
    from sqlglot.dialects.dialect import Dialect

    if name not in DIALECTS:
        sentence = f"The SQL dialect {name[:40]!r} is not known here; there are {', '.join(DIALECTS)}."
        raise NotAttemptedError("sql.dialect", sentence, nearest(name, DIALECTS))
    return Dialect.get_or_raise(name)


@lru_cache(maxsize=16)
def read_query(text: str, name: str) -> Query:
    """Return the one query of a text; raises RefutedError where it is some other statement, and as `tokens_of`.

    The tree is shared by all who ask for the same text: nobody changes it.
    """
    dialect = dialect_named(name)
    tokens = tokens_of(text, dialect)
    if not tokens:
        raise NotAttemptedError(SYNTAX, "The statement is empty.", "Write a query, such as SELECT name FROM users.")
    first = tokens[0].text.upper()
    if first in _OTHER_STATEMENTS:
        raise RefutedError("sql.not_read_only", f"The statement begins with {first}, so it is no query.")
    if any(token.token_type.name == "SEMICOLON" for token in tokens):
        raise RefutedError("sql.several_statements", "There is more than one statement.")
    if first not in _QUERY_WORDS:
        raise NotAttemptedError(SYNTAX, f"The statement begins with {tokens[0].text[:40]!r}, which starts no query.")
    _require_plain(tokens, text, name)
    trees = parsed(tokens, text, dialect)
    if len(trees) != 1 or trees[0] is None:
        raise NotAttemptedError(SYNTAX, "The statement could not be read as one query.")
    return Query(text, name, trees[0], tuple(_called(tokens, trees[0])), tuple(tokens))


def tokens_of(text: str, dialect: Dialect) -> list[Token]:
    """Return the tokens of a text without semicolons at its end; raises NotAttemptedError and BudgetError."""
    from sqlglot.errors import TokenError

    try:
        tokens = dialect.tokenize(text)
    except TokenError as error:
        raise NotAttemptedError(SYNTAX, "The text could not be split into words of SQL.") from error
    while tokens and tokens[-1].token_type.name == "SEMICOLON" and not tokens[-1].comments:
        tokens.pop()
    depth = 0
    for token in tokens:
        depth += {"L_PAREN": 1, "CASE": 1, "R_PAREN": -1, "END": -1}.get(token.token_type.name, 0)
        if depth > MAX_DEPTH:
            raise BudgetError("engine.too_large", _DEEP)
    if len(tokens) > MAX_TOKENS:
        raise BudgetError("engine.too_large", _DEEP)
    return tokens


def parsed(tokens: list[Token], text: str, dialect: Dialect) -> list[Expr | None]:
    """Return a tree for each statement; raises NotAttemptedError and BudgetError."""
    from sqlglot.errors import ParseError

    try:
        with _quiet():
            trees: list[Expr | None] = list(dialect.parser().parse(tokens, text))
    except ParseError as error:
        first = error.errors[0] if error.errors else {}
        place = f" near line {first.get('line')}, column {first.get('col')}" if first.get("line") else ""
        raise NotAttemptedError(SYNTAX, f"The SQL could not be read{place}.") from error
    except RecursionError as error:
        raise BudgetError("engine.too_large", _DEEP) from error
    for tree in trees:
        if tree is not None and _depth(tree) > 3 * MAX_DEPTH:
            raise BudgetError("engine.too_large", _DEEP)
    return trees


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the parser's warnings from the error stream: what it cannot read comes back as a node that is refused."""
    logger = logging.getLogger("sqlglot")
    before = logger.disabled
    logger.disabled = True
    try:
        yield
    finally:
        logger.disabled = before


def _depth(tree: Expr) -> int:
    """Return how deep a tree is; a chain of one connector counts once, for everything here goes through it flat."""
    deepest = 0
    waiting = [(tree, 1)]
    while waiting:
        node, depth = waiting.pop()
        deepest = max(deepest, depth)
        for each in node.iter_expressions():
            is_chain = each.key == node.key and each.key in ("and", "or", "union", "dpipe")
            waiting.append((each, depth if is_chain and each.key in ("and", "or") else depth + 1))
    return deepest


def _require_plain(tokens: list[Token], text: str, dialect: str) -> None:
    """Refuse comments that hold hints or code for some database, and commas that the parser would overlook."""
    comments = [each for token in tokens for each in token.comments]
    for comment in comments:
        if comment.startswith(("!", "+", "M!")):
            raise RefutedError("sql.dangerous", "A comment of the statement is one that a database may execute.")
        is_clear = "/*" not in comment and "*/" not in comment
        if not is_clear or (dialect != "sqlite" and comment and not comment[0].isspace()):
            raise CannotDecideError("sql.beyond", "Databases differ in where a comment of the statement ends.")
    if any(token.token_type.name == "HINT" for token in tokens) or "\x00" in text:
        raise RefutedError("sql.dangerous", "The statement holds a hint or a character that no query needs.")
    kinds = ["", *(token.token_type.name for token in tokens), "R_PAREN"]
    for before, kind, after in zip(kinds, kinds[1:], kinds[2:], strict=False):
        if kind == "COMMA" and (before in _BEGINNINGS or after in _ENDS):
            raise NotAttemptedError(SYNTAX, "A comma stands where nothing is before or after it.")


def _called(tokens: list[Token], tree: Expr) -> Iterator[str]:
    declared = {each.name.upper() for each in tree.walk() if each.key == "tablealias" and parts(each, "columns")}
    for place, token in enumerate(tokens[:-1]):
        if tokens[place + 1].token_type.name != "L_PAREN":
            continue
        word, kind = token.text.upper(), token.token_type.name
        if kind != "IDENTIFIER" and (not _WORD.fullmatch(word) or word in _NO_FUNCTIONS):
            continue
        if place and tokens[place - 1].token_type.name == "DOT":
            raise CannotDecideError(
                "sql.unknown_function", f"It is not known what {token.text[:40]!r} in a schema does."
            )
        if kind != "STRING" and word not in declared:
            yield word.lower()
