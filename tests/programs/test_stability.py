"""Programs whose results depend on more than their input: undecided, with the cause named; all others left alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from probatum.core.limits import JobLimits
from probatum.programs.running import stability
from probatum.programs.running.checks import Action, Asks, Statements
from probatum.programs.running.execute import outcome_key, run_actions
from probatum.programs.running.worlds import World, in_world, reads_of
from probatum.sandbox import Lost, LostReason, Program, Reply, Returned, Sandbox
from probatum.sandbox.inside.elsewhere import Variables
from tests.programs.parsing import source_of
from tests.services import Service, tolerant

NEXT = (
    'def following(x: int) -> int:\n    """One more.\n\n    >>> following(1)\n    2\n    >>> following(5)\n    6\n'
    '    """\n'
)

CLOCK = {
    "an example that is older than today": (
        'import datetime\ndef age(year: int) -> int:\n    """Age.\n\n    >>> age(1990)\n    12\n    """\n'
        "    return datetime.datetime.now().year - year\n"
    ),
    "a class of dates imported by name": (
        'from datetime import date as day\ndef is_past(year: int) -> bool:\n    """Past.\n\n    >>> is_past(1900)\n'
        '    True\n    >>> is_past(9000)\n    False\n    """\n    return day.today() > day(year, 1, 1)\n'
    ),
    "a change to come": (
        f"import time\n{NEXT}    if time.time() > 3_000_000_000:\n        return 0\n    return x + 1\n"
    ),
    "a date of the past": (
        f"from time import localtime\n{NEXT}    if localtime().tm_year < 2010:\n        return 0\n    return x + 1\n"
    ),
    "the time that a call takes": (
        f"import time\n{NEXT}    start = time.perf_counter()\n    spent = time.perf_counter() - start\n"
        "    return x + 1 if spent < 0.2 else -1\n"
    ),
    "a clock in a subclass": (
        "from datetime import datetime\nclass Moment(datetime):\n    pass\n"
        f"{NEXT}    return x + 1 if Moment.now().year > 2010 else 0\n"
    ),
}
RANDOMNESS = {
    "a draw": f"import random\n{NEXT}    return x + 1 if random.random() < 0.6 else 0\n",
    "a generator without a seed": f"from random import Random\n{NEXT}    return x + Random().randrange(10**9)\n",
    "a draw from the system": f"import secrets\n{NEXT}    return x + 1 if secrets.randbelow(3) else 0\n",
    "bytes from the system": f"import os\n{NEXT}    return x + 1 if os.urandom(1)[0] % 2 else 0\n",
    "an identifier": (
        'import uuid\ndef named(text: str) -> str:\n    """Name.\n\n    >>> named("a")[:2]\n    \'a-\'\n    """\n'
        '    return f"{text}-{uuid.uuid4()}"\n'
    ),
}
ADDRESSES = {
    "an identity": f"{NEXT}    return x + 1 if id(object()) // 16 % 4 else 0\n",
    "a hash of an object": f"class _Key:\n    pass\nkey = _Key()\n{NEXT}    return x + 1 if hash(key) % 4 else 0\n",
    "a failure by an identity": f"{NEXT}    return x + 1 + id([]) // 16 % 4\n",
    "the order of a set of objects": (
        "class _Kept:\n    def __init__(self, n):\n        self.n = n\n"
        'def kept(xs: list[int]) -> list[int]:\n    """Kept.\n\n    >>> kept([1])\n    [1]\n    >>> kept([2])\n'
        '    [2]\n    """\n    return [each.n for each in {_Kept(x) for x in xs}]\n'
    ),
}
HASH_SEED = {
    "the order of a set": (
        'def unique(xs: list[str]) -> list[str]:\n    """Unique.\n\n    >>> unique(["a"])\n    ["a"]\n    """\n'
        "    return list(set(xs))\n"
    ),
    "the order of a set that it is declared to be given": (
        'def listed(xs: set[str]) -> list[str]:\n    """Listed.\n\n    >>> listed({"a"})\n    ["a"]\n    """\n'
        "    return list(xs)\n"
    ),
    "a hash of a text": (
        'def bucket(text: str) -> int:\n    """Bucket.\n\n    >>> bucket("")\n    0\n    """\n'
        "    return hash(text) % 16\n"
    ),
}
EARLIER_CALLS = {
    "a default that is changed": (
        'def added(x: int, to: list = []) -> list:\n    """Added.\n\n    >>> added(1)\n    [1]\n    """\n'
        "    to.append(x)\n    return to\n"
    ),
    "a counter without parameters": (
        'count = 0\ndef tick() -> int:\n    """Tick.\n\n    >>> tick()\n    1\n    """\n'
        "    global count\n    count += 1\n    return count\n"
    ),
    "an iterator that is used up": f"ones = iter([1] * 40)\n{NEXT}    return x + next(ones, 0)\n",
    "an attribute of a class": (
        f"class _Sum:\n    total = 0\n{NEXT}    _Sum.total += x\n    return x + 1 if _Sum.total < 100 else 0\n"
    ),
    "a cache that forgets": (
        "from functools import lru_cache\ncalls = []\n@lru_cache(maxsize=2)\ndef _counted(x):\n    calls.append(x)\n"
        f"    return len(calls)\n{NEXT}    return x + (1 if _counted(x) < 12 else 0)\n"
    ),
    "names that a call adds to the module": (
        f"{NEXT}    globals()[f'k{{x}}'] = 1\n"
        "    return x + 1 if sum(name[0] == 'k' for name in globals()) < 9 else 0\n"
    ),
    "a file that is left behind": (
        f"import os\n{NEXT}    with open('kept.txt', 'a') as file:\n        file.write('x')\n"
        "    return x + 1 if os.path.getsize('kept.txt') < 30 else 0\n"
    ),
    "a mode that a call switches on": (
        f"on = False\n{NEXT}    global on\n    if x > 8:\n        on = True\n    return 0 if on and x < 5 else x + 1\n"
    ),
}
FILES = (
    "import os, tempfile\n"
    'def listed(names: list[str]) -> list[str]:\n    """Listed.\n\n    >>> listed(["b", "a", "c"])\n'
    "    ['a', 'b', 'c']\n    \"\"\"\n    with tempfile.TemporaryDirectory() as folder:\n"
    "        for name in names:\n            with open(os.path.join(folder, os.path.basename(name) or '_'), 'w'):\n"
    "                pass\n        return {}\n"
)
ENVIRONMENT = {
    "a variable": f"import os\n{NEXT}    return x + int(os.environ.get('STEP', '1'))\n",
    "a variable by a name that is made": (
        f"from os import getenv as get\n{NEXT}    return x + len(get('ST' + 'EP') or '1')\n"
    ),
    "a variable that has one of two values": (
        f"import os\n{NEXT}    return x + 2 if os.getenv('MODE', 'strict') == 'lenient' else x + 1\n"
    ),
    "what any variable has": f"import os\n{NEXT}    return x + 1 + ('37' in os.environ.values())\n",
    "all variables": f"import os\n{NEXT}    return x + 1 if 'DEBUG' not in dict(os.environ) else x\n",
    "a variable read while the file is imported": (
        f"import os\nSTEP = len(os.environ.get('STEP', '1'))\n{NEXT}    return x + STEP\n"
    ),
    "a variable that has to be there": f"import os\n{NEXT}    return x + int(os.environ['STEP'])\n",
    "a variable with a value of a list": (
        f"import os\nTRUE = ('1', 'true', 'yes')\n{NEXT}    return x + 1 + (os.environ.get('DEBUG', '') in TRUE)\n"
    ),
    "a variable with a value of a table": (
        "import os\nLIMITS = {'safe': 0, 'fast': 1}\n"
        f"{NEXT}    return x + 1 + LIMITS.get(os.getenv('MODE', 'safe'), 0)\n"
    ),
    "a variable with a beginning": (
        f"import os\n{NEXT}    return x + 1 + os.environ.get('MODE', '').startswith('fast')\n"
    ),
    "a variable by way of another module": (
        f"import shutil\n{NEXT}    return x + 1 + (shutil.os.environ.get('MODE') == 'fast')\n"
    ),
    "variables as bytes": f"import posix\n{NEXT}    return x + len(posix.environ.get(b'STEP', b'1'))\n",
    "the width of a terminal": (
        'import shutil\ndef rule() -> str:\n    """Rule.\n\n    >>> len(rule())\n    80\n    """\n'
        "    return '-' * shutil.get_terminal_size().columns\n"
    ),
    "the home folder": (
        'from pathlib import Path\ndef place(name: str) -> str:\n    """Place.\n\n    >>> place("a")[-2:]\n'
        '    \'/a\'\n    """\n    return str(Path.home() / name)\n'
    ),
    "the working folder": (
        'import os\ndef place(name: str) -> str:\n    """Place.\n\n    >>> place("a")[-2:]\n    \'/a\'\n    """\n'
        "    return os.path.abspath(name)\n"
    ),
    "the process": f"import os\n{NEXT}    return x + 1 if os.getpid() != 1201 else 0\n",
    "the host": f"import platform\n{NEXT}    return x + 1 if platform.node() == 'here' else 0\n",
    "the command line": f"import sys\n{NEXT}    return x + len(sys.argv)\n",
    "the processors": f"import os\n{NEXT}    return x + 1 if os.cpu_count() < 5 else 0\n",
    "the time zone": (
        'from datetime import datetime\ndef hour(seconds: int) -> int:\n    """Hour.\n\n    >>> hour(0)\n    0\n'
        '    >>> hour(7200)\n    2\n    """\n    return datetime.fromtimestamp(seconds).hour\n'
    ),
    "the locale": (
        'import locale\ndef shown(x: float) -> str:\n    """Shown.\n\n    >>> shown(1.5)\n    \'1.50\'\n    """\n'
        "    locale.setlocale(locale.LC_ALL, '')\n    return locale.format_string('%.2f', x)\n"
    ),
    "the order of a folder": FILES.format("os.listdir(folder)"),
    "the order of a folder that is scanned": FILES.format("[entry.name for entry in os.scandir(folder)]"),
}
STEADY = {
    "the order of a set that it may be given": (
        'def doubled(items):\n    """Doubled.\n\n    >>> doubled(["a", "b"])\n    [\'aa\', \'bb\']\n'
        '    >>> doubled({"a"})\n    [\'aa\']\n    """\n    return [2 * each for each in items]\n'
    ),
    "a seed of its own": f"import random\n{NEXT}    return x + random.Random(4).randrange(1, 2)\n",
    "a seed for everybody": f"import random\n{NEXT}    random.seed(4)\n    return x + 1 + int(random.random())\n",
    "results that are kept": (
        f"kept = {{}}\n{NEXT}    if x not in kept:\n        kept[x] = x + 1\n    return kept[x]\n"
    ),
    "dates that are given": (
        'from datetime import date, datetime, timedelta\ndef next_day(text: str) -> date:\n    """Next.\n\n'
        '    >>> next_day("2020-01-01")\n    datetime.date(2020, 1, 2)\n    >>> next_day("2020-12-31")\n'
        '    datetime.date(2021, 1, 1)\n    """\n'
        '    return datetime.strptime(text, "%Y-%m-%d").date() + timedelta(days=1)\n'
    ),
    "a clock that changes nothing": (
        f"import time\n{NEXT}    began = time.monotonic()\n    if time.monotonic() < began:\n        return 0\n"
        "    return x + 1\n"
    ),
    "an import that changes nothing": f"import os\nimport sys\n{NEXT}    return x + 1\n",
    "a variable that the program sets": (
        f"import os\n{NEXT}    os.environ['STEP'] = '1'\n    return x + int(os.environ['STEP'])\n"
    ),
    "a variable that the program takes away": (
        f"import os\n{NEXT}    os.environ.pop('STEP', None)\n    return x + int(os.environ.get('STEP', '1'))\n"
    ),
    "a variable that changes what is told, not what is returned": (
        f"import os, sys\n{NEXT}    if os.environ.get('DEBUG'):\n        print('debug', file=sys.stderr)\n"
        "    return x + 1\n"
    ),
    "files of its own, in order": FILES.format("sorted(os.listdir(folder))"),
    "files in the working folder": (
        f"import os\n{NEXT}    with open('kept.txt', 'w') as file:\n        file.write(str(x + 1))\n"
        "    with open(os.path.abspath('kept.txt')) as file:\n        return int(file.read())\n"
    ),
    "parts of paths": (
        'from pathlib import Path\ndef ending(name: str) -> str:\n    """Ending.\n\n    >>> ending("a.txt")\n'
        '    \'.txt\'\n    """\n    return Path(name).suffix\n'
    ),
    "a moment in a known zone": (
        'from datetime import datetime, timezone\ndef hour(seconds: int) -> int:\n    """Hour.\n\n    >>> hour(0)\n'
        '    0\n    """\n    return datetime.fromtimestamp(seconds, timezone.utc).hour\n'
    ),
    "now and its moment agree everywhere": (
        f"import time\nfrom datetime import datetime\n{NEXT}"
        "    return x + 1 if abs(datetime.now().timestamp() - time.time()) < 60 else 0\n"
    ),
    "a locale of its own": (
        'import locale\ndef shown(x: float) -> str:\n    """Shown.\n\n    >>> shown(1.5)\n    \'1.50\'\n    """\n'
        "    locale.setlocale(locale.LC_ALL, 'C')\n    return locale.format_string('%.2f', x)\n"
    ),
    "identities that are compared": f"{NEXT}    kept = [x]\n    return x + 1 if id(kept) == id(kept) else 0\n",
    "objects found by their hash": (
        f"class _Key:\n    pass\nkey = _Key()\n{NEXT}    return {{key: x + 1}}[key] if hash(key) == hash(key) else 0\n"
    ),
    "warnings that are collected": (
        f"import warnings\n{NEXT}    with warnings.catch_warnings(record=True) as seen:\n"
        "        warnings.simplefilter('always')\n        warnings.warn('x')\n    return x + len(seen)\n"
    ),
    "objects that are gone": (
        f"import gc, weakref\nclass _A:\n    pass\n{NEXT}    kept = weakref.ref(_A())\n    gc.collect()\n"
        "    return x + (kept() is None)\n"
    ),
    "threads that are waited for": (
        f"import threading\n{NEXT}    found = []\n    one = threading.Thread(target=lambda: found.append(x + 1))\n"
        "    one.start()\n    one.join()\n    return found[0]\n"
    ),
    "a path beside a set": (
        'import os\n\ndef unique(xs: list[str]) -> list[str]:\n    """Unique.\n\n    >>> unique(["b", "a", "b"])\n'
        "    ['a', 'b']\n    \"\"\"\n    return sorted(set(xs)) if os.path.isdir(os.getcwd()) else []\n"
    ),
    "a terminal beside an identity": (
        f"import shutil\n{NEXT}    known = {{id(x): 1}}\n    shutil.get_terminal_size()\n    return x + known[id(x)]\n"
    ),
    "the whole environment, kept and copied": (
        f"import os\nKEPT = {{name: value for name, value in os.environ.items()}}\nCOPY = os.environ.copy()\n"
        f"SIZES = {{'MB': 1}}\n{NEXT}    alike = KEPT == COPY == dict(os.environ) and len(COPY) == len(os.environ)\n"
        "    known = all(name in os.environ and os.getenv(name) == each for name, each in COPY.items())\n"
        "    return x + SIZES['MB'] if alike and known else 0\n"
    ),
    "SQL for the clock in another function": (
        f"import sqlite3\n{NEXT}    return x + 1\ndef stamp():\n"
        "    return sqlite3.connect(':memory:').execute(\"select datetime('now')\").fetchone()\n"
    ),
    "SQL that computes with dates": (
        f"import sqlite3\n{NEXT}    text = \"select cast(strftime('%d', date('2024-01-01', ?)) as int)\"\n"
        "    days = f'{x % 9} days'\n"
        "    day = sqlite3.connect(':memory:').execute(text, (days,)).fetchone()[0]\n    return x + 2 - day + x % 9\n"
    ),
    "a sorted set": (
        'def unique(xs: list[str]) -> list[str]:\n    """Unique.\n\n    >>> unique(["b", "a", "b"])\n'
        "    ['a', 'b']\n    \"\"\"\n    return sorted(set(xs))\n"
    ),
}
CIRCUMSTANCES = {
    "another thread": (
        f"import threading\n{NEXT}    return x + (threading.current_thread() is threading.main_thread())\n"
    ),
    "the kind of an error in another thread": (
        f"import threading\n{NEXT[:-8]}    >>> following(-1)\n    Traceback (most recent call last):\n"
        '    ValueError: -1\n    """\n'
        "    if x < 0 and threading.current_thread() is threading.main_thread():\n"
        "        raise ValueError(x)\n    if x < 0:\n        raise KeyError(x)\n    return x + 1\n"
    ),
    "an event loop": (
        f"import asyncio\n{NEXT}    try:\n        asyncio.get_running_loop()\n    except RuntimeError:\n"
        "        return x + 1\n    return 0\n"
    ),
    "variables of a context": (
        f"import contextvars\n{NEXT}    return 0 if list(contextvars.copy_context()) else x + 1\n"
    ),
    "an error that is handled": f"import sys\n{NEXT}    return x + 1 if sys.exc_info()[0] is None else 0\n",
    "a handler of all logging": f"import logging\n{NEXT}    return 0 if logging.getLogger().handlers else x + 1\n",
    "a level of all logging": (
        f"import logging\n{NEXT}    return 0 if logging.getLogger('a').isEnabledFor(10) else x + 1\n"
    ),
    "a script": f"{NEXT}    return 0 if __name__ == '__main__' else x + 1\n",
    "the precision of decimal numbers": (
        f"from decimal import getcontext\n{NEXT}    return x + 1 if getcontext().prec == 28 else 0\n"
    ),
    "the mask of new files": f"import os\n{NEXT}    return x + 1 if os.umask(0o22) == 0o22 else 0\n",
    "what the collector has done": (
        f"import gc\n{NEXT}    return x + 1 if gc.get_stats()[2]['collections'] < 100 else 0\n"
    ),
}
_IN_ANY_CIRCUMSTANCES = {
    "a loop of its own": (
        f"import asyncio\nasync def _next(x):\n    return x + 1\n{NEXT}    return asyncio.run(_next(x))\n"
    ),
    "a loop of its own, and errors": (
        f"import asyncio\nasync def _next(x):\n    return [1, 2, 3][x]\n{NEXT}    return asyncio.run(_next(x))\n"
    ),
    "a loop of its own, or the one that is there": (
        f"import asyncio, concurrent.futures\nasync def _next(x):\n    return x + 1\n{NEXT}    try:\n"
        "        asyncio.get_running_loop()\n    except RuntimeError:\n        return asyncio.run(_next(x))\n"
        "    with concurrent.futures.ThreadPoolExecutor(1) as threads:\n"
        "        return threads.submit(asyncio.run, _next(x)).result()\n"
    ),
    "a coroutine": (
        'import asyncio\nasync def following(x: int) -> int:\n    """One more.\n\n    >>> await following(1)\n    2\n'
        '    """\n    await asyncio.sleep(0)\n    return x + 1\n'
    ),
    "a value of the thread that loads it": (
        f"import threading\nkept = threading.local()\nkept.step = 1\n{NEXT}    return x + kept.step\n"
    ),
    "a database of the thread that loads it": (
        f"import sqlite3\nkept = sqlite3.connect(':memory:')\n"
        f"{NEXT}    return x + kept.execute('select 1').fetchone()[0]\n"
    ),
    "a signal": (f"import signal\n{NEXT}    signal.signal(signal.SIGALRM, signal.SIG_IGN)\n    return x + 1\n"),
    "logging of its own": (
        f"import logging, sys\nlog = logging.getLogger(__name__)\nlog.addHandler(logging.StreamHandler(sys.stdout))\n"
        f"{NEXT}    log.info('x')\n    return x + 1\n"
    ),
    "logging": f"import logging\nlog = logging.getLogger(__name__)\n{NEXT}    log.debug('x')\n    return x + 1\n",
    "a division of decimal numbers": (
        'from decimal import Decimal\ndef third(text: str) -> Decimal:\n    """Third.\n\n    >>> third("1")\n'
        '    Decimal(\'0.3333333333333333333333333333\')\n    """\n    return Decimal(text) / 3\n'
    ),
    "money that is rounded and kept": (
        "from decimal import Decimal\nclass Account:\n"
        '    """Account.\n\n    >>> a = Account()\n    >>> a.add("1.005")\n    Decimal(\'1.00\')\n'
        '    >>> a.add("1.015")\n    Decimal(\'2.02\')\n    >>> a.count\n    2\n    """\n'
        "    def __init__(self):\n        self.total, self.count = Decimal(0), 0\n"
        "    def add(self, text: str) -> Decimal:\n        self.count += 1\n"
        "        self.total += Decimal(text).quantize(Decimal('0.01'))\n        return self.total\n"
    ),
    "a context of its own": (
        'from decimal import Decimal, localcontext\ndef third(text: str) -> str:\n    """Third.\n\n    >>> third("1")\n'
        '    \'0.3333\'\n    """\n    with localcontext() as context:\n        context.prec = 4\n'
        "        return str(Decimal(text) / 3)\n"
    ),
    "digits for everybody": (
        "from decimal import Decimal, getcontext\ngetcontext().prec = 4\n"
        'def third(text: str) -> str:\n    """Third.\n\n    >>> third("1")\n    \'0.3333\'\n    """\n'
        "    return str(Decimal(text) / 3)\n"
    ),
    "a script that is also a module": (
        f"import sys\n{NEXT}    return x + 1\n\nif __name__ == '__main__':\n    print(following(int(sys.argv[1])))\n"
    ),
    "an error that is told on": (
        f"import sys\n{NEXT}    try:\n        [][x]\n    except IndexError:\n"
        "        return x + (sys.exc_info()[0] is IndexError)\n"
    ),
}
STEADY.update(_IN_ANY_CIRCUMSTANCES)
# They fail as soon as they see that the clock is not the real one, and would be the same in all that follows.
IN_NO_WORLD = {
    f"{how} where the clock is known": (
        f"import datetime, os\nif datetime.datetime.__flags__ & 512:\n    {what}\n"
        f"{NEXT}    return x + 1 if datetime.datetime.now().year < 2050 else 0\n"
    )
    for how, what in {"raises": "raise ValueError", "ends": "os._exit(0)"}.items()
}
CASES = [
    *((name, source, "program.flaky") for name, source in IN_NO_WORLD.items()),
    *((name, source, "program.flaky_clock") for name, source in CLOCK.items()),
    *((name, source, "program.flaky_randomness") for name, source in RANDOMNESS.items()),
    *((name, source, "program.flaky_environment") for name, source in ENVIRONMENT.items()),
    *((name, source, "program.flaky_environment") for name, source in CIRCUMSTANCES.items()),
    *((name, source, "program.flaky_addresses") for name, source in ADDRESSES.items()),
    *((name, source, "program.flaky_hash_seed") for name, source in HASH_SEED.items()),
    *((name, source, "program.flaky_earlier_calls") for name, source in EARLIER_CALLS.items()),
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("name", "source", "constraint"), CASES, ids=[name for name, _, _ in CASES])
def test_the_cause_is_named(name: str, source: str, constraint: str, service: Service) -> None:
    answer = service.verify_program(tolerant(source.encode(), "subject.py"))
    assert (answer.verdict.outcome, answer.verdict.constraint_id, answer.exit_code) == ("undecided", constraint, 3)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("name", STEADY)
