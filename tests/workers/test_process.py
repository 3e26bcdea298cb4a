"""A worker is ended with everything that it started, and leaves nothing here: no process, no zombie, no descriptor."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from probatum.workers import guard, process
from probatum.workers.guard import Report
from probatum.workers.process import NotStartedError, ProcessLimits, run_call, run_program
from tests.workers.outside import (
    ONE_TO_LEAVE_BEHIND,
    all_end,
    interrupted,
    leave_behind,
    own_children,
    own_descriptors,
    written_down,
)

AMPLE = ProcessLimits(300.0)
SHORT = ProcessLimits(0.3)


@pytest.fixture(autouse=True)
def _nothing_stays_here() -> Iterator[None]:
    children, descriptors = own_children(), own_descriptors()
    yield
    assert own_children() <= children
    assert own_descriptors() <= descriptors


def python(text: str, *arguments: object) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", text, *(str(each) for each in arguments)]


def test_what_a_program_prints_and_how_it_ends():
    text = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    ended = run_program(python(text), AMPLE, max_output_bytes=100)
    assert (ended.exit_code, ended.is_late, ended.leftover) == (3, False, ())
    assert [stream.head for stream in ended.captured] == [b"out\n", b"err\n"]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGPIPE, signal.SIGRTMIN])
def test_a_program_that_ends_itself_by_a_signal(number: int):
    text = (
        "import os, signal as s, sys; n = int(sys.argv[1]); n == 9 or s.signal(n, s.SIG_DFL); os.kill(os.getpid(), n)"
    )
    assert run_program(python(text, int(number)), AMPLE, max_output_bytes=9).exit_code == -number


STRIPPED = f"""
leave_behind = None
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        own, guard = os.getpid(), int(sys.argv[2])
        open(os.path.join(sys.argv[1], str(own)), "w").close()
        os.closerange(0, 100)
        os.chdir("/")
        os.execve({sys.executable!r}, ["x", "-I", "-S", "-c", "import time; time.sleep(600)"], {{}})
    os._exit(0)
os.wait()
os.kill(os.getppid(), 9)
time.sleep(600)
"""
ENDINGS = {
    "at its own end": "",
    "with a failure": "sys.exit(1)",
    "by a signal": "os.kill(os.getpid(), 9)",
    "after its guard, killed": "os.kill(os.getppid(), 9); time.sleep(600)",
    "after its guard, asked to end": "os.kill(os.getppid(), 15); time.sleep(600)",
    "after its guard's group": "os.killpg(os.getpgid(os.getppid()), 9); time.sleep(600)",
}
ENDED_AT_ITS_TIME = {
    "at its time": "time.sleep(600)",
    "stopped": "os.kill(os.getpid(), 19)",
    "deaf": "import signal; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]; time.sleep(600)",
    "with its guard stopped": "os.kill(os.getppid(), 19); time.sleep(600)",
}


@pytest.mark.parametrize("name", ENDINGS)
def test_a_program_takes_with_it_what_it_started(name: str, tmp_path: Path):
    program = python(f"{ONE_TO_LEAVE_BEHIND}\nleave_behind(sys.argv[1])\n{ENDINGS[name]}", tmp_path)
    ended = run_program(program, AMPLE, max_output_bytes=100)
    assert all_end(written_down(tmp_path))
    assert (ended.is_late, ended.leftover) == (False, ())


@pytest.mark.parametrize("name", ENDED_AT_ITS_TIME)
def test_a_program_that_is_ended_takes_with_it_what_it_started(name: str, tmp_path: Path):
    program = python(f"{ONE_TO_LEAVE_BEHIND}\nleave_behind(sys.argv[1])\n{ENDED_AT_ITS_TIME[name]}", tmp_path)
    _, ended = interrupted(
        lambda seconds: run_program(program, ProcessLimits(seconds), max_output_bytes=100),
        lambda _: bool(os.listdir(tmp_path)),
    )
    assert all_end(written_down(tmp_path))
    assert (ended.is_late, ended.leftover) == (True, ())


def test_one_that_takes_off_environment_descriptors_session_and_guard_is_found(tmp_path: Path):
    ended = run_program(python("import os, sys, time" + STRIPPED, tmp_path, 0), AMPLE, max_output_bytes=100)
    assert ended.exit_code is None
    assert all_end(written_down(tmp_path))


@pytest.mark.parametrize("leaves_its_group", [False, True], ids=["in one group", "each in its own"])
def test_a_chain_of_forks_is_caught_up_with(leaves_its_group: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Whoever is left of it holds the pipe open that the first one opened."""
    # How long the chase takes depends on what else runs; that it comes to an end does not.
    monkeypatch.setattr(guard, "ENDING_SECONDS", 300.0)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    hopping = (
        "import os, sys, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    held = os.open(sys.argv[1] + '/pipe', os.O_WRONLY)\n"
        "    open(sys.argv[1] + '/hop', 'w').close()\n"
        "    while os.fork() == 0:\n"
        f"        {'os.setsid()' if leaves_its_group else 'pass'}\n"
        "        time.sleep(0.0005)\n"
        "    os._exit(0)\n"
        "while not os.path.exists(sys.argv[1] + '/hop'):\n"
        "    time.sleep(0.001)\n"
    )
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        ended = run_program(python(hopping, tmp_path), AMPLE, max_output_bytes=100)
        assert (ended.exit_code, ended.leftover) == (0, ())
        assert os.read(reading, 1) == b""
    finally:
        os.close(reading)


