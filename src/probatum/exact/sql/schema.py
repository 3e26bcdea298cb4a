"""Reads the tables that a query is about from CREATE TABLE statements.

Names fold as the dialect folds them. Refuses every other statement, a table or column declared twice, a table that is
made from a query, and a schema without tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from probatum.core.errors import NotAttemptedError
from probatum.exact.sql.functions import words
from probatum.exact.sql.reading import dialect_named, parsed, parts, tokens_of, written

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

SCHEMA: Final = "sql.schema"
_WHOLE: Final = words("INT TINYINT SMALLINT MEDIUMINT BIGINT SERIAL BIGSERIAL SMALLSERIAL YEAR")
_UNSIGNED: Final = words("UINT UTINYINT USMALLINT UMEDIUMINT UBIGINT")
_KINDS: Final = {
    "number": "FLOAT DOUBLE DECIMAL UDECIMAL UDOUBLE MONEY",
    "text": "TEXT VARCHAR CHAR NCHAR NVARCHAR TINYTEXT MEDIUMTEXT LONGTEXT NAME BPCHAR",
    "date": "DATE DATETIME TIMESTAMP TIMESTAMPTZ TIME TIMETZ",
    "bool": "BOOLEAN BIT",
}
_KIND_OF: Final = {name: kind for kind, names in _KINDS.items() for name in names.split()} | dict.fromkeys(
    _WHOLE | _UNSIGNED, "number"
)
_ENFORCED: Final = words("""
    notnullcolumnconstraint primarykeycolumnconstraint uniquecolumnconstraint checkcolumnconstraint reference
    primarykey foreignkey constraint
""")
"""Constraints that a database made for a witness enforces; a default says nothing about the rows that there may be."""
_WITHOUT_EFFECT: Final = words("""
    defaultcolumnconstraint autoincrementcolumnconstraint commentcolumnconstraint generatedasidentitycolumnconstraint
    onupdatecolumnconstraint indexcolumnconstraint
""")


@dataclass(frozen=True, slots=True)
class DeclaredTable:
    """One declared table."""

    name: str
    columns: Mapping[str, str]
    """Column names, folded, in their order, with what kind of value each holds; '' where that is not known."""
    primary: frozenset[str]
    """The columns of the primary key."""
    required: frozenset[str]
    """The columns that are declared not to hold NULL."""
    special: Mapping[str, str]
    """The columns of numbers that are 'whole', 'unsigned' or a 'float'."""
    checks: tuple[Expr, ...]
    """The conditions that every row satisfies."""
    definition: str
    """For a database of witnesses; '' where its rows may be restricted in another way than could be told."""

    @property
    def bare(self) -> str:
        """Return the statement that makes a table with these columns alone."""
        columns = {comparable(name): kind for name, kind in self.columns.items()}
        types = {"number": "NUMERIC", "text": "TEXT", "date": "NUMERIC", "bool": "NUMERIC", "": "BLOB"}
        told = ", ".join(f"{quoted(name)} {types[kind]}" for name, kind in columns.items())
        return f"CREATE TABLE {quoted(comparable(self.name))} ({told})"


def quoted(name: str) -> str:
    """Return a name as an identifier of SQLite."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def comparable(name: str) -> str:
    """Return a name for a folded one so that two of them differ for SQLite, too, to which capital letters are alike."""
    if name == name.lower():
        return name
    return f"{name.lower()}__{''.join(str(int(each.isupper())) for each in name)}"


def folded(identifier: Expr, dialect: str) -> str:
    """Return the name of a column or an alias as the dialect compares it."""
    name = str(identifier.this)
    return name if dialect == "postgres" and identifier.args.get("quoted") else name.lower()


def folded_table(identifier: Expr, dialect: str) -> str:
    """Return the name of a table as the dialect compares it."""
    # With MySQL it depends on the server whether the case of a table's name counts.
    return str(identifier.this) if dialect == "mysql" else folded(identifier, dialect)


@lru_cache(maxsize=16)
def read_schema(text: str, dialect: str) -> Mapping[str, DeclaredTable]:
    """Return the tables by name; raises NotAttemptedError for anything that is no list of tables."""
    reader = dialect_named(dialect)
    tables, is_whole = dict[str, DeclaredTable](), True
    tokens = tokens_of(text, reader)
    trees = parsed(tokens, text, reader)
    made = [tree.this.this for tree in trees if tree is not None and getattr(tree.this, "key", "") == "schema"]
    declared = {folded_table(each.this, dialect) for each in made if each.key == "table"}
    for tree in trees:
        if tree is None or (tree.key == "create" and tree.args.get("kind") == "INDEX"):
            is_whole = is_whole and not (tree is not None and tree.args.get("unique"))
            continue
        table = _table_of(tree, dialect, declared)
        if table.name in tables:
            raise NotAttemptedError(SCHEMA, f"The table {table.name[:60]!r} is declared twice.")
        tables[table.name] = table
    if not tables:
        raise NotAttemptedError(SCHEMA, "The schema declares no table.", "Give CREATE TABLE statements.")
    # An index says nothing about the rows, unless it is a unique one.
    return tables if is_whole else {name: replace(table, definition="") for name, table in tables.items()}


