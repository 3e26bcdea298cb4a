"""Taking tokens back: both registers answer alike, and whatever cannot be asked refuses every token."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.core.errors import IntegrityError, NotAttemptedError, UsageError
from probatum.proof import sqlite_file
from probatum.proof.revocation import MAX_LEEWAY, MemoryRegister, RevocationRegister, SqliteRegister
from probatum.proof.tokens import MAX_LIFE
from tests.proof.sample import SUBJECT
from tests.proof.token_sample import MOMENT, Clock, World

KEY = "ab" * 32


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "sqlite"])
def register(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> RevocationRegister:
    if request.param == "memory":
        return MemoryRegister(clock)
    made = SqliteRegister(tmp_path / "register.db", clock)
    made.make()
    return made


def test_nothing_is_revoked_at_first(register: RevocationRegister) -> None:
    assert not register.is_revoked("token-1", KEY)


def test_a_revoked_token_is_refused(register: RevocationRegister) -> None:
    world = World()
    verifier = world.verifier(revocations=register)
    claims = verifier.verify_bound(world.token, world.verdict, SUBJECT.content, world.store).claims
    register.revoke_token(claims.id, claims.expires)
    assert world.refusal(world.token, revocations=register) == "token.revoked"
    verifier.verify(world.issuer.issue(world.verdict, "deploy"))


def test_a_revoked_key_takes_all_its_tokens_with_it(register: RevocationRegister, clock: Clock) -> None:
    world = World()
    register.revoke_key(world.key.id)
    assert world.refusal(world.token, revocations=register) == "token.revoked"
    world.issuer.rotate()
    world.verifier(revocations=register).verify(world.issuer.issue(world.verdict, "deploy"))
    clock.forward(timedelta(days=10_000))
    register.revoke_token("other", clock.at)
    assert register.is_revoked("token-1", world.key.id), "who stole a key can sign on any later day"


def test_a_token_is_forgotten_only_after_every_reader_refuses_it(register: RevocationRegister, clock: Clock) -> None:
    expires = MOMENT + MAX_LIFE
    register.revoke_token("first", expires)
    clock.at = expires + MAX_LEEWAY
    register.revoke_token("second", clock.at + MAX_LIFE)
    assert register.is_revoked("first", KEY)
    clock.forward(timedelta(seconds=1))
    register.revoke_token("third", clock.at + MAX_LIFE)
    assert not register.is_revoked("first", KEY)
    assert register.is_revoked("second", KEY)


def test_revoking_again_never_shortens(register: RevocationRegister, clock: Clock) -> None:
    register.revoke_token("token", MOMENT + MAX_LIFE)
    register.revoke_token("token", MOMENT - timedelta(days=1))
    clock.at = MOMENT + MAX_LIFE
    register.revoke_token("other", clock.at)
    assert register.is_revoked("token", KEY)


def test_the_end_of_time_is_a_time(register: RevocationRegister, clock: Clock) -> None:
    register.revoke_token("token", datetime.max.replace(tzinfo=UTC))
    clock.at = datetime.max.replace(tzinfo=UTC)
    register.revoke_token("other", clock.at)
    assert register.is_revoked("token", KEY)


@pytest.mark.parametrize("token_id", ["", "a b", "x" * 65, "'; DROP TABLE tokens; --", None, 1])
def test_what_is_no_token_id_is_refused(token_id: object, register: RevocationRegister) -> None:
    with pytest.raises(UsageError, match="is not the id of a token"):
        register.revoke_token(token_id, MOMENT)


@pytest.mark.parametrize("key_id", ["", "AB" * 32, "ab" * 31, "release", None])
def test_what_is_no_key_id_is_refused(key_id: object, register: RevocationRegister) -> None:
    with pytest.raises(UsageError, match="is not the id of a key") as caught:
        register.revoke_key(key_id)
    assert "probatum key list" in caught.value.hint


def test_a_time_without_zone_is_refused(register: RevocationRegister) -> None:
    with pytest.raises(UsageError, match="time zone"):
        register.revoke_token("token", datetime(2024, 1, 1))


Action = tuple[str, int, int]


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.tuples(st.sampled_from(["token", "key", "wait"]), st.integers(0, 3), st.integers(-600, 4000)), max_size=6
    )
)
def test_both_registers_agree(tmp_path_factory: pytest.TempPathFactory, actions: list[Action]) -> None:
    clock = Clock()
    path = tmp_path_factory.mktemp("agree") / "register.db"
    registers = MemoryRegister(clock), SqliteRegister(path, clock)
    registers[1].make()
    for kind, number, seconds in actions:
        if kind == "wait":
            clock.forward(timedelta(seconds=abs(seconds)))
        for each in registers:
            if kind == "token":
                each.revoke_token(f"token-{number}", clock.at + timedelta(seconds=seconds))
            elif kind == "key":
                each.revoke_key(f"{number}" * 64)
        for token in range(4):
            asked = [each.is_revoked(f"token-{token}", f"{number}" * 64) for each in registers]
            assert asked[0] is asked[1]


def removed(path: Path) -> None:
    path.unlink()


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100])


def overwritten(path: Path) -> None:
    path.write_bytes(b"nothing of the kind" * 500)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def replaced_by_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def of_another_program(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE tokens (id TEXT, until INTEGER)")


def with_a_trigger(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TRIGGER t AFTER INSERT ON tokens BEGIN DELETE FROM tokens; END")


def with_a_view_for_a_table(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE tokens")
        connection.execute("CREATE VIEW tokens AS SELECT '' AS id, 0 AS until")


@pytest.mark.parametrize(
    "harm",
    [
        removed,
        cut,
        overwritten,
        emptied,
        replaced_by_a_folder,
        of_another_program,
        with_a_trigger,
        with_a_view_for_a_table,
    ],
)
def test_a_register_that_cannot_be_read_refuses_every_token(harm: Callable[[Path], None], tmp_path: Path) -> None:
    world, path = World(), tmp_path / "register.db"
    register = SqliteRegister(path, world.clock)
    register.make()
    world.verifier(revocations=register).verify(world.token)
    harm(path)
    assert world.refusal(world.token, revocations=register) == "token.revocation_unknown"
    assert world.refusal(world.token, revocations=SqliteRegister(path, world.clock)) == "token.revocation_unknown"


def test_a_register_that_was_never_made_refuses_every_token(tmp_path: Path) -> None:
    world = World()
    register = SqliteRegister(tmp_path / "regsiter.db", world.clock)
    verifier = world.verifier(revocations=register)
    with pytest.raises(NotAttemptedError, match="no register of revocations") as caught:
        verifier.verify(world.token)
    assert "SqliteRegister.make" in caught.value.hint
    assert list(tmp_path.iterdir()) == [], "asking makes nothing"


class Answering:
    """A register whose answer a test chooses."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def is_revoked(self, _token: str, _key: str) -> object:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (None, "token.revoked"),
        (0, "token.revoked"),
        ("", "token.revoked"),
        (True, "token.revoked"),
        (OSError(errno.EIO, "failing"), "token.revocation_unknown"),
        (ValueError("broken"), "token.revocation_unknown"),
        (NotAttemptedError("register.busy", "Busy."), "token.revocation_unknown"),
    ],
)
def test_only_a_clear_no_lets_a_token_pass(answer: object, code: str) -> None:
    world = World()
    assert world.refusal(world.token, revocations=Answering(answer)) == code
    world.verifier(revocations=Answering(False)).verify(world.token)


