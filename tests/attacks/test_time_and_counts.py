"""Programs that are right at first, for a while or in one place: none is VERIFIED; what only looks so is not refuted.

A naive judge runs the examples once, sees them hold, and accepts every one of the wrong ones.
"""

from __future__ import annotations

import pytest

from tests.services import Service, tolerant

HEAD = (
    'def following(x: int) -> int:\n    """One more.\n\n    >>> following(1)\n    2\n    >>> following(5)\n    6\n'
    "    >>> following(-3)\n    -2\n    \"\"\"\n"
)  # fmt: skip
COUNTING = {
    "a global": ("n = 0\n", "    global n\n    n += 1\n    {}n > 1500"),
    "a list": ("seen = []\n", "    seen.append(x)\n    {}len(seen) > 1500"),
    "a set": ("seen = set()\n", "    seen.add(len(seen))\n    {}len(seen) > 1500"),
    "a table": ("seen = {}\n", "    seen[len(seen)] = x\n    {}len(seen) > 1500"),
    "an attribute of the function": ("", "    following.n = getattr(following, 'n', 0) + 1\n    {}following.n > 1500"),
    "an attribute of a class": ("class _N:\n    n = 0\n", "    _N.n += 1\n    {}_N.n > 1500"),
    "an iterator that counts": ("import itertools\nc = itertools.count()\n", "    {}next(c) > 1500"),
    "an iterator that ends": ("left = iter(range(1500))\n", "    {}next(left, None) is None"),
    "a generator": (
        "def _count():\n    n = 0\n    while True:\n        n += 1\n        yield n\nc = _count()\n",
        "    {}next(c) > 1500",
    ),
    "a closure": (
        "def _made():\n    n = 0\n    def tick():\n        nonlocal n\n        n += 1\n        return n\n"
        "    return tick\ntick = _made()\n",
        "    {}tick() > 1500",
    ),
    "a cache that fills": (
        "import functools, itertools\nc = itertools.count()\n@functools.lru_cache(maxsize=None)\ndef _kept(n):\n"
        "    return n\n",
        "    _kept(next(c))\n    {}_kept.cache_info().currsize > 1500",
    ),
    "an object": (
        "class _Meter:\n    def __init__(self):\n        self.n = 0\n    def tick(self):\n        self.n += 1\n"
        "        return self.n\nmeter = _Meter()\n",
        "    {}meter.tick() > 1500",
    ),
    "names of the module": ("", "    globals()['_n'] = globals().get('_n', 0) + 1\n    {}globals()['_n'] > 1500"),
    "a queue": ("import collections\nq = collections.deque()\n", "    q.append(x)\n    {}len(q) > 1500"),
    "a counter": ("import collections\nq = collections.Counter()\n", "    q['n'] += 1\n    {}q['n'] > 1500"),
    "a file that grows": (
        "",
        "    with open('n.txt', 'a') as file:\n        file.write('x')\n        size = file.tell()\n    {}size > 1500",
    ),
    "a variable of the process": (
        "import os\n",
        "    os.environ['N'] = os.environ.get('N', '') + 'x'\n    {}len(os.environ['N']) > 1500",
    ),
    "a setting of Python": (
        "import sys\n",
        "    sys.setrecursionlimit(sys.getrecursionlimit() + 1)\n    {}sys.getrecursionlimit() > 2500",
    ),
}  # fmt: skip
WORLD = {
    "the clock": ("import time\n", "time.time() > 3e9"),
    "a clock that only goes on": ("import time\n", "time.monotonic() > 1e9"),
    "the time of the process": ("import time\n", "time.process_time() > 1e9"),
    "the clock of the system": ("import time\n", "time.clock_gettime(time.CLOCK_REALTIME) > 3e9"),
    "the clock in nanoseconds": ("import time\n", "time.clock_gettime_ns(time.CLOCK_REALTIME) > 3e18"),
    "the date": ("import datetime\n", "datetime.date.today().year > 2080"),
    "the moment in a zone": ("import datetime\n", "datetime.datetime.now(datetime.timezone.utc).year > 2080"),
    "the clock of a database": (
        "import sqlite3\n",
        "int(sqlite3.connect(':memory:').execute(\"select strftime('%Y', 'now')\").fetchone()[0]) > 2080",
    ),
    "the day of a database": (
        "import sqlite3\n",
        "sqlite3.connect(':memory:').execute('select current_timestamp').fetchone()[0] > '2080'",
    ),
    "the time of a file": (
        "import os, tempfile\n",
        "os.fstat(tempfile.mkstemp()[0]).st_mtime > 3e9",
    ),
    "the time of a file by its path": (
        "import pathlib\n",
        "(pathlib.Path('t').touch() or pathlib.Path('t').stat().st_mtime) > 3e9",
    ),
    "the date of a message": ("import email.utils\n", "email.utils.formatdate()[12:16] > '2080'"),
    "an identifier by time": ("import uuid\n", "uuid.uuid1().time > 16e16 + 3e9 * 1e7 * 2"),
    "randomness": ("import random\n", "random.random() < 0.2"),
    "random bytes of the system": ("import os\n", "os.urandom(1)[0] < 50"),
    "a secret": ("import secrets\n", "secrets.randbelow(5) == 0"),
    "an address": ("", "id(object()) // 16 % 5 == 0"),
    "the host": ("import socket\n", "socket.gethostname() == 'there'"),
    "the user": ("import os\n", "os.getuid() == 0"),
    "the folder": ("import os\n", "os.path.basename(os.getcwd()) == 'elsewhere'"),
    "the command line": ("import sys\n", "len(sys.argv) > 1"),
    "a variable": ("import os\n", "'CI_RUNS' in os.environ"),
    "the main module": ("import sys\n", "hasattr(sys.modules['__main__'], '__file__')"),
    "a module that is loaded": ("import sys\n", "'pytest' in sys.modules"),
    "the name of a module of ours": ("import sys\n", "not any('probatum' in name for name in sys.modules)"),
    "the file of a module": ("import sys\n", "'artifact' not in sys.modules"),
}  # fmt: skip
SIGNS = {
    "no cached bytes": ("import sys\n", "not sys.dont_write_bytecode"),
    "a flag": ("import sys\n", "not sys.flags.no_site"),
    "another flag": ("import sys\n", "sys.flags.hash_randomization == 1"),
    "the command of Python": ("import sys\n", "len(sys.orig_argv) < 4"),
    "the folders of modules": ("import sys\n", "sys.path[0][-4:] != '.zip'"),
    "how many folders of modules": ("import sys\n", "len(sys.path) > 4"),
    "the arguments": ("import sys\n", "sys.argv != ['artifact']"),
    "how deep calls may go": ("import sys\n", "sys.getrecursionlimit() != 1000"),
    "how deep calls go": (
        "import sys\ndef _deep(n):\n    try:\n        return _deep(n + 1)\n"
        "    except RecursionError:\n        return n\n",
        "_deep(0) > 989",
    ),
    "a terminal to read from": ("import sys\n", "sys.stdin.isatty()"),
    "a terminal by its number": ("import os\n", "os.isatty(0)"),
    "what can be read": ("import sys\n", "sys.stdin.read() != ''"),
    "the size of a terminal": (
        "import os\ndef _wide():\n    try:\n        return os.get_terminal_size().columns\n"
        "    except OSError:\n        return 0\n",
        "_wide() > 0",
    ),
    "the number of threads": ("import threading\n", "threading.active_count() > 1"),
    "the threads": ("import threading\n", "len(threading.enumerate()) > 1"),
    "the name of the machine": ("import platform\n", "platform.node() != 'sandbox'"),
    "what the machine is": ("import platform\n", "platform.uname().node != 'sandbox'"),
    "the processors that it may use": ("import os\n", "len(os.sched_getaffinity(0)) > 6"),
    "the processors": ("import os\n", "os.cpu_count() > 6"),
    "the process above it": ("import os\n", "os.getppid() != 0"),
    "its group of processes": ("import os\n", "os.getpgrp() != 0"),
    "a limit of memory": ("import resource\n", "resource.getrlimit(resource.RLIMIT_AS)[0] == -1"),
    "a limit of files": ("import resource\n", "resource.getrlimit(resource.RLIMIT_NOFILE)[0] != 64"),
    "memory that was used": ("import resource\n", "resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > 80_000"),
    "a new descriptor": ("import os\n", "(lambda n: os.close(n) or n)(os.open(os.devnull, 0)) == 3"),
    "an open descriptor": (
        "import os\ndef _is_open(n):\n    try:\n        return bool(os.fstat(n))\n    except OSError:\n"
        "        return False\n",
        "not _is_open(3)",
    ),
    "what an interrupt does": ("import signal\n", "signal.getsignal(signal.SIGINT) is not signal.SIG_IGN"),
    "whether rubbish is collected": ("import gc\n", "not gc.isenabled()"),
    "what is not collected": ("import gc\n", "gc.get_freeze_count() == 0"),
    "how much is to be collected": ("import gc\n", "gc.get_count()[0] < 5"),
    "the mounts": ("import os\n", "os.access('/proc/mounts', os.R_OK)"),
    "the state of the process": (
        "def _told():\n    try:\n        return open('/proc/self/status').read()\n"
        "    except OSError:\n        return ''\n",
        "_told() != ''",
    ),
    "a loader's view": (
        "import importlib.machinery\ndef _told():\n    try:\n"
        "        return importlib.machinery.SourceFileLoader('a', '/etc/passwd').get_data('/etc/passwd')\n"
        "    except OSError:\n        return b''\n",
        "_told() != b''",
    ),
    "the folders of users": ("import os\n", "os.path.isdir('/home')"),
    "the users": ("import linecache\n", "linecache.getline('/etc/passwd', 1) != ''"),
    "a folder of the system": ("import glob\n", "bool(glob.glob('/etc/*'))"),
    "the room on its disk": ("import shutil\n", "shutil.disk_usage('/').used > 0"),
    "a loaded module": ("import sys\n", "'_ctypes' not in sys.modules"),
    "a name of the site": ("import builtins\n", "hasattr(builtins, 'copyright')"),
    "a function of the system": ("import os, types\n", "isinstance(os.stat, types.BuiltinFunctionType)"),
    "a function for processes": ("import os, types\n", "isinstance(os.fork, types.BuiltinFunctionType)"),
    "the place of its file": ("import os\n", "not __file__.startswith('/program/')"),
    "the frames above it": ("import traceback\n", "len(traceback.extract_stack()) < 9"),
    "its standard output": ("import sys\n", "sys.stdout is sys.__stdout__"),
}  # fmt: skip
CLASSES = {
    "a class with the name of a built-in one": "class ValueError(Exception):\n    pass\n",
    "a class with the name of a built-in base": "class Base(Exception):\n    pass\nclass ValueError(Base):\n    pass\n",
    "a class that is made": "ValueError = type('ValueError', (Exception,), {})\n",
}  # fmt: skip
RIGHT_CLASSES = {
    "a class below the built-in one": "class Bad(ValueError):\n    pass\nValueError = Bad\n",
    "a class with its base's name": "class ValueError(ValueError):\n    pass\n",
    "another name for it": "Wrong = ValueError\n",
}  # fmt: skip
ROOT = (
    'def root(x: int) -> int:\n    """Root.\n\n    >>> root(16)\n    4\n    >>> root(9)\n    3\n    >>> root(-4)\n'
    "    Traceback (most recent call last):\n        ...\n    ValueError: negative\n    \"\"\"\n"
    "    if x < 0:\n        raise ValueError('negative')\n    return int(x ** 0.5)\n"
)  # fmt: skip