def test_what_is_steady_is_not_called_flaky(name: str, service: Service) -> None:
    answer = service.verify_program(tolerant(STEADY[name].encode(), "subject.py"))
    assert not answer.verdict.constraint_id.startswith("program.flaky"), answer.verdict.developer_fields


def test_a_module_that_refuses_other_settings_says_nothing_of_the_program(service: Service) -> None:
    settings = b"import os\nif os.environ.get('MODE', 'fast') not in ('fast', 'safe'):\n    raise ValueError('MODE')\n"
    source = f"import os\nimport settings\n{NEXT}    return x + 1\n"
    request = replace(tolerant(source.encode(), "subject.py"), siblings=(("settings", settings),))
    assert service.verify_program(request).verdict.constraint_id == "program.tested_unchecked"


@pytest.mark.parametrize("reason", [LostReason.WALL, LostReason.CPU])
def test_a_failure_that_no_world_could_be_asked_about_is_left_open(
    reason: LostReason, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a host that stalls, a draw looked like a counterexample."""
    silence = Lost(reason, "the host stood still")
    monkeypatch.setattr(stability, "run_actions", lambda _bench, _program, actions, _limits: [silence] * len(actions))
    source = f"import random\n{NEXT}    return x\n"
    assert service.verify_program(tolerant(source.encode(), "subject.py")).verdict.outcome == "undecided"


def test_a_stall_of_the_host_is_asked_again(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    real = stability.run_actions
    stalls = iter([True])

    def stalling(bench: Sandbox, program: Program, actions: Sequence[Action], limits: JobLimits) -> list[Reply]:
        stalled = next(stalls, False)
        return [Lost(LostReason.WALL, "")] * len(actions) if stalled else real(bench, program, actions, limits)

    monkeypatch.setattr(stability, "run_actions", stalling)
    source = f"import random\n{NEXT}    return x\n"
    assert service.verify_program(tolerant(source.encode(), "subject.py")).verdict.outcome == "refuted"


WRONG = {
    "an import of a clock": f"import time\n{NEXT}    return x\n",
    "an import of the system": f"import os\n{NEXT}    return x\n",
    "an identity that helps in no place": f"{NEXT}    return x + 5 + id([]) // 16 % 4\n",
    "a hash that helps under no seed": (
        'def number(text: str) -> int:\n    """Number.\n\n    >>> number("cat")\n    7\n    """\n'
        "    return hash(text)\n"
    ),
    "a variable that makes no difference": f"import os\n{NEXT}    return x + 2 * bool(os.environ.get('STEP', '1'))\n",
    "a folder that makes no difference": f"import os\n{NEXT}    return x if os.getcwd() else x + 1\n",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_in_every_world_is_refuted_all_the_same(name: str, service: Service) -> None:
    source = WRONG[name]
    assert service.verify_program(tolerant(source.encode(), "subject.py")).verdict.outcome == "refuted"


TALLY = (
    "class Tally:\n    def __init__(self, rule):\n        self.rule = rule\n"
    "    def __repr__(self):\n        return f'Tally({self.rule!r})'\n"
)


@pytest.mark.parametrize(
    "expression", ["Tally(lambda n: n)", "Tally(object())", "[Tally(Tally)]", "Tally(Tally(abs).__repr__)"]
)
def test_where_an_object_lies_in_memory_is_no_part_of_its_text(expression: str) -> None:
    action = Statements((), expression, Asks.OWN_TEXT)
    with Sandbox.open(hash_seed=0) as first, Sandbox.open(hash_seed=1) as second:
        replies = [run_actions(bench, Program(TALLY.encode()), [action], JobLimits())[0] for bench in (first, second)]
    assert all(isinstance(reply, Returned) and "Tally" in str(reply.value) for reply in replies)
    assert outcome_key(replies[0]) == outcome_key(replies[1])


READS = {
    "nothing": ("import math\nfrom . import other\n", (False, False)),
    "a clock": ("from datetime import date\n", (True, False)),
    "randomness": ("import random\n", (False, True)),
    "a package that is not known": ("import somebodys_package\n", (True, True)),
    "a module next to it": ("import helper\n", (False, True)),
    "code made from text": ("x = eval('1')\n", (True, True)),
    "an import by name": ("x = __import__('ti' + 'me')\n", (True, True)),
    "a module next to it that is not Python": ("import broken\n", (True, True)),
}


@pytest.mark.parametrize("name", READS)
def test_what_a_text_could_read_is_seen(name: str) -> None:
    text, expected = READS[name]
    beside = (("helper", b"import secrets\n"), ("broken", b"def (\n"))
    siblings = tuple(each for each in beside if each[0] in text)
    reads = reads_of(source_of(text, siblings))
    assert (reads.clock, reads.randomness) == expected


def test_a_world_changes_neither_the_text_nor_what_the_program_finds_as_its_own() -> None:
    source = source_of("x = 1\n")
    changed = in_world(source, World(5, 1, 2), reads_of(source))
    assert (changed.source, changed.shown) == (source.program.source, source.program.source)
    assert replace(changed, source=b"x = 2\n").shown == source.program.source


def test_an_address_in_an_example_refutes_nobody(service: Service) -> None:
    source = (
        'class _Thing:\n    pass\ndef shown(x: int) -> str:\n    """Shown.\n\n    >>> shown(1)\n'
        '    \'<subject._Thing object at 0x7f2c3a5b4c10>\'\n    """\n    return str(_Thing())\n'
    )
    assert service.verify_program(tolerant(source.encode(), "subject.py")).verdict.outcome == "undecided"


