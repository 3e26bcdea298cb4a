"""One fault ends every command alike, wherever a file is given; and standard input and pipes stand for any file."""

from __future__ import annotations

import codecs
import io
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from probatum.app import received, sources
from probatum.core import limits
from probatum.proof import sqlite_file
from tests.cli.command import Commands

GATE = ("--contract", "llm_boolean_gate")
OUTPUT = b'{"yes": true, "confidence": 0.9, "reason": "ok"}'
PROGRAM = b'def f(n: int) -> int:\n    """Return n.\n\n    >>> f(2)\n    2\n    """\n    return n\n'
SCHEMA = b'{"type": "object", "required": ["yes"]}'
FILES = {"out.json": OUTPUT, "app.py": PROGRAM, "schema.json": SCHEMA, "in.json": b"{}"}
# Where a file is given; the file is what stands in the place of FILE.
PLACES: dict[str, tuple[str, ...]] = {
    "verify": ("verify", "FILE"),
    "verify --contract": ("verify", "app.py", "--contract", "@FILE"),
    "verify --tests": ("verify", "app.py", "--tests", "FILE"),
    "verify --against": ("verify", "app.py", "--against", "FILE"),
    "check": ("check", "FILE", *GATE),
    "check --lines": ("check", "FILE", *GATE, "--lines"),
    "check --input": ("check", "out.json", *GATE, "--input", "FILE"),
    "check --contract": ("check", "out.json", "--contract", "FILE"),
    "batch": ("batch", "FILE", "answers.jsonl"),
    "gate": ("gate", "FILE", "--subject", "app.py"),
    "gate --subject": ("gate", "verdict.json", "--subject", "FILE"),
    "gate --trust": ("gate", "verdict.json", "--subject", "app.py", "--trust", "FILE"),
    "gate --contract": ("gate", "verdict.json", "--subject", "out.json", "--contract", "FILE"),
    "gate --input": ("gate", "verdict.json", "--subject", "out.json", *GATE, "--input", "FILE"),
    "proof recheck": ("proof", "recheck", "FILE"),
    "proof recheck --trust": ("proof", "recheck", "bundle", "--trust", "FILE"),
    "proof import": ("proof", "import", "FILE"),
    "ledger audit --checkpoint": ("ledger", "audit", "--ledger", "l.sqlite", "--checkpoint", "FILE"),
    "ledger audit": ("ledger", "audit", "--ledger", "FILE"),
    "gate --ledger": ("gate", "verdict.json", "--subject", "out.json", "--ledger", "FILE"),
}
# A folder is a question of its own there.
FOLDERS = {"verify", "check --contract", "gate --contract"}
# What is there at FILE, and how every command ends.
FAULTS: dict[str, tuple[str, int]] = {
    "nothing": ("no/such.json", 2),
    "a file in a file": ("out.json/x.json", 2),
    "a link that leads nowhere": ("./dangling", 2),
    "a link to itself": ("./loop", 2),
    "a name without end": (f"./{'a' * 5000}", 2),
    "a path without end": (f"./{'a/' * 5000}x", 2),
    "a null character": ("./a\0b", 2),
    "a name that is no text": (f"./{os.fsdecode(bytes([255]))}.json", 2),
    "a folder": ("./folder", 2),
    "a device": ("/dev/zero", 2),
    "a pipe without a writer": ("./pipe", 2),
    "an error while it is read": ("/proc/self/mem", 4),
}


@pytest.fixture
def _prepared(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "PATIENCE_SECONDS", 0.001)
    for name, content in FILES.items():
        Path(name).write_bytes(content)
    Path("folder").mkdir()
    os.symlink("loop", "loop")
    os.symlink("no such thing", "dangling")
    os.mkfifo("pipe")
    verdict = commands.run("check", "out.json", *GATE, "--json", "--ledger", "l.sqlite").stdout
    Path("verdict.json").write_text(verdict)
    reference = json.loads(verdict)["verdict"]["proof_ref"]
    assert commands.run("proof", "export", reference, "--out", "bundle").code == 0


