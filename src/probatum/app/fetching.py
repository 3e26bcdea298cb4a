"""Trusted sources read by URI: what an operator's list allows, and nothing else.

An entry of the list is a prefix: the same scheme, host and port, and the first segments of the path; for files, a
folder. Every redirect is compared with it again. A name is resolved once, and only the addresses that were checked are
connected to. Refuses a URI that two readers could read differently, an address inside a network unless the list names
that very address, whatever is encoded, no text, larger or slower than its bounds. No proxy, cookie or credential.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import os
import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import unquote_to_bytes, urljoin

from probatum.app.sources import opened
from probatum.core.errors import NotAttemptedError, ProbatumError, UsageError, reason_of
from probatum.core.outside import visible
from probatum.core.ports import Fetched

MOST_BYTES: Final = 5_000_000
SECONDS: Final = 10.0
MOST_REDIRECTS: Final = 3

_MOST_URI: Final = 2000
_SHOWN: Final = 200
_PORTS: Final = {"http": 80, "https": 443}
_NAME: Final = r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?"
_WEB: Final = re.compile(
    rf"(?P<scheme>(?i:https?))://(?P<host>(?i:{_NAME}|\[[0-9a-f:.]{{2,45}}\]))(?::(?P<port>[1-9][0-9]{{0,4}}))?"
    r"(?P<path>(?:/[^?#]*)?)(?P<query>(?:\?[^#]*)?)(?:#.*)?"
)
_FILE: Final = re.compile(r"file:(?://)?(?P<path>/(?:[^/?#][^?#]*)?)")
# Servers read these in more than one way: a dot, slash, backslash, percent or control character as an escape, and half
# an escape; and a dot segment, also before a semicolon, as some drop what follows.
_DOUBTFUL: Final = re.compile(r"%(?:2[ef5]|5c|[01][0-9a-f]|7f|(?![0-9a-f]{2}))|/\.{1,2}(?:[/;]|$)", re.IGNORECASE)
_NEVER: Final = frozenset(' \\"<>^`{|}')
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_TEXT: Final = re.compile(r"text/[a-z0-9.+-]+|application/(?:json|xml|[a-z0-9.-]+\+(?:json|xml))")
_BY_SUFFIX: Final = {".htm": "text/html", ".html": "text/html", ".json": "application/json", ".xml": "application/xml"}
_DECLARED: Final = re.compile(r"(?:charset|encoding)\s{0,9}=\s{0,9}[\"']?([A-Za-z0-9_-]{1,40})", re.IGNORECASE)
# Some of Python's other codecs take time that grows with the square of the length.
_CHARSETS: Final = re.compile(
    r"utf-?8|us-ascii|iso-8859-\d{1,2}|windows-125\d|koi8-[ru]|shift_jis|euc-(?:jp|kr)|gb(?:k|2312|18030)|big5"
)
_MARKS: Final = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
# Where the public addresses of IPv6 are.
_NATIVE: Final = ipaddress.ip_network("2000::/3")
_REQUEST: Final = (
    "GET {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: probatum\r\nAccept: text/*, application/json, application/xml\r\n"
    "Accept-Encoding: identity\r\nConnection: close\r\n\r\n"
)
_LATER: Final = "Try again later, or give its text itself."
_ELSEWHERE: Final = "Give its text itself, or ask the operator to allow it."


@dataclass(frozen=True, slots=True)
class _Place:
    """A URI of the web in its parts; the path is empty or begins with a slash."""

    scheme: str
    host: str
    port: int
    path: str
    query: str

    @property
    def authority(self) -> str:
        """Host and port as a URI has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    def is_within(self, prefix: _Place) -> bool:
        """True where the origin is the same and the path begins with the segments of the prefix."""
        folder = prefix.path.rstrip("/")
        is_same = (self.scheme, self.host, self.port) == (prefix.scheme, prefix.host, prefix.port)
        return is_same and (self.path == folder or self.path.startswith(f"{folder}/"))