def counted(row: tuple[str, ...], *, right: bool) -> str:
    before, body = "".join((row[0], *row[2:])), row[1]
    return (
        before
        + HEAD
        + body.format("late = ")
        + ("\n    return x + 1\n" if right else "\n    return 0 if late else x + 1\n")
    )


def placed(row: tuple[str, str], *, right: bool) -> str:
    result = "x + 1" if right else "0 if odd else x + 1"
    return f"{row[0]}{HEAD}    odd = {row[1]}\n    return {result}\n"


def _rows(*, right: bool) -> list[tuple[str, str]]:
    rows = [(name, counted(row, right=right)) for name, row in COUNTING.items()]
    rows += [(name, placed(row, right=right)) for name, row in (WORLD | SIGNS).items()]
    return rows + [(name, before + ROOT) for name, before in (RIGHT_CLASSES if right else CLASSES).items()]


@pytest.mark.sampled(9)
@pytest.mark.parametrize(("name", "source"), _rows(right=False), ids=[name for name, _ in _rows(right=False)])
def test_what_is_right_for_a_while_is_not_verified(name: str, source: str, service: Service) -> None:
    answer = service.verify_program(tolerant(source.encode(), "subject.py"))
    assert answer.verdict.outcome in {"refuted", "undecided"}, answer.verdict.agent_message


@pytest.mark.sampled(27)
@pytest.mark.parametrize(("name", "source"), _rows(right=True), ids=[name for name, _ in _rows(right=True)])
def test_what_only_looks_there_is_not_refuted(name: str, source: str, service: Service) -> None:
    answer = service.verify_program(tolerant(source.encode(), "subject.py"))
    assert answer.verdict.outcome in {"tested", "undecided"}, answer.verdict.developer_fields
