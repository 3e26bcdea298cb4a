"""What the analysis of Python code knows of the language, as data: what is pure, and what reaches outside.

A name is looked up by its full spelling, such as ``math.sqrt``; ``builtins.`` stands before a built-in one and ``()``
for a result, as in ``pathlib.Path().read_text``. What no table holds is unknown: nothing is proved of it, and nothing
is refuted.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from typing import Final


def words(text: str) -> frozenset[str]:
    """Return the words of a text, as a set."""
    return frozenset(text.split())


def _under(top: str, names: str) -> frozenset[str]:
    return frozenset(f"{top}.{name}" for name in names.split())


BUILTIN_NAMES: Final = frozenset(dir(builtins)) | words("exit quit copyright credits license help")
PURE_BUILTINS: Final = words(
    "abs all any ascii bin bool bytes callable chr complex dict divmod enumerate filter float format frozenset hash "
    "hex id int isinstance issubclass iter len list map max min next oct ord pow print range repr reversed round set "
    "slice sorted str sum tuple type zip Ellipsis NotImplemented __name__ "
    "ArithmeticError AssertionError AttributeError BaseException Exception FloatingPointError IndexError KeyError "
    "LookupError NameError NotImplementedError OverflowError RecursionError RuntimeError StopIteration TypeError "
    "UnicodeError ValueError ZeroDivisionError"
)
"""Built-in names that reach nothing but standard output."""
KEYWORDS: Final[Mapping[str, str]] = {
    "builtins.print": "sep end flush",
    "builtins.sorted": "key reverse",
    "builtins.min": "key default",
    "builtins.max": "key default",
    "builtins.sum": "start",
    "builtins.enumerate": "start",
    "builtins.zip": "strict",
    "builtins.int": "base",
    "builtins.round": "ndigits",
    "builtins.pow": "exp mod",
    "list.sort": "key reverse",
    "functools.lru_cache": "maxsize typed",
    "str.split": "sep maxsplit",
    "str.rsplit": "sep maxsplit",
    "datetime.timedelta": "days hours minutes seconds weeks",
}
"""The keywords that a pure callable may be given; ``builtins.dict`` may be given any."""
MOST_ARGUMENTS: Final[Mapping[str, int]] = {
    "builtins.type": 1,
    "builtins.iter": 1,
    "builtins.str": 1,
    "builtins.bytes": 1,
    "heapq.nlargest": 2,
    "heapq.nsmallest": 2,
    "str.encode": 0,
    "bytes.decode": 0,
}
"""How many arguments keep these from doing more than they seem to."""
TAKES_FUNCTION: Final[Mapping[str, int]] = {
    "builtins.map": 0,
    "builtins.filter": 0,
    "functools.reduce": 0,
    "collections.defaultdict": 0,
}
"""Which argument is called; one called ``key`` is called everywhere."""
PURE_IMPORTED: Final = frozenset().union(
    _under(
        "math",
        "acos asin atan atan2 ceil comb copysign cos cosh degrees dist e erf exp fabs factorial floor fmod fsum gamma "
        "gcd hypot inf isclose isfinite isinf isnan isqrt lcm ldexp log log10 log1p log2 modf nan perm pi pow prod "
        "radians sin sinh sqrt tan tanh tau trunc",
    ),
    _under("cmath", "exp log phase pi polar rect sqrt"),
    _under("fractions", "Fraction"),
    _under("decimal", "Decimal ROUND_HALF_UP ROUND_HALF_EVEN ROUND_DOWN ROUND_UP"),
    _under(
        "statistics", "fmean geometric_mean harmonic_mean mean median mode multimode pstdev pvariance stdev variance"
    ),
    _under("itertools", "chain combinations count cycle islice pairwise permutations product repeat zip_longest"),
    _under("functools", "cache lru_cache reduce"),
    _under("operator", "add and_ eq floordiv ge gt le lt mod mul ne neg not_ or_ pow sub truediv xor"),
    _under("string", "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits punctuation whitespace"),
    _under("re", "compile escape findall fullmatch match search split IGNORECASE MULTILINE DOTALL I M S"),
    _under("collections", "Counter OrderedDict defaultdict deque"),
    _under("heapq", "heapify heappop heappush nlargest nsmallest"),
    _under("bisect", "bisect bisect_left bisect_right insort"),
    _under("typing", "Any Callable Dict Final Iterable Iterator List Mapping Optional Sequence Set Tuple Union"),
    _under("collections.abc", "Callable Iterable Iterator Mapping Sequence"),
    _under("datetime", "date timedelta"),
    _under("__future__", "annotations"),
)
PURE_MODULES: Final = frozenset(each.rpartition(".")[0] for each in PURE_IMPORTED)
RUNNABLE_MODULES: Final = PURE_MODULES | words(
    "abc array base64 binascii calendar copy dataclasses enum hashlib json numbers pprint random textwrap time types "
    "unicodedata zlib"
)
"""Modules that code may import that runs in a sandbox; what is not here is refused."""

_STR: Final = (
    "capitalize casefold center expandtabs format join ljust lower lstrip removeprefix removesuffix replace rjust "
    "rstrip strip swapcase title translate upper zfill"
)
_TESTS: Final = (
    "endswith isalnum isalpha isascii isdecimal isdigit islower isnumeric isspace istitle isupper startswith"
)
METHODS: Final[Mapping[str, Mapping[str, str]]] = {
    "str": {
        **dict.fromkeys(_STR.split(), "str"),
        **dict.fromkeys(_TESTS.split(), "bool"),
        **dict.fromkeys(("split", "rsplit", "splitlines"), "list str"),
        **dict.fromkeys(("count", "find", "index", "rfind", "rindex"), "int"),
        **dict.fromkeys(("partition", "rpartition"), "tuple str str str"),
        "encode": "bytes",
    },
    "bytes": {"decode": "str", "hex": "str", "startswith": "bool", "endswith": "bool"},
    "list": {
        **dict.fromkeys(("append", "clear", "extend", "insert", "remove", "reverse", "sort", "pop"), ""),
        **dict.fromkeys(("count", "index"), "int"),
        "copy": "list",
    },
    "dict": {
        **dict.fromkeys(("clear", "get", "pop", "popitem", "setdefault", "update"), ""),
        **dict.fromkeys(("items", "keys", "values"), "iter"),
        "copy": "dict",
    },
    "set": {
        **dict.fromkeys(("add", "clear", "discard", "pop", "remove", "update"), ""),
        **dict.fromkeys(("difference", "intersection", "symmetric_difference", "union", "copy"), "set"),
        **dict.fromkeys(("isdisjoint", "issubset", "issuperset"), "bool"),
    },
    "tuple": {"count": "int", "index": "int"},
    "deque": dict.fromkeys(("append", "appendleft", "clear", "extend", "pop", "popleft", "rotate"), ""),
    "pattern": dict.fromkeys(("findall", "fullmatch", "match", "search", "split"), ""),
    "int": {"bit_length": "int"},
    "float": {"is_integer": "bool"},
}
"""By the type that a value evidently has: its pure methods, and the type that each gives; empty where unknown."""
GIVES: Final[Mapping[str, str]] = {
    **{f"builtins.{name}": name for name in ("str", "bytes", "list", "dict", "set", "tuple", "int", "float", "bool")},
    **dict.fromkeys(words("builtins.len builtins.ord math.floor math.ceil math.gcd math.isqrt"), "int"),
    **dict.fromkeys(("builtins.repr", "builtins.chr", "builtins.format", "builtins.bin", "builtins.hex"), "str"),
    **dict.fromkeys(("builtins.range", "builtins.map", "builtins.filter", "builtins.zip", "builtins.reversed"), "iter"),
    "builtins.sorted": "list",
    "builtins.enumerate": "iter",
    "collections.Counter": "dict",
    "collections.defaultdict": "dict",
    "collections.deque": "deque",
    "re.compile": "pattern",
}
"""The type of what a callable gives."""

DYNAMIC: Final = words(
    "builtins.eval builtins.exec builtins.__import__ builtins.breakpoint importlib.import_module "
    "importlib.__import__ runpy.run_path runpy.run_module code.interact code.InteractiveConsole().interact "
    "pdb.set_trace pdb.run pickle.load pickle.loads marshal.load marshal.loads dill.load dill.loads cloudpickle.loads "
    "joblib.load shelve.open yaml.unsafe_load pickle.Unpickler().load pip.main ctypes.CDLL ctypes.cdll.LoadLibrary "
    "pandas.read_pickle torch.load"
)
PROCESSES: Final = words(
    "os.system os.popen os.execv os.execve os.execvp os.execl os.execlp os.fork os.forkpty os.spawnl os.spawnv "
    "os.startfile os.posix_spawn subprocess.run subprocess.call subprocess.Popen subprocess.check_call "
    "subprocess.check_output subprocess.getoutput subprocess.getstatusoutput pty.spawn platform.popen "
    "commands.getoutput asyncio.create_subprocess_exec asyncio.create_subprocess_shell multiprocessing.Process().start"
)
NETWORK: Final = words(
    "urllib.request.urlopen urllib.request.urlretrieve socket.create_connection socket.getaddrinfo "
    "socket.gethostbyname socket.socket().connect socket.socket().bind webbrowser.open requests.get requests.post "
    "requests.put requests.patch requests.delete requests.head requests.request requests.Session().get httpx.get "
    "httpx.post http.client.HTTPSConnection().request http.client.HTTPConnection().request "
    "smtplib.SMTP ftplib.FTP telnetlib.Telnet paramiko.SSHClient().connect asyncio.open_connection"
)
FILES: Final = words(
    "builtins.open io.open io.open_code io.FileIO os.open os.remove os.unlink os.rename os.replace os.mkdir "
    "os.makedirs os.rmdir os.removedirs os.listdir os.scandir os.walk os.chmod os.chown os.stat os.link os.symlink "
    "os.path.exists codecs.open linecache.getline linecache.getlines shutil.rmtree shutil.copy shutil.copyfile "
    "shutil.copytree shutil.move glob.glob tempfile.mkstemp tempfile.mkdtemp tempfile.NamedTemporaryFile "
    "pathlib.Path().read_text pathlib.Path().read_bytes pathlib.Path().write_text pathlib.Path().write_bytes "
    "pathlib.Path().open pathlib.Path().unlink pathlib.Path().mkdir pathlib.Path().exists pathlib.Path().iterdir "
    "fileinput.input"
)
OPENED: Final = words(
    "builtins.open io.open io.open_code io.FileIO os.open codecs.open linecache.getline linecache.getlines "
    "shutil.copy shutil.copyfile tempfile.mkstemp tempfile.NamedTemporaryFile pathlib.Path().read_text "
    "pathlib.Path().read_bytes pathlib.Path().write_text pathlib.Path().write_bytes pathlib.Path().open"
)
"""What of it opens a file."""
FILES_BY_NAME: Final = words(
    "tarfile.open zipfile.ZipFile numpy.load numpy.loadtxt numpy.genfromtxt pandas.read_csv pandas.read_json "
    "pandas.read_excel pandas.read_parquet pandas.read_html pandas.read_table sqlite3.connect gzip.open bz2.open "
    "lzma.open configparser.ConfigParser().read logging.FileHandler"
)
"""What opens a file when its first argument is text, and may read from memory otherwise."""
BY_NAME: Final = FILES_BY_NAME | words("smtplib.SMTP ftplib.FTP telnetlib.Telnet")
OUTSIDE: Final[Mapping[str, str]] = {
    **dict.fromkeys(DYNAMIC, "runs code that is not written here"),
    **dict.fromkeys(PROCESSES, "starts or controls a process"),
    **dict.fromkeys(NETWORK, "uses the network"),
    **dict.fromkeys(FILES | FILES_BY_NAME, "uses files"),
}
FOREIGN: Final = words("require console document window")
"""Names that code of another language calls, and that Python does not know."""
