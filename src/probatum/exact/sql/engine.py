"""Decides claims about SQL: that a query is sound for declared tables, or that it gives what another query gives.

The statement is the query itself. A sound query binds every name against the tables, only reads them, calls only
functions that compute, has no condition that always holds, and does not run away. A certificate names what the query
reads. Two readers bind each query: sqlglot's optimizer, and SQLite, which compiles it (https://sqlite.org/c3ref/
set_authorizer.html tells what that reads); where they differ, nothing is decided. Refuses an unknown dialect, tables
that cannot be read, and what is no SQL.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from probatum.core.canonical import canonical_bytes
from probatum.core.errors import BudgetError, NotAttemptedError, nearest
from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling, proved, refuted
from probatum.exact.sql.binding import BoundQuery, UnboundError, bind, require_bounded
from probatum.exact.sql.chains import Form
from probatum.exact.sql.conditions import require_telling
from probatum.exact.sql.database import RefusedError, columns_read
from probatum.exact.sql.forms import form_of
from probatum.exact.sql.functions import words
from probatum.exact.sql.kinds import require_alike
from probatum.exact.sql.reading import DIALECTS, SYNTAX, Query, RefutedError, read_query
from probatum.exact.sql.safety import require_recursions_bounded, require_safe
from probatum.exact.sql.schema import DeclaredTable, read_schema
from probatum.exact.sql.witness import QueryTrial, require_determined

SOUND: Final = "sql.sound"
OPEN: Final = "sql.equivalence_open"
EQUIVALENT: Final = "sql.equivalent"
_FEW: Final = 10
_MANY: Final = 100
_OTHER_SEEDS: Final = 1_000
_FLAWS: Final = (
    ("unknown_table", r"no such table: (?:main\.)?(\S+)"),
    ("unknown_column", r"no such column: (\S+)"),
    ("unknown_column", r"cannot join using column (\S+)"),
    ("ambiguous_column", r"ambiguous column name: (\S+)"),
    ("ambiguous_table", r"duplicate WITH table name: (\S+)"),
    ("wrong_arguments", r"wrong number of arguments to function (\S+)"),
    ("misplaced_aggregate", r"(?:misuse of|aggregate functions are not allowed)(.*)"),
    (
        "column_count",
        r".*(?:same number of result columns|sub-select returns|term out of range|values for \d+ columns)()",
    ),
)
"""What SQLite says of a query that it does not take, by what that amounts to."""
_OF_NAMES: Final = ("unknown_table", "unknown_column", "ambiguous_column")
"""What the optimizer has to find as well."""
_PRESENT: Final = words("""
    ctid xmin xmax cmin cmax tableoid oid dual user session_user current_role current_catalog current_schema localtime
    localtimestamp
""")
"""Names that mean something in a database of another dialect though nothing declares them, as a whole row's does."""
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
        again = [read_query(query.normal, dialect) for query in queries]
        if len(queries) == 1:
            expected = _certificate(queries[0], _bound(again[0], tables, queries[0]))
        else:
            bindings = [_read(query, tables, given) for query, given in zip(again, queries, strict=True)]
            if QueryTrial((again[0], again[1]), tables).difference(_OTHER_SEEDS, _MANY) is not None:
                raise ValueError("the queries give different rows on some database")
            expected = _same_certificate(queries, _one_form(bindings, tables))
    except (RefutedError, RefusedError, RecursionError, BudgetError, NotAttemptedError, CannotDecideError) as error:
        raise ValueError(f"the claim is not established: {error}") from error
    if canonical_bytes(certificate) != canonical_bytes(expected):
        raise ValueError("the certificate says something else than the claim")
    return SOUND if len(queries) == 1 else EQUIVALENT


def stated(claim: ExactClaim) -> str:
    """Return a query in one spelling, and the other one; raises as `decide` for what cannot be read."""
    texts, dialect, _ = _given(claim)
    try:
        return " -- gives the same rows as -- ".join(read_query(text, dialect).normal for text in texts)
    except RefutedError:
        return ""


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
    if len(queries) == 1:
        return proved(SOUND, _certificate(queries[0], _bound(queries[0], tables, queries[0])))
    bindings = [_read(query, tables, query) for query in queries]
    for binding in bindings:
        require_determined(binding)
    form = _one_form(bindings, tables, is_asked=True)
    found = QueryTrial((queries[0], queries[1]), tables).difference(0, _FEW if form else _MANY)
    if form and found is None:
        return proved(EQUIVALENT, _same_certificate(queries, form))
    if found is not None and not form:
        return refuted("sql.not_equivalent", "The two queries give different rows on a database that is shown.", found)
    detail = "No way was found to make one query of the other, and no database that tells them apart."
    raise CannotDecideError(OPEN, f"{detail} docs/reference/claims/sql.md has the steps.")


