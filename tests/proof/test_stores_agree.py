"""All stores and all wrappers agree with one plain dictionary, whatever is kept, erased, damaged and opened again.

PROBATUM_TEST_STORE_RUNS sets how many sequences of calls are tried; the normal run tries few.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from probatum.core.digest import digest_of
from probatum.core.errors import IntegrityError, NotAttemptedError, ProbatumError
from probatum.core.ports import Store
from probatum.proof import DirectoryStore, MemoryStore, MultiplexStore, ReadOnlyStore, SqliteStore, open_store
from probatum.proof.tombstones import tombstone_of

RUNS = int(os.environ.get("PROBATUM_TEST_STORE_RUNS", "20"))
NOT_FOUND = (IntegrityError, "store.not_found")
ERASED = (IntegrityError, "store.erased")
READ_ONLY = (NotAttemptedError, "store.read_only")
NO_REFERENCES = ["", "sha256:", "sha256:../../x", "sha256:" + "F" * 64, "md5:" + "0" * 32]
Answer = bytes | tuple[type[ProbatumError], str]

contents = st.binary(max_size=300) | st.sampled_from([tombstone_of(digest_of(b"")), b"", b"x" * 9000])


class StoresAgree(RuleBasedStateMachine):
    """One model, one set of single stores, and one of two stores behind a `MultiplexStore`; all have a reader."""

    known = Bundle("known")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        place = Path(self.folder.name)
        self.paths = {"directory": place / "one", "sqlite": place / "one.sqlite"}
        self.mirrors = (place / "two", place / "two.sqlite")
        self.memory = MemoryStore()
        self.expected: dict[str, Answer] = {}
        self.mirrored: dict[str, Answer] = {}
        self.stores: dict[str, Store] = {}
        self.readers: dict[str, Store] = {}
        self.open_all()

    def open_all(self) -> None:
        for each in (*self.readers.values(), *self.stores.values()):
            each.close()
        self.stores = {"memory": self.memory, "several": MultiplexStore([open_store(each) for each in self.mirrors])}
        self.stores |= {name: open_store(path) for name, path in self.paths.items()}
        self.readers = {name: ReadOnlyStore(each) for name, each in self.stores.items()}
        self.readers |= {f"path {name}": open_store(path, read_only=True) for name, path in self.paths.items()}

    def model_of(self, name: str) -> dict[str, Answer]:
        return self.mirrored if name == "several" else self.expected

    @staticmethod
    def answer(call: Callable[[], object]) -> object:
        try:
            return call()
        except ProbatumError as error:
            return type(error), error.code

    def all_answer(self, call: Callable[[Store], object], expected: object) -> None:
        for name, each in self.stores.items():
            assert self.answer(lambda each=each: call(each)) == expected, name

    def readers_refuse(self, call: Callable[[Store], object]) -> None:
        for name, each in self.readers.items():
            assert self.answer(lambda each=each: call(each)) == READ_ONLY, name

    def keep(self, *kept: bytes) -> None:
        for content in kept:
            self.expected[digest_of(content)] = self.mirrored[digest_of(content)] = content

    @rule(target=known, content=contents)
    def retain(self, content: bytes) -> str:
        self.readers_refuse(lambda each: each.retain(content))
        self.all_answer(lambda each: each.retain(content), digest_of(content))
        self.keep(content)
        return digest_of(content)

    @rule(target=known, several=st.lists(contents, max_size=4))
    def retain_all(self, several: list[bytes]) -> object:
        digests = [digest_of(content) for content in several]
        self.readers_refuse(lambda each: each.retain_all(several))
        self.all_answer(lambda each: each.retain_all(several), digests)
        self.keep(*several)
        return multiple(*digests)

    @rule(target=known, digest=consumes(known), data=st.data())
    def retain_again(self, digest: str, data: st.DataObject) -> str:
        whole = [each for each in self.mirrored.values() if isinstance(each, bytes) and digest_of(each) == digest]
        if whole:
            self.all_answer(lambda each: each.retain(whole[0]), digest)
            self.keep(whole[0])
        return digest

    @rule(digests=st.lists(known, max_size=3), unknown=st.booleans())
    def erase(self, digests: list[str], unknown: bool) -> None:
        asked = [*digests, digest_of(b"never kept")] if unknown else digests
        self.readers_refuse(lambda each: each.erase(*asked))
        self.all_answer(lambda each: each.erase(*asked), NOT_FOUND if unknown else None)
        if not unknown:
            self.expected |= dict.fromkeys(asked, ERASED)
            self.mirrored |= dict.fromkeys(asked, ERASED)

    @rule(digest=known)
    def erase_in_the_second_mirror_alone(self, digest: str) -> None:
        self.stores["several"].stores[1].erase(digest)
        self.mirrored[digest] = ERASED

    @rule(reference=st.sampled_from(NO_REFERENCES))
    def no_reference(self, reference: str) -> None:
        refused = (IntegrityError, "store.not_a_digest")
        self.all_answer(lambda each: each.fetch(reference), refused)
        self.all_answer(lambda each: each.erase(reference), refused)

    @rule(digest=known, damage=st.binary(max_size=90), both=st.booleans())
    def damage(self, digest: str, damage: bytes, both: bool) -> None:
        """Somebody writes into the files; of two copies into one, or both."""
        if self.expected[digest] == ERASED or self.mirrored[digest] == ERASED:
            return
        self.memory._contents[digest] = damage
        for path in (*self.paths.values(), *(self.mirrors if both else self.mirrors[:1])):
            damage_in(path, digest, damage)
        self.expected[digest] = damage
        whole = digest_of(bytes(self.mirrored[digest])) == digest
        if both or not whole:
            self.mirrored[digest] = damage

    @rule()
    def reopen(self) -> None:
        self.open_all()

    @rule()
    def close_and_go_on(self) -> None:
        for each in (*self.stores.values(), *self.readers.values()):
            each.close()

    @invariant()
    def everything_answers_as_the_model_does(self) -> None:
        for name, each in (*self.stores.items(), *self.readers.items()):
            model = self.model_of(name)
            for digest, expected in model.items():
                found = self.answer(lambda each=each, digest=digest: each.fetch(digest))
                assert found == expected, (name, digest)
            listed = [digest for digest, answer in model.items() if answer != ERASED]
            assert list(each.digests()) == sorted(listed), name
            assert self.answer(lambda each=each: each.fetch(digest_of(b"never kept"))) == NOT_FOUND, name

    def teardown(self) -> None:
        for each in (*self.stores.values(), *self.readers.values()):
            each.close()
        self.folder.cleanup()


def damage_in(path: Path, digest: str, damage: bytes) -> None:
    if path.suffix:
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("UPDATE contents SET content = ? WHERE digest = ?", (damage, digest))
    else:
        digits = digest.removeprefix("sha256:")
        (path / "sha256" / digits[:2] / digits[2:]).write_bytes(damage)


StoresAgree.TestCase.settings = settings(max_examples=RUNS, stateful_step_count=12, deadline=None)
TestStoresAgree = StoresAgree.TestCase


def test_the_public_names_are_the_ones_of_the_modules() -> None:
    assert type(open_store(Path("nowhere"))) is DirectoryStore
    assert type(open_store(Path("nowhere.sqlite"))) is SqliteStore
