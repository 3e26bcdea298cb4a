"""What untrusted values come from, where they do harm, and what makes them safe, as data by full name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import IntEnum
from typing import Final


class TaintLevel(IntEnum):
    """Whose a value is: the caller's of a public function, the user's of the program, or a stranger's."""

    CALLER = 1
    USER = 2
    STRANGER = 3


_SUBPROCESS: Final = tuple(f"subprocess.{each}" for each in "run call check_call check_output Popen".split())
SHELL_CALLS: Final = frozenset(_SUBPROCESS) | {"asyncio.create_subprocess_shell"}
SYSTEM_CALLS: Final = frozenset("os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput".split())
CODE_CALLS: Final = frozenset("eval exec builtins.eval builtins.exec code.interact".split())
LOADERS: Final = frozenset(
    "pickle.load pickle.loads pickle.Unpickler cPickle.loads cPickle.load marshal.load marshal.loads shelve.open "
    "dill.load dill.loads jsonpickle.decode joblib.load yaml.unsafe_load yaml.full_load".split()
)
YAML_LOADERS: Final = frozenset({"yaml.load", "yaml.load_all"})
SAFE_YAML: Final = frozenset("SafeLoader CSafeLoader BaseLoader CBaseLoader".split())
EXECUTES: Final = frozenset("execute executemany executescript execute_sql raw".split())
PATH_CALLS: Final = frozenset(
    "open io.open os.open os.remove os.unlink os.listdir os.rmdir os.rename shutil.rmtree shutil.copy shutil.move "
    "shutil.copyfile flask.send_file send_file fastapi.responses.FileResponse pathlib.Path.read_text".split()
)
TEMPLATE_CALLS: Final = frozenset("flask.render_template_string jinja2.Template mako.template.Template".split())
TEMPLATE_METHODS: Final = frozenset({"from_string"})
FETCH_CALLS: Final = frozenset(
    f"{library}.{verb}" for library in ("requests", "httpx") for verb in "get post put delete head patch request".split()
) | {"urllib.request.urlopen", "urllib.request.urlretrieve"}
XML_CALLS: Final = frozenset(
    f"{module}.{name}"
    for module in "xml.etree.ElementTree xml.dom.minidom xml.dom.pulldom xml.sax lxml.etree".split()
    for name in "parse fromstring parseString XML iterparse".split()
)
SOURCE_CALLS: Final[Mapping[str, TaintLevel]] = {
    "input": TaintLevel.USER,
    "os.getenv": TaintLevel.USER,
    "os.environ.get": TaintLevel.USER,
    "sys.stdin.read": TaintLevel.USER,
    "sys.stdin.readline": TaintLevel.USER,
}
SOURCE_VALUES: Final[Mapping[str, TaintLevel]] = {
    "sys.argv": TaintLevel.USER,
    "os.environ": TaintLevel.USER,
    "sys.stdin": TaintLevel.USER,
}
SOURCE_METHODS: Final[Mapping[str, TaintLevel]] = {
    "parse_args": TaintLevel.USER,
    "recv": TaintLevel.STRANGER,
    "recvfrom": TaintLevel.STRANGER,
}
REQUEST_PARTS: Final = frozenset(
    "args form json values data files cookies headers GET POST query_params path_params get_json body url".split()
)
"""What strangers fill of the object that web frameworks call ``request``."""
ROUTE_MARKS: Final = frozenset("route get post put delete patch websocket".split())
"""Decorators of an application that give a function's parameters to strangers."""
SANITISERS: Final = frozenset(
    "int float bool len abs round hash isinstance ord hex shlex.quote pipes.quote html.escape markupsafe.escape re.escape "
    "os.path.basename uuid.UUID werkzeug.utils.secure_filename secure_filename urllib.parse.quote urllib.parse.quote_plus "
    "ipaddress.ip_address datetime.date.fromisoformat datetime.datetime.fromisoformat decimal.Decimal hashlib.sha256".split()
)
PASSING: Final = frozenset(
    "str bytes repr format list tuple set dict sorted reversed zip map filter enumerate next iter max min "
    "os.path.join os.path.abspath os.path.normpath os.path.expanduser pathlib.Path pathlib.PurePath json.loads "
    "urllib.parse.unquote base64.b64decode textwrap.dedent sqlalchemy.text django.utils.safestring.mark_safe".split()
)
"""Calls whose result holds what they are given; of a call that is not known nothing is said."""
CHECKING: Final = frozenset("isdigit isalnum isdecimal isidentifier isalpha is_relative_to fullmatch match startswith".split())
"""Methods that a condition asks, after which a value counts as checked."""
SQL: Final = re.compile(
    r"\s*(?:select\s.*\sfrom\b|insert\s+into\b|update\s.*\sset\b|delete\s+from\b|drop\s+(?:table|database)\b"
    r"|create\s+(?:table|user)\b|alter\s+table\b|replace\s+into\b|with\s.*\sselect\b|(?:select|update|delete)\s)",
    re.IGNORECASE | re.DOTALL,
)
SECRET_NAME: Final = re.compile(r"(?:^|_)(?:passw(?:or)?d|passwd|pwd|secret|api_?key|token|private_?key|access_?key|secret_?key)$", re.IGNORECASE)
SECRET_VALUE: Final = re.compile(
    r"(?:AKIA[0-9A-Z]{16}|gh[pousr]_\w{30,}|sk-[\w-]{20,}|xox[bap]-[\w-]{10,}|-----BEGIN [A-Z ]*PRIVATE KEY-----.*)", re.DOTALL
)
PLAIN_SECRET: Final = re.compile(r"(?=[^\s]*[0-9@#$!^&*])(?![\[\](){}<>%]|.*[{}<>])[!-~]{6,}")
SENSITIVE: Final = re.compile(
    r"passw(?:or)?d|passwd|secret|token(?!iz|s?_count)|nonce|otp\b|salt|api_?key|session_?(?:id|key)|signature|csrf", re.IGNORECASE
)
ACCESS: Final = re.compile(r"\b(?:is_admin|is_authenticated|is_authorized|has_perm(?:ission)?s?|is_staff|is_superuser|is_owner)\b")
WEAK_HASHES: Final = frozenset({"hashlib.md5", "hashlib.sha1"})
WEAK_RANDOM: Final = frozenset(
    f"random.{each}" for each in "random randint randrange choice choices sample getrandbits shuffle uniform".split()
)
