"""Whose acceptance of a reading counts: what is on a base, what a key signed, and nothing that was changed since."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.app.sources import NO_SOURCES
from probatum.core.errors import ProbatumError, UsageError
from probatum.kinds.program.acceptance import Acceptance, acceptance_named, acceptance_told, signed
from probatum.kinds.program.readings_file import readings_of
from probatum.proof.keys import KeyFolder, PrivateKey
from probatum.readings.acceptances import GivenReadings, NotCounted
from probatum.readings.notebook import read_notebook, write_notebook
from probatum.readings.recorded import json_of, record_of
from probatum.readings.values import ReadingRecord, Standing
from tests.kinds.test_revisions import git
from tests.programs.readers import GOOD, GUARD, accepted, record

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
Change = Callable[[ReadingRecord], ReadingRecord]
FIRST = replace(
    record(*(replace(each, digest="sha256:1") for each in accepted(GOOD, GUARD)), helpers="def one():\n    return 1\n"),
    signature="sha256:2",
)


def _with(**changes: object) -> Change:
    """Change the first reading of a record."""

    def changed(told: ReadingRecord) -> ReadingRecord:
        first, *rest = told.readings
        return replace(told, readings=(replace(first, **changes), *rest))  # type: ignore[arg-type]  # its fields

    return changed


def _copied(told: ReadingRecord) -> ReadingRecord:
    """Give the second reading the signature of the first."""
    first, second = told.readings
    return replace(told, readings=(first, replace(second, key=first.key, signature=first.signature)))


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> tuple[PrivateKey, PrivateKey]:
    folder = KeyFolder(tmp_path_factory.mktemp("keys"))
    return folder.generate("ops"), folder.generate("other")


def _all_signed(told: ReadingRecord, key: PrivateKey) -> ReadingRecord:
    [found] = signed([told], {told.id_of(each) for each in told.readings}, key)
    return found


def _counted(given: GivenReadings) -> list[bool]:
    return [each.standing is Standing.ACCEPTED for found in given.records for each in found.readings]


# what is changed after it was signed, which of the two acceptances count then, and why not
SIGNED: dict[str, tuple[Change, list[bool], str]] = {
    "nothing": (lambda told: told, [True, True], ""),
    "its helpers": (lambda told: replace(told, helpers=""), [False, False], "does not verify"),
    "an input less": (lambda told: replace(told, inputs=told.inputs[1:]), [False, False], "does not verify"),
    "an input more": (lambda told: replace(told, inputs=(*told.inputs, "(1, 2)")), [False, False], "does not verify"),
    "a reference": (lambda told: replace(told, reference="expected = max"), [False, False], "does not verify"),
    "the signature that was noted": (lambda told: replace(told, signature=""), [False, False], "does not verify"),
    "its function": (lambda told: replace(told, function="gross"), [False, False], "does not verify"),
    "its reader": (lambda told: replace(told, reader="another"), [False, False], "does not verify"),
    "its clause": (_with(clause="True"), [False, True], "does not verify"),
    "its words": (_with(statement="Return the price."), [False, True], "does not verify"),
    "its exception": (_with(exception="KeyError"), [False, True], "does not verify"),
    "its digest": (_with(digest=""), [False, True], "does not verify"),
    "who accepted it": (_with(by="Bob"), [False, True], "does not verify"),
    "when": (_with(on="2026-01-03"), [False, True], "does not verify"),
    "accepted by its reader": (_with(by="A reader"), [False, True], "nobody accepts what they proposed"),
    "the signature of another reading": (_copied, [True, False], "does not verify"),
    "no base64": (_with(signature="="), [False, True], "does not verify"),
    "a short signature": (_with(signature="AAAA"), [False, True], "does not verify"),
    "no signature": (_with(key="", signature=""), [False, True], "it is not signed"),
    "another key's id": (_with(key="0" * 64), [False, True], "it is signed by another key, 0000000000000000"),
    "a rejection": (_with(standing=Standing.REJECTED), [False, True], ""),
}


@pytest.mark.parametrize("name", SIGNED)
def test_a_signature_is_about_all_that_was_accepted(name: str, keys: tuple[PrivateKey, PrivateKey]) -> None:
    change, due, why = SIGNED[name]
    given = Acceptance(keys=(keys[0].public,)).of([change(_all_signed(FIRST, keys[0]))], None)
    assert _counted(given) == due
    assert given.acceptance == f"key:{keys[0].public.id}"
    assert [why in each.sentence for each in given.not_counted] == [True] * (due.count(False) if why else 0)
    # What does not count is a proposal like any other.
    found = [each for told in given.records for each in told.readings if each.standing is Standing.PROPOSED]
    assert all(each == each.proposed() for each in found)


def test_only_the_named_keys_count(keys: tuple[PrivateKey, PrivateKey]) -> None:
    ops, other = keys
    assert _counted(Acceptance(keys=(ops.public,)).of([_all_signed(FIRST, other)], None)) == [False, False]
    both = Acceptance(keys=(ops.public, other.public)).of([_all_signed(FIRST, other)], None)
    assert _counted(both) == [True, True]
    assert both.acceptance == f"key:{','.join(sorted((ops.public.id, other.public.id)))}"
    forged = replace(_all_signed(FIRST, other), readings=tuple(
        replace(each, key=ops.public.id) for each in _all_signed(FIRST, other).readings
    ))  # fmt: skip
    assert _counted(Acceptance(keys=(ops.public,)).of([forged], None)) == [False, False]


def test_a_reference_binds_all_readings_of_its_record(keys: tuple[PrivateKey, PrivateKey]) -> None:
    """A reference counts with all that its reader wrote, so nothing of that can be taken away under a signature."""
    told = _all_signed(replace(FIRST, reference="def expected(gross, rate):\n    return 1\n"), keys[0])
    asked = Acceptance(keys=(keys[0].public,))
    assert _counted(asked.of([told], None)) == [True, True]
    assert _counted(asked.of([replace(told, readings=told.readings[:1])], None)) == [False]


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=20), st.booleans())
def test_a_signed_acceptance_is_read_as_it_was_written(by: str, has_signature: bool) -> None:
    marks = {"key": "f" * 64, "signature": "AA_-"} if has_signature else {}
    told = _with(by=by, **marks)(FIRST)
    assert read_notebook(write_notebook([told]).encode()) == (told,)
    assert record_of(json_of(told)) == told


# an acceptance in a file, and what is wrong with it
MALFORMED = {
    "a key alone": ({"by": "Ada", "on": "2026-01-02", "key": "k"}, "signature"),
    "a signature alone": ({"by": "Ada", "on": "2026-01-02", "signature": "s"}, "key"),
    "an empty key": ({"by": "Ada", "on": "2026-01-02", "key": "", "signature": "s"}, "key"),
    "something else": ({"by": "Ada", "on": "2026-01-02", "sign": "s"}, "sign"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_acceptance_is_refused(name: str) -> None:
    note, place = MALFORMED[name]
    row = {"function": "f", "statements": [{"text": "t", "kind": "narrative", "accepted": note}]}
    with pytest.raises(ValueError, match=place):
        record_of(row)


# what an option says, and the code of its error
NO_ACCEPTANCE = {
    "another word": ("anybody", "acceptance.unknown"),
    "nothing": ("", "acceptance.unknown"),
    "a file that is missing": ("key:none.pem", "path.missing"),
    "no file": ("key:", "path.empty"),
    "a file that is no key": ("key:text.pem", "key.not_public"),
    "a private key": ("key:private.pem", "key.not_public"),
    "a text that is no key": ("key:-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "key.not_public"),
    "a key and something else": ("key:a key that is none.pem", "key.not_public"),
    "a last key that is cut off": ("key:cut.pem", "key.not_public"),
    "a key that is cut off before another": ("key:cut before.pem", "key.not_public"),
    "a key and a word": ("key:word.pem", "key.not_public"),
    "an empty file": ("key:empty.pem", "key.not_public"),
}


@pytest.mark.parametrize("name", NO_ACCEPTANCE)
def test_what_names_nobody_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: tuple[PrivateKey, PrivateKey]
) -> None:
    text, code = NO_ACCEPTANCE[name]
    monkeypatch.chdir(tmp_path)
    KeyFolder(tmp_path).generate("mine")
    (tmp_path / "mine.private.pem").rename("private.pem")
    one, two = (each.public.pem for each in keys)
    written = {
        "text": "no key",
        "a key that is none": f"{one}-----BEGIN PUBLIC KEY-----\nAA\n-----END PUBLIC KEY-----\n",
        "cut": one + two[:60],
        "cut before": one[40:] + two,
        "word": f"{one}key",
        "empty": "",
    }
    for stem, content in written.items():
        (tmp_path / f"{stem}.pem").write_text(content)
    with pytest.raises(UsageError) as raised:
        acceptance_named(text, NO_SOURCES)
    assert raised.value.code == code


@pytest.mark.parametrize("text", ["key:ops.pem", "key:", "git:HEAD", "anybody"])
def test_what_only_a_command_can_look_up_is_not_offered_to_a_request(text: str) -> None:
    with pytest.raises(UsageError, match="counts is self, or key: and the PEM text of public keys, got"):
        acceptance_told(text)


def test_a_file_may_hold_several_keys(tmp_path: Path, keys: tuple[PrivateKey, PrivateKey]) -> None:
    (tmp_path / "keys.pem").write_text("".join(each.public.pem for each in keys).replace("\n", "\r\n"))
    found = acceptance_named(f"key:{tmp_path / 'keys.pem'}", NO_SOURCES)
    assert found == Acceptance(keys=tuple(each.public for each in keys))
    assert acceptance_told(f"key:{keys[0].public.pem}") == Acceptance(keys=(keys[0].public,))


BOUND = replace(FIRST, reference="def expected(gross, rate):\n    return gross\n")
# what is in the base, what is in the file at hand, and which of its acceptances count
ON_BASE: dict[str, tuple[tuple[ReadingRecord, ...], ReadingRecord, list[bool]]] = {
    "the same": ((FIRST,), FIRST, [True, True]),
    "no file": ((), FIRST, [False, False]),
    "accepted since": ((replace(FIRST, readings=(GOOD, GUARD)),), FIRST, [False, False]),
    "one accepted since": ((replace(FIRST, readings=FIRST.readings[:1]),), FIRST, [True, False]),
    "another clause": ((FIRST,), _with(clause="True")(FIRST), [False, True]),
    "another person": ((FIRST,), _with(by="Bob")(FIRST), [False, True]),
    "another day": ((FIRST,), _with(on="2026-01-03")(FIRST), [False, True]),
    "another digest": ((FIRST,), _with(digest="sha256:9")(FIRST), [False, True]),
    "another signature of the function": ((FIRST,), replace(FIRST, signature="sha256:9"), [False, False]),
    "other helpers": ((FIRST,), replace(FIRST, helpers="one = 2\n"), [False, False]),
    "an input more": ((FIRST,), replace(FIRST, inputs=(*FIRST.inputs, "(1.0, 2.0)")), [True, True]),
    "an input less": ((FIRST,), replace(FIRST, inputs=FIRST.inputs[:-1]), [False, False]),
    "a reference more": ((FIRST,), BOUND, [False, False]),
    "a reference, and a reading less": ((BOUND,), replace(BOUND, readings=BOUND.readings[:1]), [False]),
    "a record more": ((FIRST, replace(FIRST, function="gross")), FIRST, [True, True]),
    "accepted by its reader": ((_with(by="a reader")(FIRST),), _with(by="a reader")(FIRST), [False, True]),
}


@needs_git
@pytest.mark.parametrize("name", ON_BASE)
def test_an_acceptance_counts_as_it_is_on_the_base(name: str, tmp_path: Path) -> None:
    base, now, due = ON_BASE[name]
    file, program = tmp_path / "pkg" / "shop.readings.toml", tmp_path / "pkg" / "shop.py"
    file.parent.mkdir()
    git(tmp_path, "init", "-q")
    program.write_text("")
    if base:
        file.write_text(write_notebook(base))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "base")
    file.write_text(write_notebook([now]))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--allow-empty", "-qm", "the author accepts")
    # A checkout may have other ends of lines.
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    given = readings_of(str(program), None, NO_SOURCES, Acceptance("git:HEAD~1"))
    assert _counted(given) == due
    assert len(given.not_counted) == due.count(False)
    if "reader" not in name:
        assert all("the readings file at git:HEAD~1 does not have it" in each.sentence for each in given.not_counted)
    commit = subprocess.check_output(["git", "-C", tmp_path, "rev-parse", "HEAD~1"], text=True).strip()
    assert given.acceptance == f"git:{commit}"


@needs_git
def test_an_id_that_two_readings_share_admits_neither_for_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An id has 32 bits, so somebody can make another reading that has it."""
    monkeypatch.setattr(ReadingRecord, "id_of", lambda *_: "r00000000")
    git(tmp_path, "init", "-q")
    (tmp_path / "shop.readings.toml").write_text(write_notebook([FIRST]))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "base")
    (tmp_path / "shop.readings.toml").write_text(write_notebook([_with(clause="True")(FIRST)]))
    given = readings_of(str(tmp_path / "shop.py"), None, NO_SOURCES, Acceptance("git:HEAD"))
    assert _counted(given) == [False, True]


