"""Environments: values that no literal writes, first of all sessions on databases with generated rows.

Rows are made here with SQLAlchemy itself, without a sandbox; whole programs are judged in one.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.orm import Session

from probatum.core.decision import Outcome
from probatum.core.errors import NotAttemptedError, UsageError
from probatum.core.events import ignore
from probatum.programs.decide import Level, ProgramPolicy, decide_function
from probatum.programs.environments.plain import CLOCK, RANDOMNESS, SCRATCH
from probatum.programs.environments.provider import CannotBeMadeError, GivenFacts, MadeVariant, environment_of
from probatum.programs.environments.rows import ForeignKey, MappedColumn, MappedTable, Rows, TableState
from probatum.programs.environments.session import SESSION
from probatum.programs.loading import read_source
from probatum.programs.record import CheckState, FunctionRecord
from probatum.programs.running.execute import Benches
from probatum.programs.running.in_environments import BUILT_IN
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.source import Source
from probatum.programs.units import find_function
from probatum.programs.verifier import verify_function
from probatum.readings.recorded import record_of
from probatum.sandbox import Program
from probatum.sandbox.inside.mapped import facts

BASE = """
import datetime, decimal, enum, uuid
from sqlalchemy import *
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship

class Base(DeclarativeBase):
    pass
"""
USERS = """
class User(Base):
    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    created_at: Mapped[datetime.datetime]
"""
SHOP = """
class Colour(enum.Enum):
    RED = 1
    BLUE = 2

class Customer(Base):
    __tablename__ = "customers"
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True, default=uuid.uuid4)
    mail: Mapped[str] = mapped_column(String(4), unique=True)
    above: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("customers.id"))
    born: Mapped[datetime.date | None]
    colour: Mapped[Colour]
    notes: Mapped[dict | None] = mapped_column(JSON)
    shown = mapped_column(String, Computed("mail || '!'"))