@pytest.mark.sampled(2)
@pytest.mark.usefixtures("_prepared")
@pytest.mark.parametrize("fault", FAULTS)
def test_one_fault_one_exit_code(commands: Commands, fault: str) -> None:
    path, code = FAULTS[fault]
    ends = {}
    for name, words in PLACES.items():
        if fault == "a folder" and name in FOLDERS:
            continue
        ended = commands.run(*(word.replace("FILE", path) for word in words))
        assert "internal.defect" not in ended.stderr, (name, ended)
        assert len(ended.stderr) < 600, (name, ended)
        ends[name] = ended.code
    assert ends == dict.fromkeys(ends, code)


REF = f"sha256:{'0' * 64}"
# Commands that look into a store; the gate and the re-check refuse at their step instead.
READ: dict[str, tuple[str, ...]] = {
    "show": ("proof", "show", REF),
    "export": ("proof", "export", REF, "--out", "bundle.json"),
    "list": ("proof", "list"),
    "prune": ("proof", "prune", "*", "--yes"),
    "erase": ("proof", "erase", REF, "--yes"),
}


def exclusively_locked(path: str) -> None:
    sqlite3.connect(path).execute("PRAGMA journal_mode = WAL")
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    HOLDERS.append(holder)


HOLDERS: list[sqlite3.Connection] = []
STORES: dict[str, tuple[Callable[[str], object], int]] = {
    "damaged": (lambda path: Path(path).write_bytes(b"no store"), 4),
    "of another program": (lambda path: sqlite3.connect(path).execute("CREATE TABLE a (b)"), 4),
    "a link to itself": (lambda path: os.symlink(path, path), 4),
    "a pipe": (os.mkfifo, 4),
    "locked": (exclusively_locked, 4),
    "missing": (lambda path: None, 2),
}