NOT_STARTED = {
    "/nonexistent": errno.ENOENT,
    "nonexistent-program": errno.ENOENT,
    "/": errno.EACCES,
    __file__: errno.EACCES,
}


@pytest.mark.parametrize("name", NOT_STARTED)
def test_a_program_that_cannot_be_started(name: str):
    with pytest.raises(NotStartedError) as caught:
        run_program([name], AMPLE, max_output_bytes=9)
    assert caught.value.errno == NOT_STARTED[name]


def test_a_file_that_is_no_program(tmp_path: Path):
    file = tmp_path / "text"
    file.write_text("no program")
    file.chmod(0o755)
    with pytest.raises(NotStartedError):
        run_program([str(file)], AMPLE, max_output_bytes=9)


def test_a_folder_that_is_not_there(tmp_path: Path):
    with pytest.raises(NotStartedError):
        run_program(["true"], AMPLE, max_output_bytes=9, folder=str(tmp_path / "missing"))


@pytest.mark.parametrize("argument", ["a\0b", "\ud800"])
def test_an_argument_that_no_program_can_get(argument: str):
    with pytest.raises(ValueError):
        run_program(["echo", argument], AMPLE, max_output_bytes=9)


def test_a_program_is_given_three_streams_and_nothing_else():
    held = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(held, True)
    text = "import os; print(sorted(int(n) for n in os.listdir('/proc/self/fd')))"
    try:
        ended = run_program(python(text), AMPLE, max_output_bytes=100)
    finally:
        os.close(held)
    # The fourth one is that of the listing itself.
    assert ended.captured[0].head == b"[0, 1, 2, 3]\n"


def test_each_stream_is_kept_up_to_its_limit_and_counted():
    text = (
        "import os\nfor n in (1, 2):\n  left = n * 3_000_000\n  while left: left -= os.write(n, b'x' * min(left, 9999))"
    )
    ended = run_program(python(text), AMPLE, max_output_bytes=1000)
    assert [(len(stream.head), stream.total) for stream in ended.captured] == [(1000, 3_000_000), (1000, 6_000_000)]