ASKING = {
    "the program itself": ("/program/subject.py", "subject", b"STEP", True),
    "an example in the documentation": ("<documentation>", "subject", b"STEP", True),
    "text that somebody else runs": ("<string>", "subject", b"STEP", False),
    "an installed package": ("/usr/lib/python3/site-packages/package.py", "package", b"STEP", False),
    "the program about a switch of Python": ("/program/subject.py", "subject", b"PYTHONPATH", True),
}


@pytest.mark.parametrize("name", ASKING)
def test_variables_are_made_up_for_the_program_alone(name: str) -> None:
    file, module, variable, is_made_up = ASKING[name]
    names = {"variables": Variables({}, b"37", []), "__name__": module, "asked": variable}
    exec(compile("answer = variables.get(asked)", file, "exec"), names)
    assert (names["answer"] == b"37") is is_made_up


def test_the_library_asks_for_the_program_but_not_about_switches_of_python() -> None:
    library: dict[str, object] = {"__name__": "shutil"}
    exec(
        compile("def ask(table, name):\n    return table.get(name)\n", "/usr/lib/python3.11/shutil.py", "exec"), library
    )
    names = {"variables": Variables({}, b"37", []), "ask": library["ask"], "__name__": "subject"}
    text = "answers = [ask(variables, name) for name in (b'COLUMNS', b'PYTHONASYNCIODEBUG')]"
    exec(compile(text, "/program/subject.py", "exec"), names)
    assert names["answers"] == [b"37", None]


def test_more_changing_inputs_than_are_asked_about_are_no_defect(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stability, "MOST_ACTIONS", 2)
    source = f"import time\n{NEXT}    return x + 1 if x in (1, 5) else time.time_ns()\n"
    answer = service.verify_program(tolerant(source.encode(), "subject.py"))
    assert answer.verdict.outcome == "undecided", answer.verdict
