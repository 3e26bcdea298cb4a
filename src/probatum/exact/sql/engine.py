"""Decides claims about SQL: that a query is sound for declared tables, and that it gives what another query gives.

The statement is the query itself. A sound query binds every name against the tables, only reads them, calls only
functions that compute, has no condition that always holds, and does not run away. A certificate names what the query
reads; it is checked by SQLite, which binds the query for itself. Refuses an unknown dialect, tables that cannot be
read, and what is no SQL.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from probatum.core.canonical import canonical_bytes
from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling, proved, refuted
from probatum.exact.sql.binding import Binder
from probatum.exact.sql.chains import Form
from probatum.exact.sql.conditions import require_telling
from probatum.exact.sql.database import RefusedError, columns_read
from probatum.exact.sql.forms import OPEN, Former, NotComparedError, is_total, require_determined
from probatum.exact.sql.functions import words
from probatum.exact.sql.reading import DIALECTS, SYNTAX, Query, RefutedError, read_query
from probatum.exact.sql.safety import require_bounded, require_safe
from probatum.exact.sql.schema import DeclaredTable, folded, read_schema
from probatum.exact.sql.witness import QueryTrial

SOUND: Final = "sql.sound"
EQUIVALENT: Final = "sql.equivalent"
_FEW: Final = 10
_MANY: Final = 100
_OTHER_SEEDS: Final = 1_000
_BINDING: Final = words("""
    sql.unknown_column sql.unknown_table sql.unknown_function sql.ambiguous_column sql.ambiguous_table sql.column_count
    sql.misplaced_aggregate
""")
"""Flaws for which SQLite does not take a query either."""
_PRESENT: Final = words("""
    ctid xmin xmax cmin cmax tableoid oid dual user session_user current_role current_catalog current_schema localtime
    localtimestamp
""")
"""Names that mean something in a database of another dialect though nothing declares them, as a whole row's does."""
_NO_ALIASES: Final = ("postgres", "mysql")
_CALLED: Final = {"postgresql": "postgres", "mariadb": "mysql"}
_DEEP: Final = "The SQL is nested deeper than the budget allows."