class SourceFetcher:
    """Reads texts by URI; may be shared by threads."""

    def __init__(self, allowed: Sequence[str], *, tls: ssl.SSLContext | None = None) -> None:
        """Make a reader of these prefixes and folders; raises UsageError for an entry that is neither."""
        self._folders = [os.path.realpath(_file_path(each)) for each in allowed if each.startswith("file:")]
        self._prefixes = [_place(each) for each in allowed if not each.startswith("file:")]
        for each in self._prefixes:
            if each.query:
                sentence = f"An allowed prefix has a query: {each.query!r}."
                raise UsageError("source.bad_prefix", sentence, "Remove it: every query is allowed below a prefix.")
        # The addresses that the list names as hosts.
        self._named = {(each.host, each.port) for each in self._prefixes}
        self._tls = tls

    def fetch(self, uri: str) -> Fetched:
        """Return what is at this URI, after redirects, as UTF-8 with whatever markup it has.

        Raises UsageError where it is not a URI or is not on the list, NotAttemptedError where it could not be read.
        """
        if uri.startswith("file:"):
            return self._file(uri)
        place, until = self._allowed(uri), time.monotonic() + SECONDS
        for _ in range(MOST_REDIRECTS + 1):
            try:
                answer = self._answer(place, until)
            except (OSError, http.client.HTTPException, ValueError) as error:
                raise _failed("unreachable", uri, _failure(error, until), _LATER) from error
            if isinstance(answer, Fetched):
                return answer
            try:
                place = self._allowed(answer)
            except UsageError as error:
                raise _failed("redirected", uri, f"it leads elsewhere: {error.sentence}", error.hint) from error
        raise _failed("redirected", uri, f"it redirects more than {MOST_REDIRECTS} times", _ELSEWHERE)

    def _allowed(self, uri: str) -> _Place:
        place = _place(uri)
        if not any(place.is_within(prefix) for prefix in self._prefixes):
            raise UsageError("source.not_allowed", f"No source at {_shown(uri)} is allowed here.", _ELSEWHERE)
        return place

    def _file(self, uri: str) -> Fetched:
        path = os.path.realpath(_file_path(uri))
        refused = UsageError("source.not_allowed", f"No file at {_shown(uri)} is allowed here.", _ELSEWHERE)
        if not any(path == folder or path.startswith(f"{folder.rstrip('/')}/") for folder in self._folders):
            raise refused
        try:
            with opened(path, "source") as file:
                # What was opened is compared, too: a link may have been put there in between.
                if os.path.realpath(f"/proc/self/fd/{file.fileno()}") != path:
                    raise refused
                content = file.read(MOST_BYTES + 1)
        except ProbatumError as error:
            if error is refused:
                raise
            raise _failed("unreachable", uri, "no such file can be read", "Check its name.") from error
        media_type = _BY_SUFFIX.get(os.path.splitext(path)[1].lower(), "text/plain")
        return Fetched(_utf8(uri, content, media_type, ""), media_type)

    def _answer(self, place: _Place, until: float) -> Fetched | str:
        """Return what a server gives, or the URI that it redirects to."""
        uri = f"{place.scheme}://{place.authority}{place.path or '/'}{place.query}"
        with self._connected(place, uri, until) as connection:
            connection.settimeout(_left(until))
            connection.sendall(_REQUEST.format(f"{place.path or '/'}{place.query}", place.authority).encode("ascii"))
            timed = _Timed(connection, until)
            response = http.client.HTTPResponse(timed)  # type: ignore[arg-type]  # it calls nothing but makefile
            response.begin()
            with response:
                if response.status in _REDIRECTS:
                    return urljoin(uri, response.getheader("Location", ""))
                return _source(uri, response)

    def _connected(self, place: _Place, uri: str, until: float) -> socket.socket:
        """Return a connection to the first address of the host that takes one; all of them are checked before."""
        addresses = _resolved(place.host, place.port, until)
        for address in addresses:
            if not _is_public(address) and (address, place.port) not in self._named:
                hint = "An operator who means it puts that very address on the list, too."
                raise _failed("private_address", uri, "its host has an address that is not public", hint)
        for more in range(len(addresses) - 1, 0, -1):
            with suppress(OSError):
                return self._connection(addresses[-1 - more], place, _left(until) / (more + 1))
        return self._connection(addresses[-1], place, _left(until))

    def _connection(self, address: str, place: _Place, seconds: float) -> socket.socket:
        connection = socket.create_connection((address, place.port), timeout=seconds)
        if place.scheme == "http":
            return connection
        with connection:
            tls = self._tls or _trusted_by_this_machine()
            return tls.wrap_socket(connection, server_hostname=place.host, suppress_ragged_eofs=False)


class _Timed(io.RawIOBase):
    """The receiving side of a connection that has one deadline for everything, however slowly it drips."""

    def __init__(self, connection: socket.socket, until: float) -> None:
        self._connection = connection
        self._until = until

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object, /) -> int:
        self._connection.settimeout(_left(self._until))
        return self._connection.recv_into(buffer)  # type: ignore[arg-type]  # a buffer has no name before Python 3.12


@cache
def _trusted_by_this_machine() -> ssl.SSLContext:
    return ssl.create_default_context()


