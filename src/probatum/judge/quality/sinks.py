"""What untrusted values come from, where they do harm, and what makes them safe, as data.

A name stands in full, such as ``os.system``; a method whose object is not known stands as ``.execute``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import IntEnum
from typing import Final

from probatum.exact.code.tables import words


class TaintLevel(IntEnum):
    """Whose a value is: fixed in the code, unknown, the caller's of a public function, the user's, or a stranger's."""

    FIXED = 0
    UNKNOWN = 1
    CALLER = 2
    USER = 3
    STRANGER = 4


_SINKS: Final = """
shell_true caller (shell=True): subprocess.run subprocess.call subprocess.check_call subprocess.check_output
shell_true caller (shell=True): subprocess.Popen
shell_system caller: os.system os.popen subprocess.getoutput subprocess.getstatusoutput
shell_system caller: asyncio.create_subprocess_shell
code_injection caller: eval exec builtins.eval builtins.exec
code_evaluation unknown: eval exec builtins.eval builtins.exec
unsafe_loading fixed: pickle.load pickle.loads pickle.Unpickler marshal.load marshal.loads shelve.open dill.load
unsafe_loading fixed: dill.loads jsonpickle.decode joblib.load yaml.load yaml.load_all yaml.unsafe_load yaml.full_load
sql_injection unknown (sql): .execute .executemany .executescript .raw
sql_injection user: .execute .executemany .executescript .raw
path_traversal stranger: open io.open os.open os.remove os.unlink os.listdir os.rmdir shutil.rmtree shutil.copy
path_traversal stranger: shutil.move flask.send_file fastapi.responses.FileResponse
template_injection user: flask.render_template_string jinja2.Template mako.template.Template .from_string
xml_entities user: xml.etree.ElementTree.parse xml.etree.ElementTree.fromstring xml.etree.ElementTree.XML
xml_entities user: xml.etree.ElementTree.iterparse xml.dom.minidom.parse xml.dom.minidom.parseString xml.sax.parse
xml_entities user: xml.sax.parseString lxml.etree.parse lxml.etree.fromstring lxml.etree.XML lxml.etree.iterparse
unverified_tls fixed (verify=False): requests.get requests.post requests.put requests.delete requests.head
unverified_tls fixed (verify=False): requests.patch requests.request httpx.get httpx.post httpx.put httpx.delete
unverified_tls fixed (verify=False): httpx.head httpx.patch httpx.request httpx.Client httpx.AsyncClient
unverified_tls fixed: ssl._create_unverified_context
temporary_name fixed: tempfile.mktemp
debug_mode fixed (debug=True): app.run socketio.run
"""
"""By line: a rule, whose a value must be at least, in brackets what the call has besides, and the calls."""


_SOURCES: Final = """
value user: sys.argv os.environ sys.stdin input os.getenv .parse_args
value stranger: .recv .recvfrom request.args request.form request.json request.values request.data request.files
value stranger: request.cookies request.headers request.GET request.POST request.query_params request.path_params
value stranger: request.get_json request.body request.url
"""
"""What is ``request`` is the object that web frameworks call so."""


def _read(table: str) -> Mapping[str, list[tuple[str, TaintLevel]]]:
    found: dict[str, list[tuple[str, TaintLevel]]] = {}
    for line in table.strip().splitlines():
        head, _, names = line.partition(": ")
        rule, level, *marks = head.split()
        for name in names.split():
            found.setdefault(name + "".join(marks), []).append((rule, TaintLevel[level.upper()]))
    return found


SINKS: Final = _read(_SINKS)
"""By call and what it has besides, such as ``subprocess.run(shell=True)``: rules and the least level, by rank."""
SOURCES: Final = {name: level for name, [(_, level)] in _read(_SOURCES).items()}
ROUTE_MARKS: Final = words("route get post put delete patch websocket")
"""Decorators of an application that give a function's parameters to strangers."""
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
    "urllib.parse.unquote base64.b64decode textwrap.dedent sqlalchemy.text .join .format .format_map .replace"
)
"""Calls whose result holds what they are given; of a call that is not known nothing is said."""
CHECKING: Final = words("isdigit isalnum isdecimal isidentifier isalpha is_relative_to fullmatch match startswith")
"""Methods that a condition asks, after which a value counts as checked."""
SAFE_LOADERS: Final = words("SafeLoader CSafeLoader BaseLoader CBaseLoader")
"""What a loader is given so that it builds plain values alone."""
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
