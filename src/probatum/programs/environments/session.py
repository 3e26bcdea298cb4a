"""The environment ``session``: a SQLAlchemy session on an SQLite database in memory, with rows of the program's tables.

The tables are those of the mapped classes that the program names; the rows are made by `rows`. States come the plainest
first: a few rows with distinct values, and then those in which a broken clause is a question: no rows, equal values
(whose order may be left open), empty values. Refuses where no table is known, and where one that the function names can
have no rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Final

from probatum.core.shape import Shape, ShapeError
from probatum.programs.environments.provider import CannotBeMadeError, EnvironmentProvider, GivenFacts, MadeVariant
from probatum.programs.environments.rows import MODULES, MappedTable, Rows, TableState

_STATES: Final = (
    (TableState(2), ""),
    (TableState(5), ""),
    (TableState(0), "no table has rows"),
    (TableState(5, has_ties=True), "rows have equal values, and nothing may be said of their order"),
    (TableState(5, has_gaps=True), "some values are empty"),
)
_MOST_FILLED: Final = 12
_ROW, _NEXT = "\n    ", ",\n"
_OPENED: Final = """\
db = sqlalchemy.orm.Session(sqlalchemy.create_engine('sqlite://'))
for table, values in rows.items():
    table{0}(db.connection())
    db.execute(table.insert(), values) if values else None
db.commit()
return db
"""


def _sessions(around: GivenFacts) -> tuple[MadeVariant, ...]:
    tables = _tables(around.facts)
    if not tables:
        raise CannotBeMadeError("the program names no mapped class of SQLAlchemy")
    named = [place for place, each in enumerate(tables) if each.is_own and each.owner in around.words]
    filled = sorted(_referred_from(named, tables)) if len(tables) > _MOST_FILLED else [*range(len(tables))]
    if not filled:
        raise CannotBeMadeError(f"the function names none of the {len(tables)} tables of the program")
    rows = Rows(tables, around.seed, named)
    for place in named or filled:
        if place in rows.empty:
            raise CannotBeMadeError(f"no rows can be made: {rows.empty[place]}")
    made = dict[str, str]()
    for state, doubt in _STATES:
        made.setdefault(_body(tables, filled, rows, state), doubt)
    return tuple(MadeVariant(body, doubt) for body, doubt in made.items())


def _referred_from(places: Sequence[int], tables: Sequence[MappedTable]) -> set[int]:
    found, waiting = set[int](), [*places]
    while waiting:
        place = waiting.pop()
        if place not in found and 0 <= place < len(tables):
            found.add(place)
            waiting += [each.foreign.table for each in tables[place].columns if each.foreign is not None]
    return found


def _body(tables: Sequence[MappedTable], filled: Sequence[int], rows: Rows, state: TableState) -> str:
    parts = list[str]()
    for place in (each for each in filled if not tables[each].is_foreign):
        made = [f"{{{', '.join(f'{key!r}: {value}' for key, value in row.items())}}}" for row in rows.of(place, state)]
        parts.append(f"{tables[place].expression}: [{','.join(f'{_ROW}{each}' for each in made)}]")
    text = f"rows = {{{_NEXT.join(parts)}}}\n"
    needed = (each for each in MODULES if re.search(rf": {each}\.", text))
    imports = ", ".join([*needed, "sqlalchemy.orm"])
    # What SQLite cannot have leaves the others as they are.
    made_by = ".create" if any(each.is_foreign for each in tables) else ".metadata.create_all"
    return f"import {imports}\n{text}{_OPENED.format(made_by)}"


def _tables(facts: object) -> list[MappedTable]:
    """Return the tables that the probe told of; raises `CannotBeMadeError` where they are told in another form."""
    try:
        return [each.into(MappedTable) for each in Shape(facts).items()]
    except ShapeError as error:
        raise CannotBeMadeError("the tables of the program cannot be read") from error


SESSION: Final = EnvironmentProvider(
    "session",
    _sessions,
    files("probatum.sandbox.inside").joinpath("mapped.py").read_text("utf-8"),
    frozenset({"sqlalchemy.orm.Session", "sqlalchemy.orm.session.Session"}),
)
