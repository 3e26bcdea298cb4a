"""Programs that cope with a world that the sandbox does not have: no right one is refuted, no wrong one VERIFIED.

Each right program gives its documented value in an ordinary process, which stands for the user's own machine; its wrong
sibling gives another one there as well. A naive judge would refute most of the right ones. It would also verify those
that are right only where something is missing, which are wrong at home.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.services import Level, ProgramRequest, Service, tolerant


class Case(NamedTuple):
    """What a program looks for: ``ask`` gives True at home, and may give False or fail in the sandbox."""

    name: str
    ask: str
    imports: str = ""


def _coping(statement: str, caught: str = "Exception") -> str:
    lines = "\n        ".join(statement.split("\n"))
    return f"    try:\n        {lines}\n        return True\n    except {caught}:\n        return False\n"


CASES = (
    Case("a file of the system", "    return os.path.exists('/etc/passwd')\n", "os"),
    Case("a file of the system by its path object", "    return pathlib.Path('/etc/passwd').is_file()\n", "pathlib"),
    Case("a folder of the system", "    return os.path.isdir('/etc')\n", "os"),
    Case("the folder of users", "    return os.path.isdir('/root') or os.path.isdir('/home')\n", "os"),
    Case("what may be read", "    return os.access('/etc/passwd', os.R_OK)\n", "os"),
    Case("a file that is opened", _coping("open('/etc/passwd').close()", "OSError")),
    Case("a file that is opened by the system", _coping("os.close(os.open('/etc/passwd', 0))", "OSError"), "os"),
    Case("a file read as a path", _coping("pathlib.Path('/etc/passwd').read_text()", "OSError"), "pathlib"),
    Case("a file with its error put aside", (
        "    found = []\n    with contextlib.suppress(OSError):\n        found.append(open('/etc/passwd').read())\n"
        "    return bool(found)\n"
    ), "contextlib"),
    Case("a file by a pattern", "    return bool(glob.glob('/etc/pass*'))\n", "glob"),
    Case("a walk through a folder", "    return any(files for _, _, files in os.walk('/etc'))\n", "os"),
    Case("the names in a folder", _coping("os.listdir('/etc')", "OSError"), "os"),
    Case("the entries of a folder", _coping("list(os.scandir('/etc'))", "OSError"), "os"),
    Case("the state of a file", _coping("os.stat('/etc/passwd')", "FileNotFoundError"), "os"),
    Case("a link", _coping("os.lstat('/etc/passwd')", "OSError"), "os"),
    Case("settings beside the program", (
        "    config = configparser.ConfigParser()\n    return bool(config.read('settings.ini'))\n"
    ), "configparser"),
    Case("a data file beside the program", _coping("json.load(open('data.json'))", "FileNotFoundError"), "json"),
    Case("a database beside the program", (
        "    if not os.path.exists('data.db'):\n        return False\n    return True\n"
    ), "os"),
    Case("an optional module", _coping("import companion", "ImportError")),
    Case(
        "an optional module by name",
        "    return importlib.util.find_spec('companion') is not None\n",
        "importlib.util",
    ),
    Case(
        "an optional module imported by name",
        _coping("importlib.import_module('companion')", "ImportError"),
        "importlib",
    ),
    Case("the user by number", _coping("pwd.getpwuid(os.getuid())", "KeyError"), "os, pwd"),
    Case("the user by name", _coping("pwd.getpwnam('root')", "KeyError"), "pwd"),
    Case("the group", _coping("grp.getgrgid(0)", "KeyError"), "grp"),
    Case("a port of this machine", _coping("socket.create_server(('127.0.0.1', 0)).close()", "OSError"), "socket"),
    Case("a socket", _coping("socket.socket().close()", "OSError"), "socket"),
    Case("a datagram", _coping("socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close()", "OSError"), "socket"),
    Case("a socket of the system", _coping("socket.socket(socket.AF_UNIX).close()", "OSError"), "socket"),
    Case("the name of this machine", _coping("socket.gethostbyname('localhost')", "OSError"), "socket"),
    Case("a command", _coping("subprocess.run(['true'], check=True)"), "subprocess"),
    Case("a command through the shell", "    return os.system('true') == 0\n", "os"),
    Case(
        "a process of its own",
        _coping("pid = os.fork()\nif not pid:\n    os._exit(0)\nos.waitpid(pid, 0)", "OSError"),
        "os",
    ),
    Case("a lock between processes", _coping("multiprocessing.Lock()", "OSError"), "multiprocessing"),
    Case("many threads", (
        "    free = threading.Event()\n"
        "    threads = [threading.Thread(target=free.wait, daemon=True) for _ in range(90)]\n"
        "    try:\n        for one in threads:\n            one.start()\n        return True\n"
        "    except RuntimeError:\n        return False\n    finally:\n        free.set()\n"
    ), "threading"),
    Case("the mode of a file of its own", (
        "    with tempfile.TemporaryDirectory() as folder:\n        path = os.path.join(folder, 'a')\n"
        "        open(path, 'w').close()\n        try:\n            os.chmod(path, 0o600)\n            return True\n"
        "        except OSError:\n            return False\n"
    ), "os, tempfile"),
    Case("the times of a file of its own", (
        "    with tempfile.NamedTemporaryFile() as file:\n        try:\n            os.utime(file.name, (1, 1))\n"
        "            return os.stat(file.name).st_mtime == 1\n        except OSError:\n            return False\n"
    ), "os, tempfile"),
    Case("a link of its own", (
        "    with tempfile.TemporaryDirectory() as folder:\n        try:\n"
        "            os.symlink('a', os.path.join(folder, 'b'))\n            return True\n"
        "        except OSError:\n            return False\n"
    ), "os, tempfile"),
    Case("a file in memory", _coping("os.close(os.memfd_create('a'))", "OSError"), "os"),
    Case("a signal to itself", _coping("os.kill(os.getpid(), 0)", "OSError"), "os"),
    Case("a signal that is raised", (
        "    seen = []\n    old = signal.signal(signal.SIGUSR1, lambda *_: seen.append(1))\n    try:\n"
        "        signal.raise_signal(signal.SIGUSR1)\n    except OSError:\n        pass\n    finally:\n"
        "        signal.signal(signal.SIGUSR1, old)\n    return bool(seen)\n"
    ), "signal"),
    Case("its own text", _coping("inspect.getsource(asked)", "OSError"), "inspect"),
    Case("its own file", "    return os.path.exists(__file__)\n", "os"),
    Case("its own file as a path", "    return bool(pathlib.Path(__file__).read_text())\n", "pathlib"),
    Case("its own lines", "    return bool(linecache.getlines(__file__))\n", "linecache"),
    Case("its own loader", "    return 'def asked' in __loader__.get_source(__name__)\n"),
    Case("its own folder", "    return os.path.isdir(os.path.dirname(os.path.abspath(__file__)))\n", "os"),
    Case("how busy the machine is", _coping("open('/proc/loadavg').read()", "OSError")),
    Case("how long the machine runs", _coping("open('/proc/uptime').read()", "OSError")),
    Case("more memory", _coping("bytearray(700 * 1024 * 1024)", "MemoryError")),
    Case("a mapping of memory", _coping("mmap.mmap(-1, 700 * 1024 * 1024).close()"), "mmap"),
    Case("a folder at the top", _coping("os.stat('/etc/hosts')\nos.stat('/var')", "OSError"), "os"),
    Case("random bytes", _coping("open('/dev/urandom', 'rb').read(4)", "OSError")),
    Case("a lock of a file of its own", (
        "    with tempfile.TemporaryFile() as file:\n        try:\n            fcntl.flock(file, fcntl.LOCK_EX)\n"
        "            return True\n        except OSError:\n            return False\n"
    ), "fcntl, tempfile"),
    Case("a database of its own", (
        "    with tempfile.TemporaryDirectory() as folder:\n        link = sqlite3.connect(folder + '/a.db')\n"
        "        link.execute('create table t (n)')\n        link.commit()\n        link.close()\n"
        "        return os.path.exists(folder + '/a.db')\n"
    ), "os, sqlite3, tempfile"),
    Case("a time zone", _coping("zoneinfo.ZoneInfo('UTC')", "Exception"), "zoneinfo"),
    Case("more memory, whatever is raised", _coping("bytearray(700 * 1024 * 1024)")),
    Case("a socket of the other module", _coping("fileno = 3\n_socket.socket().close()"), "_socket"),
    Case("a process of the other module", (
        _coping("pid = posix.fork()\nif not pid:\n    posix._exit(0)\nposix.waitpid(pid, 0)", "OSError")
    ), "posix"),
    Case("a socket after many files", (
        "    for number in range(20):\n        os.path.exists(f'/nowhere/{number}')\n"
        + _coping("socket.socket().close()", "OSError")
    ), "os, socket"),
    Case("a command in a thread", (
        "    done = []\n    def work():\n        done.append(subprocess.run(['true']).returncode)\n"
        "    threading.excepthook = lambda told: None\n"
        "    one = threading.Thread(target=work)\n    one.start()\n    one.join()\n    return bool(done)\n"
    ), "subprocess, threading"),
    Case("a priority", _coping("os.getpriority(os.PRIO_PROCESS, 0)", "OSError"), "os"),
    Case("a limit that is raised", (
        "    had = resource.getrlimit(resource.RLIMIT_NOFILE)\n    try:\n"
        "        resource.setrlimit(resource.RLIMIT_NOFILE, (200, had[1]))\n"
        "        resource.setrlimit(resource.RLIMIT_NOFILE, had)\n        return True\n"
        "    except (OSError, ValueError):\n        return False\n"
    ), "resource"),
    Case("what a system is called", _coping("platform.freedesktop_os_release()", "OSError"), "platform"),
    Case("at its import", "    return FOUND\n", "os"),
)  # fmt: skip
AT_IMPORT = {"at its import": "FOUND = os.path.exists('/etc/passwd')\n"}
BESIDE = {"settings.ini": "[a]\nb = 1\n", "data.json": "[]", "data.db": "", "companion.py": ""}
# What may be missing on the user's own machine as well: nobody can say that a program which misses it is wrong.
MAY_BE_MISSING = (
    "settings beside the program", "a data file beside the program", "a database beside the program",
    "an optional module", "an optional module by name", "an optional module imported by name",
)  # fmt: skip
# Looking for these changes nothing: who gives the same with them and without stays VERIFIED.
HARMLESS = (
    *MAY_BE_MISSING, "a file of the system", "a file of the system by its path object", "a folder of the system",
    "the folder of users", "what may be read", "a file that is opened", "a file read as a path", "a file by a pattern",
    "a walk through a folder", "the names in a folder", "the state of a file", "its own text", "its own file",
    "its own lines", "its own folder", "how busy the machine is", "a folder at the top", "random bytes", "a time zone",
    "a database of its own", "a lock of a file of its own", "at its import",
)  # fmt: skip
IF_FOUND, IF_MISSING, IN_ANY_CASE = (
    "2 if asked() else 0",
    "0 if asked() else 2",
    "2 if asked() in (True, False) else 0",
)


def program(case: Case, *, right: bool = True, more: str = IF_FOUND) -> str:
    imports = f"import {case.imports}\n" if case.imports else ""
    nothing = 0 if right else 1
    return (
        f"{imports}{AT_IMPORT.get(case.name, '')}\n\ndef asked() -> bool:\n{case.ask}\n\n"
        "def price(count: int) -> int:\n"
        '    """Price of so many, with what is found here.\n\n'
        '    >>> price(1)\n    12\n    >>> price(4)\n    42\n    >>> price(0)\n    0\n    """\n'
        f"    if not count:\n        return {nothing}\n    return count * 10 + ({more})\n"
    )


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_control_holds_at_home(case: Case, tmp_path: Path) -> None:
    for name, text in BESIDE.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "subject.py").write_text(program(case, right=True))
    command = [sys.executable, "-m", "doctest", "subject.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.sampled(8)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_right_program_is_not_refuted(case: Case, service: Service) -> None:
    answer = service.verify_program(tolerant(program(case, right=True).encode(), "subject.py", function="price"))
    assert answer.verdict.outcome in {"tested", "undecided"}, answer.verdict.developer_fields


@pytest.mark.sampled(8)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_its_wrong_sibling_is_not_verified(case: Case, service: Service) -> None:
    answer = service.verify_program(tolerant(program(case, right=False).encode(), "subject.py", function="price"))
    assert answer.verdict.outcome in {"refuted", "undecided"}, answer.verdict.agent_message


@pytest.mark.sampled(24)
@pytest.mark.parametrize(
    "case", [each for each in CASES if each.name not in MAY_BE_MISSING], ids=lambda case: case.name
)
def test_what_is_right_only_where_it_is_missing_is_not_verified(case: Case, service: Service) -> None:
    source = program(case, more=IF_MISSING).encode()
    answer = service.verify_program(tolerant(source, "subject.py", function="price"))
    assert answer.verdict.outcome in {"refuted", "undecided"}, answer.verdict.agent_message
    request = tolerant(source, "subject.py", function="price", tests=GIVEN.encode())
    assert service.verify_program(request).verdict.outcome in {"refuted", "undecided"}


@pytest.mark.sampled(8)
@pytest.mark.parametrize("case", [each for each in CASES if each.name in HARMLESS], ids=lambda case: case.name)
def test_who_looks_and_does_the_same_in_any_case_is_verified(case: Case, service: Service) -> None:
    source = program(case, more=IN_ANY_CASE).encode()
    answer = service.verify_program(tolerant(source, "subject.py", function="price"))
    assert answer.verdict.outcome == "tested", answer.verdict.developer_fields


GIVEN = """import artifact


def test_nothing():
    assert artifact.price(0) == 0


def test_prices():
    assert [artifact.price(count) for count in (1, 4)] == [12, 42]
"""


def _under_tests(case: Case, service: Service, *, right: bool) -> str:
    source = program(case, right=right).encode()
    request = ProgramRequest(source, "subject.py", function="price", tests=GIVEN.encode(), level=Level.QUICK)
    return str(service.verify_program(request).verdict.outcome)


@pytest.mark.sampled(30)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_right_program_is_not_refuted_by_a_test_of_what_is_missing(case: Case, service: Service) -> None:
    assert _under_tests(case, service, right=True) in {"tested", "undecided"}


@pytest.mark.sampled(30)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_its_wrong_sibling_is_not_verified_under_tests(case: Case, service: Service) -> None:
    assert _under_tests(case, service, right=False) in {"refuted", "undecided"}