@pytest.mark.parametrize("fault", STORES)
def test_one_fault_of_a_store_ends_every_command_alike(
    commands: Commands, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    monkeypatch.setattr(sqlite_file, "BUSY_SECONDS", 0.01)
    Path("out.json").write_bytes(OUTPUT)
    make, code = STORES[fault]
    make("s.sqlite")
    reading = {name: commands.run(*words, "--store", "s.sqlite").code for name, words in READ.items()}
    assert reading == dict.fromkeys(reading, code)
    # What is missing is made where a proof is kept.
    assert commands.run("check", "out.json", *GATE, "--store", "s.sqlite").code == (0 if code == 2 else code)
    while HOLDERS:
        HOLDERS.pop().close()


EMPTY = (
    # The contract of an output may be a name, and says so.
    *(
        tuple("" if word == "FILE" else word for word in words)
        for name, words in PLACES.items()
        if "@FILE" not in words and name not in {"check --contract", "gate --contract"}
    ),
    *(("check", "out.json", *GATE, option, "") for option in ("--store", "--ledger")),
    ("verify", "app.py", "--save-tests", ""),
    ("demo", "--write", ""),
    ("proof", "export", REF, "--out", ""),
    ("proof", "list", "--store", ""),
    ("bench", "--data", ""),
)


@pytest.mark.usefixtures("_prepared")
@pytest.mark.parametrize("words", EMPTY, ids=" ".join)
def test_an_empty_path_names_nothing(commands: Commands, words: tuple[str, ...]) -> None:
    before = _names()
    ended = commands.run(*words)
    assert (ended.code, "error[path.empty]" in ended.stderr) == (2, True), ended
    assert _names() == before


def _names() -> list[str]:
    """Without what SQLite keeps beside an open file: in this process it is closed when it is collected, some time."""
    return sorted(name for name in os.listdir() if not name.endswith(("-wal", "-shm")))


@pytest.mark.usefixtures("_prepared")
def test_too_large_is_undecided_everywhere(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("large").open("wb") as file:
        file.truncate(1 << 30)
    ends = {
        name: commands.run(*(word.replace("FILE", "./large") for word in words)).code
        for name, words in PLACES.items()
        # A batch and a ledger may be of any size. A stream may too, and of this one reading all would take long.
        if name not in {"batch", "check --lines", "ledger audit", "gate --ledger"}
    }
    assert ends == dict.fromkeys(ends, 3)
    assert limits.MAX_SOURCE_BYTES < received.MAX_SUBJECT_BYTES < 1 << 30


GIVEN: dict[str, tuple[str, tuple[str, ...]]] = {
    name: (file, words)
    for name, file, words in (
        ("verify", "app.py", ("verify", "FILE", "--level", "quick")),
        ("verify --contract", "text", ("verify", "app.py", "--level", "quick", "--contract", "@FILE")),
        ("verify --against", "app.py", ("verify", "app.py", "--level", "quick", "--against", "FILE")),
        ("check", "out.json", PLACES["check"]),
        ("check --lines", "out.json", PLACES["check --lines"]),
        ("check --contract", "schema.json", PLACES["check --contract"]),
        ("check --input", "facts", PLACES["check --input"]),
        ("batch", "requests", PLACES["batch"]),
        ("gate", "verdict.json", ("gate", "FILE", "--subject", "out.json", *GATE)),
        ("gate --subject", "out.json", (*PLACES["gate --subject"], *GATE)),
        ("gate --trust", "key.pem", ("gate", "bundle", "--subject", "out.json", *GATE, "--trust", "FILE")),
        ("proof recheck", "bundle", PLACES["proof recheck"]),
        ("proof import", "bundle", PLACES["proof import"]),
        ("ledger audit --checkpoint", "head", PLACES["ledger audit --checkpoint"]),
    )
}


@pytest.fixture
def _given(commands: Commands, _prepared: None) -> None:
    """Make what the commands of GIVEN accept."""
    request = {"id": "a", "kind": "output", "output": OUTPUT.decode(), "contract": "llm_boolean_gate"}
    Path("requests").write_text(json.dumps(request))
    Path("text").write_text(">>> f(3)\n3\n")
    Path("facts").write_text('{"facts": "a", "question": "b"}')
    assert commands.run("key", "generate", "mine").code == 0
    Path("key.pem").write_text(commands.run("key", "public", "mine").stdout)
    reference = json.loads(Path("verdict.json").read_text())["verdict"]["proof_ref"]
    assert commands.run("proof", "export", reference, "--out", "bundle", "--sign", "mine").code == 0
    Path("head").write_text(commands.run("ledger", "head", "--ledger", "l.sqlite", "--sign", "mine").stdout)


def through_a_pipe(content: bytes, run: Callable[[str], int]) -> int:
    """Give the content as a shell gives it for ``<(command)``."""
    read, write = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"],
        stdin=subprocess.PIPE,
        stdout=write,
    ) as writer:
        os.close(write)
        try:
            assert writer.stdin is not None
            writer.stdin.write(content)
            writer.stdin.close()
            return run(f"/dev/fd/{read}")
        finally:
            os.close(read)


@pytest.mark.usefixtures("_given")
@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", GIVEN)
def test_standard_input_and_a_pipe_stand_for_a_file(commands: Commands, name: str) -> None:
    file, words = GIVEN[name]
    content = Path(file).read_bytes()

    def run(path: str, stdin: bytes = b"") -> int:
        Path("answers.jsonl").unlink(missing_ok=True)
        return commands.run(*(word.replace("FILE", path) for word in words), stdin=stdin).code

    expected = run(f"./{file}")
    # A program alone gives too little to be verified at this level; that it was read is what counts.
    assert expected in {0, 3}
    assert run("-", content) == expected
    assert through_a_pipe(content, run) == expected


@pytest.mark.usefixtures("_given")
@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", GIVEN)
def test_a_byte_order_mark_changes_nothing(commands: Commands, name: str) -> None:
    file, words = GIVEN[name]
    if name == "gate --subject":
        pytest.skip("the bytes are the subject")
    Path("marked").write_bytes(codecs.BOM_UTF8 + Path(file).read_bytes())
    codes = []
    for path in (file, "marked"):
        Path("answers.jsonl").unlink(missing_ok=True)
        codes.append(commands.run(*(word.replace("FILE", f"./{path}") for word in words)).code)
    assert codes[0] == codes[1]


TWICE = (
    ("check", "-", *GATE, "--input", "-"),
    ("check", "-", *GATE, "--input", "-", "--lines"),
    ("check", "-", "--contract", "-"),
    ("verify", "-", "--contract", "@-"),
    ("verify", "-", "--tests", "-"),
    ("verify", "app.py", "--tests", "-", "--against", "-"),
    ("gate", "-", "--subject", "-"),
    ("gate", "verdict.json", "--subject", "-", "--contract", "-"),
    ("gate", "verdict.json", "--subject", "out.json", "--trust", "-", "--trust", "-"),
)


@pytest.mark.usefixtures("_given")
@pytest.mark.parametrize("words", TWICE, ids=" ".join)
def test_standard_input_is_one_file(commands: Commands, words: tuple[str, ...]) -> None:
    first = "verdict.json" if words[:2] == ("gate", "-") else "key.pem"
    ended = commands.run(*words, stdin=Path(first).read_bytes())
    assert (ended.code, "path.twice" in ended.stderr) == (2, True), ended


LINES: dict[str, tuple[bytes, list[int]]] = {
    "nothing at all": (b"", []),
    "one empty line": (b"\n", [1]),
    "empty lines": (b"\n\n\n", [1, 1, 1]),
    "no line break at the end": (OUTPUT + b"\n" + OUTPUT, [0, 0]),
    "a blank line in between": (OUTPUT + b"\n \t \n" + OUTPUT + b"\n", [0, 1, 0]),
    "a blank line at the end": (OUTPUT + b"\n\n", [0, 1]),
    "CRLF": (OUTPUT + b"\r\n\r\n" + OUTPUT + b"\r\n", [0, 1, 0]),
    "a carriage return alone": (OUTPUT + b"\r\r\n", [0]),
    "a null character": (OUTPUT + b"\n\0\n", [0, 1]),
    "a form feed": (OUTPUT + b"\n\f\n\v\n", [0, 1, 1]),
    "a line separator of Unicode": (OUTPUT + b"\n" + '"\u2028\u0085"'.encode() + b"\n", [0, 1]),
    "a byte order mark": (codecs.BOM_UTF8 + OUTPUT + b"\n", [0]),
    "a byte order mark alone": (codecs.BOM_UTF8 + b"\n", [1]),
    "bytes that are no text": (b"\xff\xfe\n" + OUTPUT, [1, 0]),
}


@pytest.mark.parametrize("name", LINES)
def test_every_line_is_an_output(commands: Commands, name: str) -> None:
    content, expected = LINES[name]
    Path("outputs").write_bytes(content)
    ended = commands.run("check", "outputs", *GATE, "--lines", "--ledger", "l.sqlite")
    told = [json.loads(line) for line in ended.stdout.splitlines()]
    outcomes = {"proved": 0, "refuted": 1}
    assert [outcomes[line["verdict"]["developer_fields"]["outcome"]] for line in told] == expected
    assert [line["line"] for line in told] == list(range(1, len(expected) + 1))
    assert ended.code == (max(expected) if expected else 2)
    for line, content_of in zip(told, content.split(b"\n"), strict=False):
        Path("one").write_bytes(content_of.removesuffix(b"\r"))
        alone = json.loads(commands.run("check", "one", *GATE, "--json").stdout)
        assert alone["verdict"]["agent_message"] == line["verdict"]["agent_message"]


FORMATS = ("junit", "sarif", "html", "markdown")
LETTERS = "Gr\u00fc\u00dfe \u65e5\u672c"


@pytest.mark.parametrize("form", [(), ("--json",), ("--lines",), *(("--format", each) for each in FORMATS)])
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii"])
def test_a_pipe_gets_the_letters_that_its_encoding_has(
    commands: Commands, monkeypatch: pytest.MonkeyPatch, form: tuple[str, ...], encoding: str
) -> None:
    Path("out.json").write_text(json.dumps({LETTERS: 1}), encoding="utf-8")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding=encoding))
    commands.run("check", "out.json", "--contract", "llm_boolean_gate", *form)
    # What other programs read is UTF-8, whatever the terminal speaks.
    told = written.getvalue().decode("utf-8" if form else encoding)
    shown = LETTERS if form else LETTERS.encode(encoding, "backslashreplace").decode(encoding)
    assert shown in told


def test_colour_is_forced_and_forbidden(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("out.json").write_bytes(OUTPUT)
    ends = {}
    for words in ("", "FORCE_COLOR", "FORCE_COLOR=0", "NO_COLOR", "FORCE_COLOR NO_COLOR", "FORCE_COLOR TERM=dumb"):
        with monkeypatch.context() as patched:
            for name in ("NO_COLOR", "FORCE_COLOR"):
                patched.delenv(name, raising=False)
            patched.setenv("TERM", "xterm-256color")
            for word in words.split():
                name, _, value = word.partition("=")
                patched.setenv(name, value or "1")
            ends[words] = "\x1b[" in commands.run("check", "out.json", *GATE).stdout
    assert ends == {**dict.fromkeys(ends, False), "FORCE_COLOR": True}