def test_what_the_caller_has_not_yet_written_is_not_written_twice():
    text = (
        "import sys\nsys.path.insert(0, sys.argv[1])\n"
        "from probatum.workers.process import ProcessLimits, run_call, run_program\n"
        "sys.stdout.write('once')\n"
        "run_call(lambda: b'', ProcessLimits(30), max_answer_bytes=9)\n"
        "assert run_program(['true'], ProcessLimits(30), max_output_bytes=9).captured[0].head == b''\n"
    )
    source = Path(process.__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", text, str(source)], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("once", "")


def test_a_caller_without_standard_streams():
    text = (
        "import os, sys\nsys.path.insert(0, sys.argv[1])\n"
        "from probatum.workers.process import ProcessLimits, run_call, run_program\n"
        "os.close(0), os.close(1)\n"
        "assert run_call(lambda: b'yes', ProcessLimits(30), max_answer_bytes=9)[0] == b'yes'\n"
        "said = run_program(['echo', 'x'], ProcessLimits(30), max_output_bytes=9).captured\n"
        "assert [each.head for each in said] == [b'x\\n', b''], said\n"
    )
    source = Path(process.__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", text, str(source)], check=False).returncode == 0


def test_a_caller_that_is_killed_takes_everything_with_it(tmp_path: Path):
    text = (
        "import os, sys\nsys.path.insert(0, sys.argv[1])\n"
        "from probatum.workers.process import ProcessLimits, run_call\n"
        "def work():\n"
        "    open(os.path.join(sys.argv[2], str(os.getpid())), 'w').close()\n"
        "    open(os.path.join(sys.argv[2], str(os.getppid())), 'w').close()\n"
        "    os.kill(caller, 9)\n"
        "    import time; time.sleep(600)\n"
        "caller = os.getpid()\n"
        "run_call(work, ProcessLimits(600), max_answer_bytes=9)\n"
    )
    source = Path(process.__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", text, str(source), str(tmp_path)], check=False)
    assert done.returncode == -9
    assert all_end(written_down(tmp_path))


def test_an_answer_and_none():
    assert run_call(lambda: b"yes", AMPLE, max_answer_bytes=9)[0] == b"yes"
    assert run_call(lambda: b"", AMPLE, max_answer_bytes=9)[0] == b""
    assert run_call(lambda: b"x" * 10, AMPLE, max_answer_bytes=9)[0] is None
    given, ended = run_call(lambda: os._exit(0), AMPLE, max_answer_bytes=9)
    assert (given, ended.exit_code) == (None, 0)


def test_a_large_answer():
    assert run_call(lambda: b"x" * 3_000_000, AMPLE, max_answer_bytes=4_000_000)[0] == b"x" * 3_000_000


def test_many_threads_at_once():
    ready = threading.Barrier(6)

    def one(number: int) -> list[bytes | None]:
        ready.wait()
        return [run_call(lambda: b"%d" % number, AMPLE, max_answer_bytes=9)[0] for _ in range(5)]

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(one, range(6))) == [[b"%d" % number] * 5 for number in range(6)]


def test_a_worker_that_waits_for_a_lock_that_another_thread_holds():
    lock = threading.Lock()
    with lock:
        given, ended = run_call(lambda: b"%d" % lock.acquire(), SHORT, max_answer_bytes=9)
    assert given is None
    assert ended.is_late


def test_one_inside_another(tmp_path: Path):
    def outer() -> bytes:
        run_call(lambda: leave_behind(tmp_path) or b"", AMPLE, max_answer_bytes=9)
        inner = run_program(python("print('inner')"), AMPLE, max_output_bytes=9)
        os.kill(os.getppid(), 9)
        return inner.captured[0].head

    assert run_call(outer, AMPLE, max_answer_bytes=9)[0] is None
    assert all_end(written_down(tmp_path))
    assert (
        run_call(lambda: run_call(lambda: b"x", AMPLE, max_answer_bytes=9)[0] or b"", AMPLE, max_answer_bytes=9)[0]
        == b"x"
    )


def test_children_of_others_are_left_alone():
    other = subprocess.Popen(["sleep", "600"])
    gone = subprocess.Popen(["true"])
    try:
        run_call(lambda: os.kill(os.getppid(), 9) or b"", AMPLE, max_answer_bytes=9)
        assert other.poll() is None
        assert gone.wait() == 0
    finally:
        other.kill()
        other.wait()


def test_a_caller_that_does_not_wait_for_its_children():
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert run_call(lambda: b"yes", AMPLE, max_answer_bytes=9)[0] == b"yes"
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_an_interrupted_caller_leaves_nothing(tmp_path: Path):
    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    def work() -> bytes:
        leave_behind(tmp_path)
        os.kill(caller, signal.SIGUSR1)
        signal.pause()
        return b""

    caller = os.getpid()
    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            run_call(work, AMPLE, max_answer_bytes=9)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert all_end(written_down(tmp_path))


def test_nothing_comes_back_into_the_code_of_the_caller(tmp_path: Path):
    def fail(*_arguments: object) -> None:
        raise RuntimeError("planted")

    own = os.getpid()
    for module, place in [(process, "stand_guard"), (guard, "has_children")]:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(module, place, fail)
            with suppress(OSError):
                assert run_call(lambda: leave_behind(tmp_path) or b"", AMPLE, max_answer_bytes=9)[0] is None
        assert os.getpid() == own
    assert all_end(written_down(tmp_path))


@pytest.mark.parametrize(
    "line", [b"", b"[", b"1", b"[1, 2]", b"null", b"{}", b"[1, 2, 3, 4]", b"[0, false, false, [], 3]"]
)
def test_a_report_that_is_none(line: bytes):
    assert Report.read(line) is None


def test_a_limit_of_time_is_one():
    for seconds in (0, -1, float("inf"), float("nan")):
        with pytest.raises(ValueError):
            ProcessLimits(seconds)
    with pytest.raises(ValueError):
        ProcessLimits(1.0, max_processes=0)