# where the readings are, the revision, and the code of the error
NO_BASE = {
    "no repository": ("outside/shop.py", "git:HEAD", "acceptance.no_repository"),
    "no such revision": ("inside/shop.py", "git:nowhere", "acceptance.no_revision"),
    "nothing": ("inside/shop.py", "git:", "acceptance.revision"),
    "an option": ("inside/shop.py", "git:--all", "acceptance.revision"),
    "standard input": ("-", "git:HEAD", "acceptance.no_path"),
    "no readings file then": ("inside/broken.py", "git:HEAD", "readings.not_read"),
}


@needs_git
@pytest.mark.parametrize("name", NO_BASE)
def test_a_base_that_cannot_be_read_is_refused_by_name(name: str, tmp_path: Path) -> None:
    path, revision, code = NO_BASE[name]
    for folder in ("inside", "outside"):
        (tmp_path / folder).mkdir()
    git(tmp_path / "inside", "init", "-q")
    (tmp_path / "inside" / "broken.readings.toml").write_text("readings = 1")
    git(tmp_path / "inside", "add", ".")
    git(tmp_path / "inside", "commit", "-qm", "base")
    place = path if path == "-" else str(tmp_path / path)
    with pytest.raises(ProbatumError) as raised:
        readings_of(place, None, NO_SOURCES, Acceptance(revision))
    assert raised.value.code == code