def _place(uri: str) -> _Place:
    """Return the parts of a URI; raises UsageError where it is none, or could be read differently."""
    found = _WEB.fullmatch(uri) if _is_plain(uri) else None
    if found is None or _DOUBTFUL.search(found["path"]) or ".." in found["host"]:
        raise _refused(uri)
    scheme, host = found["scheme"].lower(), found["host"].lower()
    port = int(found["port"] or _PORTS[scheme])
    try:
        host = str(ipaddress.IPv6Address(host[1:-1])) if host.startswith("[") else host
    except ValueError as error:
        raise _refused(uri) from error
    if port > 65535:
        raise _refused(uri)
    return _Place(scheme, host, port, found["path"], found["query"])


def _file_path(uri: str) -> str:
    found = _FILE.fullmatch(uri) if _is_plain(uri) else None
    if found is None or _DOUBTFUL.search(found["path"]):
        raise _refused(uri)
    return os.fsdecode(unquote_to_bytes(found["path"]))


def _is_plain(uri: str) -> bool:
    return len(uri) <= _MOST_URI and uri.isascii() and uri.isprintable() and _NEVER.isdisjoint(uri)


def _refused(uri: str) -> UsageError:
    sentence = f"{_shown(uri)} is not a plain http, https or file URI."
    hint = "Write it without user name, dot segments and escaped slashes, host in ASCII; name a file by its whole path."
    return UsageError("source.bad_uri", sentence, hint)


def _resolved(host: str, port: int, until: float) -> list[str]:
    """Return the addresses of a host; the system's resolver knows no deadline, so it is asked by a thread."""
    found: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()

    def ask() -> None:
        try:
            told = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found.put(list(dict.fromkeys(str(each[4][0]) for each in told)))
        except (OSError, UnicodeError) as error:
            found.put(error if isinstance(error, OSError) else OSError("its host has no such name"))

    threading.Thread(target=ask, daemon=True).start()
    try:
        answer = found.get(timeout=_left(until))
    except queue.Empty:
        raise TimeoutError from None
    if isinstance(answer, OSError):
        raise answer
    return answer


def _is_public(text: str) -> bool:
    """True for an address of the public network that leads to no other address by translation."""
    address = ipaddress.ip_address(text)
    is_native = address.version == 4 or (address in _NATIVE and not (address.sixtofour or address.teredo))
    return is_native and address.is_global and not address.is_multicast


def _left(until: float) -> float:
    """Return the seconds that are left; raises TimeoutError where there are none."""
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _source(uri: str, response: http.client.HTTPResponse) -> Fetched:
    if response.status != 200:
        raise _failed("unreachable", uri, f"its server answers {response.status}", "Check that anybody can read it.")
    encodings = {response.getheader("Content-Encoding", ""), response.getheader("Transfer-Encoding", "")}
    if not {each.strip().lower() for each in encodings} <= {"", "identity", "chunked"}:
        raise _failed("encoded", uri, "its server sends it compressed, unasked", _ELSEWHERE)
    declared = response.getheader("Content-Type", "")
    media_type = declared.partition(";")[0].strip().lower()
    if not _TEXT.fullmatch(media_type):
        raise _failed("not_text", uri, f"it is not text: its media type is {visible(declared, _SHOWN)!r}", _ELSEWHERE)
    content = response.read(MOST_BYTES + 1)
    if response.length and len(content) <= MOST_BYTES:
        raise _failed("unreachable", uri, "its server sends less than it promised", _LATER)
    return Fetched(_utf8(uri, content, media_type, declared), media_type)


def _utf8(uri: str, content: bytes, media_type: str, declared: str) -> bytes:
    """Return the text as UTF-8; read by its first bytes, what the server says, or what markup says of itself."""
    if len(content) > MOST_BYTES:
        raise _failed("too_large", uri, f"it has more than {MOST_BYTES:,} bytes", "Name a smaller part of it.")
    said = [declared, *([content[:1024].decode("latin-1")] if media_type.endswith("ml") else [])]
    named = next((found[1] for found in map(_DECLARED.search, said) if found), "utf-8").lower()
    charset = next((name for mark, name in _MARKS.items() if content.startswith(mark)), named)
    try:
        if charset in _MARKS.values() or _CHARSETS.fullmatch(charset):
            return content.decode(charset).encode()
    except (LookupError, UnicodeDecodeError):
        pass
    raise _failed("not_text", uri, f"its bytes are not text in {visible(charset)!r}", _ELSEWHERE)


def _failure(error: Exception, until: float) -> str:
    if isinstance(error, TimeoutError) or time.monotonic() >= until:
        return f"its server takes more than {SECONDS:g} seconds"
    return reason_of(error) if isinstance(error, OSError) else "what its server sends is not HTTP"


def _failed(what: str, uri: str, reason: str, hint: str) -> NotAttemptedError:
    return NotAttemptedError(f"source.{what}", f"The source {_shown(uri)} could not be read: {reason}.", hint)


def _shown(uri: str) -> str:
    return repr(visible(uri, _SHOWN))