def _table_of(tree: Expr, dialect: str, declared: set[str]) -> DeclaredTable:
    holder = tree.this
    is_table = tree.key == "create" and tree.args.get("kind") == "TABLE" and getattr(holder, "key", "") == "schema"
    if not is_table or tree.args.get("expression") is not None:
        raise NotAttemptedError(SCHEMA, "The schema holds a statement that is no plain CREATE TABLE.")
    name = folded_table(holder.this.this, dialect)
    columns, primary = dict[str, str](), frozenset[str]()
    required, special = set[str](), dict[str, str]()
    for item in holder.expressions:
        if item.key == "columndef":
            column = folded(item.this, dialect)
            if column in columns:
                raise NotAttemptedError(SCHEMA, f"The column {column[:60]!r} of {name[:60]!r} is declared twice.")
            columns[column] = kind_of_type(item.args.get("kind"))
            special[column] = _special(item.args.get("kind"))
            held = {each.args["kind"].key for each in parts(item, "constraints")}
            if "primarykeycolumnconstraint" in held:
                primary = frozenset({column})
            if "notnullcolumnconstraint" in held and not _allows_null(item):
                required.add(column)
        else:
            for each in item.walk():
                primary = _names(each, dialect) if each.key == "primarykey" else primary
    if not columns:
        raise NotAttemptedError(SCHEMA, f"The table {name[:60]!r} has no column.")
    checks = tuple(each.this for each in tree.walk() if each.key == "checkcolumnconstraint")
    return DeclaredTable(
        name,
        columns,
        primary,
        frozenset(required | primary),
        special,
        checks,
        _definition(tree, declared, dialect),
    )


def _special(declared: Expr | None) -> str:
    name = _type_name(declared)
    sorts = {"whole": _WHOLE, "unsigned": _UNSIGNED, "float": ("FLOAT", "DOUBLE")}
    return next((sort for sort, names in sorts.items() if name in names), "")


def _type_name(declared: Expr | None) -> str:
    return str(getattr(declared.this, "name", declared.this)) if declared is not None else ""


def _allows_null(item: Expr) -> bool:
    kinds = [each.args["kind"] for each in parts(item, "constraints")]
    return any(kind.key == "notnullcolumnconstraint" and kind.args.get("allow_null") for kind in kinds)


def _names(node: Expr, dialect: str) -> frozenset[str]:
    return frozenset(folded(each, dialect) for each in node.find_all(_identifier()))


def _identifier() -> type[Expr]:
    from sqlglot.expressions import Identifier

    return Identifier


def kind_of_type(declared: Expr | None) -> str:
    """Return the kind of value that a declared type holds; '' where that is not known."""
    return _KIND_OF.get(_type_name(declared), "")


def _definition(tree: Expr, declared: set[str], dialect: str) -> str:
    """Return the statement for SQLite with every constraint that restricts rows; '' where one of another kind does."""
    copy = tree.copy()
    copy.set("properties", None)
    copy.set("exists", None)
    copy.this.this.set("db", None)
    items = []
    for item in copy.this.expressions:
        is_column = item.key == "columndef"
        held = parts(item, "constraints") if is_column else []
        sorts = {each.args["kind"].key for each in held} if is_column else {item.key}
        if not sorts <= _ENFORCED | _WITHOUT_EFFECT:
            return ""
        if is_column:
            kept = [each for each in held if each.args["kind"].key in _ENFORCED]
            item.set("constraints", [each for each in kept if _restricts(each, declared, dialect)])
        if item.key not in _WITHOUT_EFFECT and _restricts(item, declared, dialect):
            items.append(item)
    copy.this.set("expressions", items)
    return written(copy, "sqlite")


def _restricts(node: Expr, declared: set[str], dialect: str) -> bool:
    """Return whether a part of a definition does more than to refer to a table that is not declared."""
    tables = [each for one in node.walk() if one.key == "reference" for each in one.walk() if each.key == "table"]
    return all(folded_table(each.this, dialect) in declared for each in tables)