def decide(claim: ExactClaim) -> Ruling:
    """Return whether a query is sound, or the same as another; raises as `EngineModule.decide`."""
    try:
        return _decided(*_given(claim))
    except RefutedError as error:
        return error.ruling
    except RecursionError as error:
        raise BudgetError("engine.too_large", _DEEP) from error


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes; raises ValueError where it is nothing.

    SQLite binds each query as it was given; the query in its one spelling is bound again and has to say the same.
    Queries that are to be the same run on further databases.
    """
    try:
        texts, dialect, tables = _given(claim)
        queries = [read_query(text, dialect) for text in texts]
        normals = [query.normal for query in queries]
        again = [read_query(normal, dialect) for normal in normals]
        binders = [_bound(query, tables, given) for query, given in zip(again, queries, strict=True)]
        if len(queries) == 1:
            require_telling(binders[0])
            expected = _sound_certificate(normals[0], queries[0].called, binders[0])
        else:
            if _trial(again, binders, tables).difference(_OTHER_SEEDS, _MANY) is not None:
                raise ValueError("the queries give different rows on some database")
            expected = _same_certificate(normals, _forms(again, binders, tables))
    except (RefutedError, RefusedError, RecursionError, BudgetError, NotAttemptedError, CannotDecideError) as error:
        raise ValueError(f"the claim is not established: {error}") from error
    if canonical_bytes(certificate) != canonical_bytes(expected):
        raise ValueError("the certificate says something else than the queries")
    return SOUND if len(queries) == 1 else EQUIVALENT


def _given(claim: ExactClaim) -> tuple[list[str], str, Mapping[str, DeclaredTable]]:
    inputs = claim.inputs
    try:
        dialect = inputs.text("dialect").lower() if inputs.has("dialect") else DIALECTS[0]
        schema = inputs.text("schema")
        texts = [claim.statement, *([inputs.text("same-as")] if inputs.has("same-as") else [])]
    except ValueError as error:
        raise NotAttemptedError("engine.invalid", f"An input cannot be read: {error}.") from error
    dialect = _CALLED.get(dialect, dialect)
    return texts, dialect, read_schema(schema, dialect)


def _decided(texts: list[str], dialect: str, tables: Mapping[str, DeclaredTable]) -> Ruling:
    queries = [read_query(text, dialect) for text in texts]
    binders = [_bound(query, tables, query) for query in queries]
    if len(queries) == 1:
        require_telling(binders[0])
        return proved(SOUND, _sound_certificate(queries[0].normal, queries[0].called, binders[0]))
    for query, binder in zip(queries, binders, strict=True):
        require_determined(query.tree, binder)
    try:
        forms = _forms(queries, binders, tables)
    except CannotDecideError:
        forms = []
    found = _trial(queries, binders, tables).difference(0, _FEW if forms else _MANY)
    if forms and found is None:
        return proved(EQUIVALENT, _same_certificate([query.normal for query in queries], forms))
    if found is not None and not forms:
        return refuted("sql.not_equivalent", "The two queries give different rows on a database that is shown.", found)
    raise CannotDecideError(
        OPEN, "No way was found to make one query of the other, and no database that tells them apart."
    )


def _trial(queries: list[Query], binders: list[Binder], tables: Mapping[str, DeclaredTable]) -> QueryTrial:
    is_ordered = all(is_total(query.tree, binder) for query, binder in zip(queries, binders, strict=True))
    return QueryTrial((queries[0], queries[1]), binders, tables, is_ordered=is_ordered)


def _forms(queries: list[Query], binders: list[Binder], tables: Mapping[str, DeclaredTable]) -> list[Form]:
    """Return the one form of all queries; raises CannotDecideError where there is not one."""
    if not all(table.definition for table in tables.values()):
        raise CannotDecideError(OPEN, "The tables declare more than is compared here.")
    found: set[Form] = set()
    for query, binder in zip(queries, binders, strict=True):
        former = Former(binder)
        try:
            found.add((former.query(query.tree), former.order(query.tree)))
        except NotComparedError as error:
            raise CannotDecideError(OPEN, "A query is of a kind that is not compared here.") from error
    if len(found) != 1:
        raise CannotDecideError(OPEN, "The queries have different forms.")
    return list(found)


def _bound(query: Query, tables: Mapping[str, DeclaredTable], given: Query) -> Binder:
    """Return the names of a query that is safe and bounded, bound as SQLite binds those of the query as given."""
    require_safe(query)
    binder = Binder(tables, query.dialect)
    try:
        binder.query(query.tree, None, {})
    except RefutedError as error:
        _require_refused(query, tables, error)
        raise
    for name, body in binder.recursions:
        require_bounded(name, body)
    try:
        tables_read, columns = columns_read(given, tables)
    except RefusedError as error:
        raise _flaw(str(error), query.dialect) from error
    _require_same(binder, tables_read, columns)
    return binder


def _require_refused(query: Query, tables: Mapping[str, DeclaredTable], error: RefutedError) -> None:
    """Raise CannotDecideError where SQLite takes a query that was found to be flawed."""
    if error.constraint not in _BINDING:
        return
    sources = {each.alias_or_name.lower() for each in query.tree.walk() if each.key in ("table", "subquery")}
    is_row = error.constraint == "sql.unknown_column" and error.name in sources
    if query.dialect != "sqlite" and (is_row or error.name in _PRESENT or error.name.startswith("pg_")):
        raise CannotDecideError("sql.beyond", f"{error} The database may have it all the same.") from error
    try:
        columns_read(query, tables)
    except RefusedError:
        return
    if query.dialect in _NO_ALIASES and error.constraint == "sql.unknown_column" and _is_alias(error.name, query):
        return
    raise CannotDecideError("sql.beyond", f"{error} SQLite takes the query all the same.") from error


def _is_alias(name: str, query: Query) -> bool:
    """Return whether a query calls a column so: SQLite takes that name in WHERE, which other databases do not."""
    return any(each.key == "alias" and folded(each.args["alias"], query.dialect) == name for each in query.tree.walk())


def _flaw(message: str, dialect: str) -> Exception:
    """Return what SQLite's refusal of a query that was bound here amounts to."""
    if message.startswith("wrong number of arguments"):
        return RefutedError("sql.wrong_arguments", f"SQLite says: {message[:120]}.")
    if message.startswith(("misuse of", "aggregate functions are not allowed")):
        return RefutedError("sql.misplaced_aggregate", f"SQLite says: {message[:120]}.")
    if "syntax error" in message and dialect == "sqlite":
        return NotAttemptedError(SYNTAX, f"SQLite cannot read the query: {message[:120]}.")
    return CannotDecideError("sql.beyond", f"SQLite does not take the query: {message[:120]}.")


def _require_same(binder: Binder, tables: frozenset[str], columns: frozenset[str]) -> None:
    own, own_tables, joined = binder.columns_read, binder.tables_read, binder.joined
    untold = (own - columns - joined) | (own_tables - tables - {each.partition(".")[0] for each in joined})
    unlike = sorted(untold | (columns - own) | (tables - own_tables))
    if unlike:
        raise CannotDecideError("sql.beyond", f"SQLite reads other columns: {', '.join(unlike)[:200]}.")


def _sound_certificate(normal: str, called: tuple[str, ...], binder: Binder) -> dict[str, object]:
    return {
        "form": "sound",
        "query": normal,
        "tables": sorted(binder.tables_read),
        "columns": sorted(binder.columns_read),
        "functions": sorted(set(called)),
    }


def _same_certificate(normals: list[str], forms: list[Form]) -> dict[str, object]:
    return {"form": "same", "queries": normals, "canonical": _shown(forms[0])}


def _shown(form: Form) -> str:
    return form if isinstance(form, str) else f"({' '.join(map(_shown, form))})"