def _one_form(bindings: list[BoundQuery], tables: Mapping[str, DeclaredTable], *, is_asked: bool = False) -> Form:
    """Return the one form of two queries; an empty one, or CannotDecideError, where there is none."""
    forms = {form_of(each) for each in bindings} if all(table.definition for table in tables.values()) else set()
    if len(forms) != 1 and not is_asked:
        raise CannotDecideError(OPEN, "The queries have different forms.")
    return forms.pop() if len(forms) == 1 else ()


def _bound(query: Query, tables: Mapping[str, DeclaredTable], given: Query) -> BoundQuery:
    """Return a query that is sound; raises RefutedError or CannotDecideError for another."""
    binding = _read(query, tables, given)
    require_alike(binding)
    require_telling(binding)
    return binding


def _read(query: Query, tables: Mapping[str, DeclaredTable], given: Query) -> BoundQuery:
    """Return the names of a query that is safe and bounded, bound as SQLite binds those of the query as given."""
    require_safe(query)
    if any(each.key == "select" and not each.expressions for each in query.tree.walk()):
        raise NotAttemptedError(SYNTAX, "A SELECT has no column.")
    require_recursions_bounded(query)
    refusal, read = "", (frozenset[str](), frozenset[str]())
    try:
        read = columns_read(given, tables)
    except RefusedError as error:
        refusal = str(error)
    try:
        binding = bind(query, tables)
        own = binding.tables_read
    except UnboundError as error:
        if not refusal:
            raise CannotDecideError("sql.beyond", f"{error}. SQLite takes the query all the same.") from error
        raise _flaw(refusal, query, tables, is_unbound=True) from error
    if refusal:
        raise _flaw(refusal, query, tables, is_unbound=False)
    require_bounded(binding)
    # SQLite does not tell that USING and NATURAL read the columns that they compare.
    is_joined = any(
        each.key == "join" and (each.args.get("using") or each.args.get("method")) for each in query.tree.walk()
    )
    unlike = (binding.columns_read ^ read[1]) - (binding.columns_read if is_joined else frozenset())
    if unlike or (own != read[0] and not is_joined):
        raise CannotDecideError("sql.beyond", f"SQLite reads other columns: {', '.join(sorted(unlike))[:200]}.")
    return binding


def _flaw(message: str, query: Query, tables: Mapping[str, DeclaredTable], *, is_unbound: bool) -> Exception:
    """Return what SQLite's refusal amounts to, where the optimizer agrees as far as it is about names."""
    for flaw, pattern in _FLAWS:
        found = re.match(pattern, message)
        if found is None:
            continue
        name = found.group(1).strip(" ;\"'()-").lower()
        sources = {each.alias_or_name.lower() for each in query.tree.walk() if each.key in ("table", "subquery", "cte")}
        is_prefix = flaw == "unknown_column" and "." in name and name.partition(".")[0] not in sources
        is_row = flaw == "unknown_column" and name in sources
        is_known = name in _PRESENT or is_row or name.startswith("pg_")
        if (flaw in _OF_NAMES and not is_unbound) or (query.dialect != "sqlite" and is_known):
            break
        known = [*tables, *(column for table in tables.values() for column in table.columns)]
        detail = f"SQLite says: {message[:120]}. {nearest(name.rpartition('.')[2], known) if name else ''}".strip()
        return RefutedError(f"sql.{'unknown_table' if is_prefix else flaw}", detail, name=name)
    if "syntax error" in message and query.dialect == "sqlite":
        return NotAttemptedError(SYNTAX, f"SQLite cannot read the query: {message[:120]}.")
    return CannotDecideError("sql.beyond", f"SQLite does not take the query: {message[:120]}.")


def _certificate(query: Query, binding: BoundQuery) -> dict[str, object]:
    return {
        "form": "sound",
        "query": query.normal,
        "tables": sorted(binding.tables_read),
        "columns": sorted(binding.columns_read),
        "functions": sorted(set(query.called)),
    }


def _same_certificate(queries: list[Query], form: Form) -> dict[str, object]:
    return {"form": "same", "queries": [query.normal for query in queries], "canonical": _shown(form)}


def _shown(form: Form) -> str:
    return form if isinstance(form, str) else f"({' '.join(map(_shown, form))})"