def test_a_register_is_asked_anew_for_every_token(tmp_path: Path) -> None:
    """Also where the file was replaced by another one: an open handle would go on asking the old one."""
    world, path = World(), tmp_path / "register.db"
    register, other = SqliteRegister(path, world.clock), SqliteRegister(tmp_path / "other.db", world.clock)
    register.make()
    verifier = world.verifier(revocations=register)
    verifier.verify(world.token)
    other.revoke_token("token-1", MOMENT + MAX_LIFE)
    (tmp_path / "other.db").rename(path)
    assert world.refusal(world.token, revocations=register) == "token.revoked"


def test_another_process_sees_a_revocation(tmp_path: Path) -> None:
    path = tmp_path / "register.db"
    register = SqliteRegister(path, Clock())
    register.revoke_token("token-1", MOMENT + MAX_LIFE)
    program = (
        "import json, sys; from pathlib import Path; from probatum.proof.revocation import SqliteRegister; "
        f"register = SqliteRegister(Path({str(path)!r}), None); "
        f"print(json.dumps([register.is_revoked(each, {KEY!r}) for each in ('token-1', 'token-2')]))"
    )
    printed = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout
    assert json.loads(printed) == [True, False]


def test_two_writers_lose_nothing(tmp_path: Path) -> None:
    registers = [SqliteRegister(tmp_path / "register.db", Clock()) for _ in range(4)]
    registers[0].make()

    def revoke(number: int) -> None:
        for count in range(10):
            registers[number].revoke_token(f"token-{number}-{count}", MOMENT + MAX_LIFE)
            assert registers[number].is_revoked(f"token-{number}-{count}", KEY)

    threads = [threading.Thread(target=revoke, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(registers[0].is_revoked(f"token-{number}-{count}", KEY) for number in range(4) for count in range(10))


def test_one_register_serves_several_threads(tmp_path: Path) -> None:
    register = SqliteRegister(tmp_path / "register.db", Clock())
    register.revoke_key(KEY)
    answers: list[bool] = []

    def ask() -> None:
        answers.extend(register.is_revoked("token", KEY) for _ in range(10))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [True] * 40


def test_a_full_disk_acknowledges_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    register = SqliteRegister(tmp_path / "register.db", Clock())
    register.make()

    def full(*_: object, **__: object) -> sqlite3.Connection:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(sqlite_file, "_connected", full)
    for change in (lambda: register.revoke_key(KEY), lambda: register.revoke_token("token", MOMENT)):
        with pytest.raises(NotAttemptedError, match="no room left") as caught:
            change()
        assert caught.value.code == "register.full"
        assert "--register" not in caught.value.hint


def test_a_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    SqliteRegister(tmp_path / "register.db", Clock()).make()
    assert (tmp_path / "register.db").stat().st_mode & 0o777 == 0o600


def test_a_foreign_file_is_never_written(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE mine (x)")
    before = path.read_bytes()
    register = SqliteRegister(path, Clock())
    changes = [register.make, lambda: register.revoke_key(KEY), lambda: register.revoke_token("token", MOMENT)]
    for change in changes:
        with pytest.raises(IntegrityError):
            change()
    assert path.read_bytes() == before


def test_a_log_that_another_writer_removes_at_this_moment_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    register, seen = SqliteRegister(tmp_path / "register.db", Clock()), os.lstat
    register.make()

    def gone(path: str) -> os.stat_result:
        if str(path).endswith(("-journal", "-wal", "-shm")):
            raise FileNotFoundError(path)
        return seen(path)

    monkeypatch.setattr(os, "lstat", gone)
    monkeypatch.setattr(os.path, "lexists", lambda _path: True)
    register.revoke_key(KEY)
    assert register.is_revoked("token", KEY)