@needs_git
def test_what_only_looks_like_a_repository_is_no_base(tmp_path: Path) -> None:
    """Files of a bare repository can be committed beside a program, with branches of the author's choice."""
    git(tmp_path, "init", "-q")
    author = tmp_path / "author"
    git(tmp_path, "init", "-q", str(author))
    (author / "shop.readings.toml").write_text(write_notebook([FIRST]))
    git(author, "add", ".")
    git(author, "commit", "-qm", "accepted")
    git(author, "branch", "trusted")
    planted = tmp_path / "planted"
    shutil.copytree(author / ".git", planted)
    (planted / "shop.readings.toml").write_text(write_notebook([FIRST]))
    with pytest.raises(UsageError):
        readings_of(str(planted / "shop.py"), None, NO_SOURCES, Acceptance("git:trusted"))


@needs_git
def test_a_link_into_another_repository_is_no_base(tmp_path: Path) -> None:
    author, mine = tmp_path / "author", tmp_path / "mine"
    for folder in (author, mine):
        git(tmp_path, "init", "-q", str(folder))
    (author / "a.readings.toml").write_text(write_notebook([FIRST]))
    (mine / "other").write_text("")
    for folder in (author, mine):
        git(folder, "add", ".")
        git(folder, "commit", "-qm", "base")
    (mine / "shop.readings.toml").symlink_to(author / "a.readings.toml")
    given = readings_of(str(mine / "shop.py"), None, NO_SOURCES, Acceptance("git:HEAD"))
    assert _counted(given) == [False, False]


def test_under_self_everything_counts_but_what_a_reader_accepts_alone() -> None:
    given = Acceptance().of([_with(by="A  READER")(FIRST)], None)
    assert (given.acceptance, _counted(given)) == ("self", [False, True])
    name = FIRST.id_of(FIRST.readings[0])
    why = f"the acceptance of the reading {name} by A  READER does not count: nobody accepts what they proposed"
    assert given.not_counted == (NotCounted("net_price", why),)
