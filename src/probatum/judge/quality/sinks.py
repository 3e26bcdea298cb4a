"""What untrusted values come from, where they do harm, and what makes them safe, as data by full name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import IntEnum
from typing import Final

from probatum.exact.code.tables import words


class TaintLevel(IntEnum):
    """Whose a value is: the caller's of a public function, the user's of the program, or a stranger's."""

    CALLER = 1
    USER = 2
    STRANGER = 3


def _under(top: str, names: str) -> frozenset[str]:
    return frozenset(f"{top}.{name}" for name in names.split())


SOURCE_VALUES: Final = words("sys.argv os.environ sys.stdin")
SOURCE_CALLS: Final[Mapping[str, TaintLevel]] = dict.fromkeys(
    words("input os.getenv os.environ.get sys.stdin.read sys.stdin.readline"), TaintLevel.USER
)
SOURCE_METHODS: Final[Mapping[str, TaintLevel]] = {
    "parse_args": TaintLevel.USER,
    "recv": TaintLevel.STRANGER,
    "recvfrom": TaintLevel.STRANGER,
}
REQUEST_PARTS: Final = words(
    "args form json values data files cookies headers GET POST query_params path_params get_json body url"
)
"""What strangers fill of the object that web frameworks call ``request``."""
ROUTE_MARKS: Final = words("route get post put delete patch websocket")
"""Decorators of an application that give a function's parameters to strangers."""

SHELL_CALLS: Final = _under("subprocess", "run call check_call check_output Popen")
SYSTEM_CALLS: Final = words(
    "os.system os.popen subprocess.getoutput subprocess.getstatusoutput asyncio.create_subprocess_shell"
)
CODE_CALLS: Final = words("eval exec builtins.eval builtins.exec")
LOADERS: Final = words(
    "pickle.load pickle.loads pickle.Unpickler marshal.load marshal.loads shelve.open dill.load dill.loads "
    "jsonpickle.decode joblib.load yaml.unsafe_load yaml.full_load"
)
YAML_LOADERS: Final = words("yaml.load yaml.load_all")
SAFE_YAML: Final = words("SafeLoader CSafeLoader BaseLoader CBaseLoader")
EXECUTES: Final = words("execute executemany executescript raw")
PATH_CALLS: Final = words(
    "open io.open os.open os.remove os.unlink os.listdir os.rmdir shutil.rmtree shutil.copy shutil.move "
    "flask.send_file fastapi.responses.FileResponse pathlib.Path.read_text"
)
TEMPLATE_CALLS: Final = words("flask.render_template_string jinja2.Template mako.template.Template")
FETCH_CALLS: Final = _under("requests", "get post put delete head patch request") | _under(
    "httpx", "get post put delete head patch request Client AsyncClient"
)
XML_CALLS: Final = frozenset().union(
    _under("xml.etree.ElementTree", "parse fromstring XML iterparse"),
    _under("xml.dom.minidom", "parse parseString"),
    _under("xml.sax", "parse parseString"),
    _under("lxml.etree", "parse fromstring XML iterparse"),
)
WEAK_HASHES: Final = words("hashlib.md5 hashlib.sha1")
WEAK_RANDOM: Final = _under("random", "random randint randrange choice choices sample getrandbits shuffle uniform")

NUMBERS: Final = words("int float bool date datetime UUID Decimal")
"""Annotations of what can do no harm as text."""
SANITISERS: Final = words(
    "int float bool len abs round hash isinstance ord hex shlex.quote html.escape markupsafe.escape re.escape "
    "os.path.basename uuid.UUID werkzeug.utils.secure_filename urllib.parse.quote urllib.parse.quote_plus "
    "ipaddress.ip_address datetime.date.fromisoformat datetime.datetime.fromisoformat decimal.Decimal"
)
PASSING: Final = words(
    "str bytes repr format list tuple set dict sorted reversed zip map filter enumerate next iter max min "
    "os.path.join os.path.abspath os.path.normpath os.path.expanduser pathlib.Path json.loads "
    "urllib.parse.unquote base64.b64decode textwrap.dedent sqlalchemy.text"
)
"""Calls whose result holds what they are given; of a call that is not known nothing is said."""
CHECKING: Final = words("isdigit isalnum isdecimal isidentifier isalpha is_relative_to fullmatch match startswith")
"""Methods that a condition asks, after which a value counts as checked."""
EXITS: Final = words("sys.exit exit abort")

SQL: Final = re.compile(
    r"\s*(?:(?:select|update|delete)\s|insert\s+into\b|drop\s+(?:table|database)\b|create\s+(?:table|user)\b"
    r"|alter\s+table\b|replace\s+into\b)",
    re.IGNORECASE,
)
SECRET_NAME: Final = re.compile(
    r"(?:^|_)(?:passw(?:or)?d|passwd|pwd|secret|api_?key|token|private_?key|access_?key|secret_?key)$", re.IGNORECASE
)
SECRET_VALUE: Final = re.compile(
    r"AKIA[0-9A-Z]{16}|gh[pousr]_\w{30,}|sk-[\w-]{20,}|xox[bap]-[\w-]{10,}|-----BEGIN [A-Z ]*PRIVATE KEY-----"
)
PLAIN_SECRET: Final = re.compile(r"(?=[^\s]*[0-9@#$!^&*])(?=.*[A-Za-z])(?!.*[\[\](){}<>%])[!-~]{6,200}")
SENSITIVE: Final = re.compile(
    r"passw(?:or)?d|secret|token(?!iz|s?_count)|otp\b|api_?key|session_?(?:id|key)|csrf", re.IGNORECASE
)
ACCESS: Final = re.compile(
    r"\b(?:is_admin|is_authenticated|is_authorized|has_perm(?:ission)?s?|is_staff|is_superuser|is_owner)\b"
)