class Order(Base):
    __tablename__ = "orders"
    customer_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("customers.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    total: Mapped[decimal.Decimal] = mapped_column(Numeric(10, 2))
    paid: Mapped[bool] = mapped_column(default=lambda: 1 / 0)

class Line(Base):
    __tablename__ = "lines"
    __table_args__ = (ForeignKeyConstraint(["customer", "order"], ["orders.customer_id", "orders.number"]),)
    id: Mapped[int] = mapped_column(primary_key=True)
    customer: Mapped[uuid.UUID]
    order: Mapped[int]
    took: Mapped[datetime.timedelta]

marks = Table("marks", Base.metadata, Column("line_id", ForeignKey("lines.id"), primary_key=True),
    Column("text", Text, primary_key=True), Column("raw", LargeBinary), Column("at", Time), Column("f", Float)
)
"""
INHERITED = """
class Animal(Base):
    __tablename__ = "animals"
    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    __mapper_args__ = {"polymorphic_on": "kind", "polymorphic_identity": "animal"}

class Dog(Animal):
    __tablename__ = "dogs"
    id: Mapped[int] = mapped_column(ForeignKey("animals.id"), primary_key=True)
    tricks: Mapped[int]
    __mapper_args__ = {"polymorphic_identity": "dog"}

class Cat(Animal):
    __mapper_args__ = {"polymorphic_identity": "cat"}
"""
CIRCLE = """
class Boss(Base):
    __tablename__ = "bosses"
    id: Mapped[int] = mapped_column(primary_key=True)
    team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"))

class Team(Base):
    __tablename__ = "teams"
    id: Mapped[int] = mapped_column(primary_key=True)
    boss_id: Mapped[int] = mapped_column(ForeignKey("bosses.id"))
    of_itself: Mapped[int] = mapped_column(ForeignKey("teams.id"))
"""
ODD = """
class Point(TypeDecorator):
    impl = String

class Place(Base):
    __tablename__ = "places"
    id: Mapped[int] = mapped_column(primary_key=True)
    at = mapped_column(Point, nullable=False)

class Visit(Base):
    __tablename__ = "visits"
    id: Mapped[int] = mapped_column(primary_key=True)
    place_id: Mapped[int] = mapped_column(ForeignKey("places.id"))

class Checked(Base):
    __tablename__ = "checked"
    __table_args__ = (CheckConstraint("id = 1"),)
    id: Mapped[int] = mapped_column(primary_key=True)

class Guest(Base):
    __tablename__ = "guests"
    id: Mapped[int] = mapped_column(primary_key=True)
    place_id: Mapped[int | None] = mapped_column(ForeignKey("places.id"))
"""
WIDE = """
wide = Table("wide", MetaData(), *(Column(f"c{number}", Integer) for number in range(3000)))
"""


def _module(source: str) -> ModuleType:
    module = ModuleType("subject")
    # As a program of its own: what this file imports from the future is not the subject's.
    exec(compile(BASE + source, "subject.py", "exec", dont_inherit=True), vars(module))
    return module


def _variants(module: ModuleType, *words: str, seed: int = 0) -> Sequence[MadeVariant]:
    told = json.loads(json.dumps(facts(vars(module))))
    return SESSION.variants(GivenFacts(told, frozenset(words), seed))


def _made(module: ModuleType, variant: MadeVariant) -> Any:
    names = dict(vars(module))
    exec("def made():\n" + "".join(f"    {line}\n" for line in variant.body.splitlines()), names)
    return names["made"]()


def _tables(module: ModuleType, db: Session) -> Iterator[tuple[str, list[Any]]]:
    for name, table in module.Base.metadata.tables.items():
        yield name, list(db.execute(table.select()))


@pytest.mark.parametrize("source", [USERS, SHOP, INHERITED, CIRCLE])
def test_every_state_can_be_made_and_its_keys_are_consistent(source: str) -> None:
    module = _module(source)
    counts = []
    for each in _variants(module):
        with _made(module, each) as db:
            assert not list(db.execute(text("PRAGMA foreign_key_check")))
            counts += [{len(rows) for _, rows in _tables(module, db)}]
    assert counts[:3] == [{2}, {5}, {0}]


def test_rows_differ_and_tie_and_lack_values_as_a_state_says() -> None:
    module = _module(SHOP)
    plain, few, none, ties, gaps = sorted(_variants(module), key=lambda each: each.doubt != "")
    assert [bool(each.doubt) for each in (plain, few, none, ties, gaps)] == [False, False, True, True, True]
    with _made(module, few) as db:
        rows = dict(_tables(module, db))
        assert len({row.total for row in rows["orders"]}) == len({row.took for row in rows["lines"]}) == 5
        assert [row.total for row in rows["orders"]] != sorted(row.total for row in rows["orders"])
        assert sum(row.above is None for row in rows["customers"]) == 1
        assert all(row.born is not None and len(row.mail) <= 4 for row in rows["customers"])
    with _made(module, ties) as db:
        rows = dict(_tables(module, db))
        assert len({row.total for row in rows["orders"]}) < 5 == len({row.mail for row in rows["customers"]})
    with _made(module, gaps) as db:
        assert None in {row.born for row in dict(_tables(module, db))["customers"]}


def test_what_is_inherited_is_loaded() -> None:
    module = _module(INHERITED)
    for each in _variants(module, "Animal"):
        with _made(module, each) as db:
            assert all(isinstance(animal, module.Animal) for animal in db.query(module.Animal).all())


@pytest.mark.parametrize(
    ("source", "words", "why"),
    [
        ("x = 1", (), "names no mapped class"),
        (ODD, ("Place",), "places.at is of the type Point and may not be empty"),
        (ODD, ("Visit",), "visits refers to a table without rows: places.at"),
        (WIDE, (), "wide has 3,000 columns"),
    ],
)
def test_what_can_have_no_rows_is_told_with_the_reason(source: str, words: tuple[str, ...], why: str) -> None:
    with pytest.raises(CannotBeMadeError, match=why):
        _variants(_module(source), *words)


def test_a_table_beside_one_without_rows_has_some() -> None:
    module = _module(ODD)
    with _made(module, _variants(module, "Guest")[1]) as db:
        assert [row.place_id for row in dict(_tables(module, db))["guests"]] == [None] * 5


def test_the_same_seed_makes_the_same_bytes() -> None:
    assert _variants(_module(SHOP)) == _variants(_module(SHOP))
    assert _variants(_module(SHOP)) != _variants(_module(SHOP), seed=1)


TOLD: dict[str, object] = {
    "owner": "User",
    "is_own": True,
    "name": "users",
    "has_checks": False,
    "width": 1,
    "columns": [],
}


@pytest.mark.parametrize(
    "told",
    [
        None,
        7,
        [[]],
        [TOLD | {"owner": "User; import os"}],
        [TOLD | {"columns": [{"key": "id", "types": []}]}],
        [TOLD | {"width": "1"}],
        {"a": 1},
    ],
)
def test_what_a_program_tells_in_another_form_is_refused(told: object) -> None:
    with pytest.raises(CannotBeMadeError):
        SESSION.variants(GivenFacts(told, frozenset(), 0))


columns = st.builds(
    MappedColumn,
    st.sampled_from("abc"),
    st.sampled_from([("Integer",), ("Text", "String"), ("Boolean",), ("Point", "TypeDecorator"), ("Date",)]),
    st.none() | st.integers(0, 3),
    st.none() | st.tuples() | st.just(("x", "y")),
    *(st.booleans() for _ in range(4)),
    st.none() | st.builds(ForeignKey, st.integers(0, 1), st.integers(-1, 3), st.sampled_from("abc")),
)
tables = st.builds(
    MappedTable,
    st.just("T"),
    st.just(True),
    st.text(max_size=3),
    st.booleans(),
    st.integers(0, 3),
    st.lists(columns, max_size=3).map(tuple),
)


@given(
    st.lists(tables, max_size=3),
    st.integers(0, 3),
    st.builds(TableState, st.integers(0, 5), st.booleans(), st.booleans()),
)
@settings(max_examples=100, deadline=None)
def test_whatever_tables_are_told_their_rows_are_literals(
    told: list[MappedTable], seed: int, state: TableState
) -> None:
    rows = Rows(told, seed)
    for place in range(len(told)):
        for row in rows.of(place, state):
            for value in row.values():
                made = eval(value, {"datetime": datetime, "__builtins__": {}})
                assert made is None or type(made).__module__ in {"builtins", "datetime"}


def test_other_environments_give_the_same_every_time() -> None:
    asked = GivenFacts(None, frozenset(), 3)
    module = ModuleType("subject")
    for environment in (SCRATCH, CLOCK, RANDOMNESS):
        assert environment.variants(asked) == environment.variants(asked)
    empty, filled = (_made(module, each) for each in SCRATCH.variants(asked))
    assert empty == filled
    assert sorted(each.name for each in filled.iterdir()) == ["a.txt", "b.txt", "c"]
    clock, again = (_made(module, CLOCK.variants(asked)[0]) for _ in range(2))
    assert [clock(), clock()] == [again(), again()]
    assert (
        _made(module, RANDOMNESS.variants(asked)[0]).random() == _made(module, RANDOMNESS.variants(asked)[0]).random()
    )


def test_an_environment_that_nobody_offers_is_named() -> None:
    assert environment_of("session", BUILT_IN) is SESSION
    with pytest.raises(UsageError, match="No installed package offers an environment 'sesion'"):
        environment_of("sesion", BUILT_IN)


def test_another_package_offers_an_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "queues_for_tests.py").write_text(
        "from probatum.programs.environments.provider import EnvironmentProvider, MadeVariant\n"
        "QUEUE = EnvironmentProvider('queue', lambda given: [MadeVariant('import queue\\nreturn queue.Queue()')])\n"
        "OTHER = 7\n"
    )
    metadata = tmp_path / "queues_for_tests-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: queues-for-tests\nVersion: 1\n")
    offers = ["queue = queues_for_tests:QUEUE", "seven = queues_for_tests:OTHER", "session = queues_for_tests:QUEUE"]
    (metadata / "entry_points.txt").write_text("\n".join(["[probatum.environments]", *offers]))
    monkeypatch.syspath_prepend(str(tmp_path))
    assert environment_of("queue", BUILT_IN).variants(GivenFacts(None, frozenset(), 0))
    assert environment_of("session", BUILT_IN) is SESSION
    with pytest.raises(NotAttemptedError, match="gives a int, expected an EnvironmentProvider"):
        environment_of("seven", BUILT_IN)


NEWEST = "Return users sorted by registration date, newest first."
RECENT = (
    BASE.replace("*", "ForeignKey")
    + USERS
    + f'''

def get_recent_users(db) -> list[User]:
    """{NEWEST}"""
    return db.query(User).order_by(User.created_at.desc()).all()
'''
)
OLDEST = RECENT.replace(".desc()", "")
DATES = "[user.created_at for user in result] == sorted((user.created_at for user in db.query(User)), reverse=True)"
# It settles what the words leave open: the order of users of the same date.
NUMBERS = (
    "[user.id for user in result]"
    " == [user.id for user in sorted(db.query(User), key=lambda user: (user.created_at, user.id), reverse=True)]"
)


def _record(benches: Benches, source: str, clause: str, *inputs: str, level: Level = Level.QUICK) -> FunctionRecord:
    statement = {"text": NEWEST, "kind": "result", "clause": clause}
    told = record_of({"function": "get_recent_users", "inputs": list(inputs), "statements": [statement]})
    read = read_source(Program(source.encode(), "subject"))
    assert isinstance(read, Source)
    policy = ProgramPolicy(readings="proposed", level=level)
    function = find_function(read.module, "get_recent_users")
    return verify_function(FunctionQuestion(read, function, policy, readings=(told,)), benches, ignore)


ASKED = "(environment('session'),)"


@pytest.mark.parametrize(
    "shown", [OLDEST, OLDEST.replace("(db)", "(db: Session)").replace("Mapped,", "Mapped, Session,")]
)
def test_a_query_in_the_wrong_order_is_refuted_with_rows_that_show_it(benches: Benches, shown: str) -> None:
    record = _record(benches, shown, DATES, ASKED)
    (failing,) = (each for each in record.checks if each.state is CheckState.FAILS)
    names: dict[str, Any] = {}
    exec(compile(shown, "subject.py", "exec", dont_inherit=True), names)
    *helper, call = failing.reproduction.splitlines()
    exec("\n".join(helper), names)
    dates = [user.created_at for user in eval(call, names)]
    assert dates != sorted(dates, reverse=True)
    assert decide_function(record, ProgramPolicy()).constraint_id == "program.reading_contradicted"


def test_the_right_query_is_verified(benches: Benches) -> None:
    record = _record(benches, RECENT, DATES, ASKED, level=Level.STANDARD)
    assert decide_function(record, ProgramPolicy()).outcome is Outcome.TESTED, record


@pytest.mark.parametrize(
    ("source", "clause", "inputs", "why"),
    [
        # Only rows with equal dates break it.
        (RECENT, NUMBERS, (ASKED,), "rows have equal values"),
        # No reader wrote that such a database is legal.
        (
            OLDEST.replace("(db)", "(db: orm.Session)").replace(
                "import datetime", "from sqlalchemy import orm; import datetime"
            ),
            DATES,
            (),
            "nobody wrote this input",
        ),
        (RECENT.replace(".all()", ".one()"), DATES, (ASKED,), "nobody wrote these values"),
    ],
)
def test_what_nobody_promised_is_a_question(
    benches: Benches, source: str, clause: str, inputs: tuple[str, ...], why: str
) -> None:
    record = _record(benches, source, clause, *inputs)
    assert not any(each.state is CheckState.FAILS for each in record.checks)
    assert any(why in each.note for each in record.checks), record


NO_ROWS = RECENT.replace("name: Mapped[str]", "name = mapped_column(JSON, nullable=False)").replace(
    "ForeignKey", "JSON"
)
HOSTILE = {
    "a column of an unknown type": (NO_ROWS, "users.name is of the type JSON and may not be empty"),
    "a default that runs code": (NO_ROWS.replace("nullable=False", "default=lambda: 1 / 0"), "ZeroDivisionError"),
    "a patched package": (RECENT + "\nimport sqlalchemy.orm\nsqlalchemy.orm.Query.patched = 1\n", "could forge it"),
    "a lie about its tables": (RECENT + "\nUser.__table__.columns['name'].type = JSON()\n", ""),
    "an environment of its own": (
        RECENT + "\ndef environment(name):\n    return None\n",
        "the program defines 'environment' itself",
    ),
    "no environment of this name": (RECENT, "offered are clock, randomness, scratch, session"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_cannot_be_made_refutes_nothing_and_verifies_nothing(benches: Benches, name: str) -> None:
    source, why = HOSTILE[name]
    asked = "(environment('sesion'),)" if name.startswith("no environment") else ASKED
    record = _record(benches, source, DATES, asked)
    assert decide_function(record, ProgramPolicy()).outcome is Outcome.UNDECIDED, record
    assert why in str(record)
