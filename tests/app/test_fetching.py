"""Sources read by URI: the list is exact, servers may do whatever they like, nothing inside a network is reached."""

from __future__ import annotations

import gzip
import os
import posixpath
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import unquote, urlsplit

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st

from probatum.app import fetching
from probatum.app.fetching import MOST_BYTES, SourceFetcher
from probatum.core.errors import NotAttemptedError, ProbatumError, UsageError
from probatum.core.ports import Fetched
from tests.local_server import Place, answer, redirect

GOOD = "https://good.example/docs"
_BACKSLASH = "\\"


@pytest.fixture
def place() -> Iterator[Place]:
    made = Place()
    yield made
    made.close()


def fetched(place: Place, path: str = "/") -> Fetched:
    return SourceFetcher([place.origin]).fetch(f"{place.origin}{path}")


def refused(code: str, fetch: Callable[[], object]) -> ProbatumError:
    with pytest.raises(ProbatumError) as caught:
        fetch()
    assert caught.value.code == f"source.{code}"
    assert caught.value.hint
    return caught.value


# Every URI is compared with the list and never asked for: the host does not exist.
TRICKS = {
    "a longer host": ("https://good.example.evil/docs", "not_allowed"),
    "a host before": ("https://evil-good.example/docs", "not_allowed"),
    "a host below": ("https://www.good.example/docs", "not_allowed"),
    "a user name": ("https://good.example@evil.example/docs", "bad_uri"),
    "a user name and password": ("https://user:word@good.example/docs", "bad_uri"),
    "the host as a query of another": ("https://evil.example?https://good.example/docs", "not_allowed"),
    "the host as a fragment of another": ("https://evil.example#@good.example/docs", "not_allowed"),
    "a backslash for a slash": (f"https://evil.example{_BACKSLASH}@good.example/docs", "bad_uri"),
    "backslashes for all slashes": (f"https:{_BACKSLASH * 2}good.example{_BACKSLASH}docs", "bad_uri"),
    "a longer segment": ("https://good.example/docs-secret", "not_allowed"),
    "another path": ("https://good.example/", "not_allowed"),
    "another case of the path": ("https://good.example/DOCS/a", "not_allowed"),
    "a dot segment": ("https://good.example/docs/../secret", "bad_uri"),
    "a dot segment at the end": ("https://good.example/docs/..", "bad_uri"),
    "a single dot": ("https://good.example/docs/./a", "bad_uri"),
    "a dot segment with a parameter": ("https://good.example/docs/..;a=b/secret", "bad_uri"),
    "escaped dots": ("https://good.example/docs/%2e%2E/secret", "bad_uri"),
    "escaped twice": ("https://good.example/docs/%252e%252e/secret", "bad_uri"),
    "an escaped slash": ("https://good.example/docs%2Fsecret", "bad_uri"),
    "an escaped backslash": ("https://good.example/docs/..%5csecret", "bad_uri"),
    "an escaped null": ("https://good.example/docs/a%00.txt", "bad_uri"),
    "an escaped line end": ("https://good.example/docs/a%0d%0aHost:%20evil", "bad_uri"),
    "half an escape": ("https://good.example/docs/%2", "bad_uri"),
    "an escaped letter of the prefix": ("https://good.example/%64ocs/a", "not_allowed"),
    "another port": ("https://good.example:8443/docs", "not_allowed"),
    "the port of another scheme": ("https://good.example:80/docs", "not_allowed"),
    "no port after the colon": ("https://good.example:/docs", "bad_uri"),
    "a port that is none": ("https://good.example:99999/docs", "bad_uri"),
    "a port with a zero": ("https://good.example:0443/docs", "bad_uri"),
    "another scheme": ("http://good.example/docs", "not_allowed"),
    "a scheme that is not read": ("ftp://good.example/docs", "bad_uri"),
    "a scheme within a scheme": ("view-source:https://good.example/docs", "bad_uri"),
    "data": ("data:text/plain,hello", "bad_uri"),
    "one slash": ("https:/good.example/docs", "bad_uri"),
    "three slashes": ("https:///good.example/docs", "bad_uri"),
    "no scheme": ("//good.example/docs", "bad_uri"),
    "no host": ("https://", "bad_uri"),
    "nothing": ("", "bad_uri"),
    "a dot at the end of the host": ("https://good.example./docs", "bad_uri"),
    "two dots in the host": ("https://good..example/docs", "bad_uri"),
    "a full-width letter": ("https://ｇood.example/docs", "bad_uri"),
    "an ideographic full stop": ("https://good。example/docs", "bad_uri"),
    "a Cyrillic letter": ("https://gооd.example/docs", "bad_uri"),
    "its punycode": ("https://xn--gd-jbba.example/docs", "not_allowed"),
    "a sharp s": ("https://goodß.example/docs", "bad_uri"),
    "an escape in the host": ("https://good%2Eexample/docs", "bad_uri"),
    "a space before": (" https://good.example/docs", "bad_uri"),
    "a line end after": ("https://good.example/docs\n", "bad_uri"),
    "a tab within": ("https://good.exa\tmple/docs", "bad_uri"),
    "a line end within": ("https://good.example/docs HTTP/1.1\r\nHost: evil", "bad_uri"),
    "a null": ("https://good.example/docs\0", "bad_uri"),
    "a turned text": ("https://good.example/docs/\u202etxt", "bad_uri"),
    "a lone surrogate": ("https://good.example/docs/\ud800", "bad_uri"),
    "brackets around a name": ("https://[good.example]/docs", "bad_uri"),
    "an address that is none": ("https://[:::]/docs", "bad_uri"),
    "an address with a zone": ("https://[fe80::1%25eth0]/docs", "bad_uri"),
    "without end": ("https://good.example/docs/" + "a" * 100_000, "bad_uri"),
}


@pytest.mark.parametrize(("uri", "code"), TRICKS.values(), ids=TRICKS)
def test_attack_by_the_text_of_a_uri(uri: str, code: str) -> None:
    error = refused(code, lambda: SourceFetcher([GOOD]).fetch(uri))
    assert isinstance(error, UsageError)
    assert len(str(error)) < 1000


SAME = ("https://good.example/docs", "HTTPS://GOOD.example:443/docs/", "https://good.example/docs/a/b?q=%2F..#part")


@pytest.mark.parametrize("uri", SAME)
def test_what_is_within_a_prefix_is_asked_for(uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def resolver(host: str, port: int, *_: object, **__: object) -> list[object]:
        asked.append((host, port))
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", resolver)
    assert "name or service not known" in refused("unreachable", lambda: SourceFetcher([GOOD]).fetch(uri)).sentence
    assert asked == [("good.example", 443)]


@pytest.mark.parametrize(
    "entry", ["https://good.example/docs?a=b", "good.example", "*", "https://*.example/", "", "file:docs"]
)
def test_a_list_that_says_nothing_exact_is_refused(entry: str) -> None:
    with pytest.raises(UsageError):
        SourceFetcher([entry])


def test_a_service_does_not_begin_with_such_a_list() -> None:
    words = [sys.executable, "-m", "probatum", "serve", "--port", "0", "--allow-source", "good.example"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "source.bad_uri" in done.stderr


NOTHING_ALLOWED, ALLOWED = SourceFetcher([]), SourceFetcher([GOOD])


@given(st.text(max_size=80) | st.builds("https://{}{}".format, st.text(max_size=12), st.text(max_size=40)))
def test_any_text_is_refused_by_name(uri: str) -> None:
    with pytest.raises(UsageError):
        NOTHING_ALLOWED.fetch(uri)


PIECES = st.sampled_from(
    [
        *(
            "https:",
            "HTTPS:",
            "http:",
            "//",
            "/",
            "good.example",
            "evil.example",
            "docs",
            "a",
            "@",
            ":",
            "443",
            "80",
            "?",
        ),
        *(
            "#",
            "..",
            ".",
            ";",
            "%2e",
            "%2F",
            "%5c",
            "%25",
            "%",
            "[",
            "]",
            "&",
            "=",
            " ",
            "\t",
            _BACKSLASH,
            "~",
            "xn--",
            "ß",
        ),
    ]
)


@given(st.lists(PIECES, max_size=8).map("".join) | st.lists(PIECES, max_size=6).map(lambda rest: GOOD + "".join(rest)))
def test_what_is_asked_for_is_within_the_prefix_for_every_other_reader_too(uri: str) -> None:
    asked = []

    def resolver(host: str, port: int, **_: object) -> list[object]:
        asked.append((host, port))
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", resolver)
        with pytest.raises(ProbatumError):
            ALLOWED.fetch(uri)
    if asked:
        assert asked == [("good.example", 443)]
        for parts in (urlsplit(uri), httpx.URL(uri)):
            assert (parts.scheme, parts.port or 443) == ("https", 443)
            path = posixpath.normpath(unquote(parts.path))
            assert path == "/docs" or path.startswith("/docs/")
        assert urlsplit(uri).hostname == httpx.URL(uri).host == "good.example"


def test_a_text_comes_with_its_media_type_and_nothing_else_is_told_to_the_server(place: Place) -> None:
    place.answers["/a"] = answer("Grüße".encode(), "Set-Cookie: a=b", media_type="text/html; charset=utf-8")
    assert fetched(place, "/a?b=c#d") == Fetched("Grüße".encode(), "text/html")
    head, *lines = place.asked[0].decode().split("\r\n")
    assert head == "GET /a?b=c HTTP/1.1"
    assert {line.partition(":")[0] for line in lines if line} == {
        "Host",
        "User-Agent",
        "Accept",
        "Accept-Encoding",
        "Connection",
    }


def test_no_proxy_of_the_environment_is_used(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    place.answers["/"] = answer()
    assert fetched(place).content == b"a text"


CHARSETS = {
    "what the server says": ("text/plain; charset=ISO-8859-1", "Grüße".encode("latin-1"), "Grüße"),
    "in quotation marks": ('text/plain; charset="windows-1252"', b"\x84a\x93", "„a“"),
    "UTF-8 where nobody says": ("text/plain", "Grüße".encode(), "Grüße"),
    "the mark at the beginning": ("text/plain; charset=latin-1", b"\xef\xbb\xbfa", "a"),
    "two bytes a sign": ("text/plain", "﻿Grüße".encode("utf-16-le"), "Grüße"),
    "what HTML says of itself": ("text/html", b'<meta charset="iso-8859-1">\xfc', '<meta charset="iso-8859-1">ü'),
    "what XML says of itself": (
        "application/xhtml+xml",
        b'<?xml encoding="koi8-r"?>\xc1',
        '<?xml encoding="koi8-r"?>а',
    ),
    "JSON": ("application/json", b'{"a": 1}', '{"a": 1}'),
    "a JSON of its own": ("application/ld+json", b"{}", "{}"),
}


@pytest.mark.parametrize(("media_type", "body", "text"), CHARSETS.values(), ids=CHARSETS)
def test_characters_are_read_as_declared(media_type: str, body: bytes, text: str, place: Place) -> None:
    place.answers["/"] = answer(body, media_type=media_type)
    assert fetched(place).content.decode() == text


def drip(place: Place, piece: bytes) -> Callable[[socket.socket], None]:
    def talk(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n")
        while not place.ended.wait(0.02):
            connection.sendall(piece)

    return talk


BAD_ANSWERS = {
    "nothing": (b"", "unreachable"),
    "no HTTP": (b"SSH-2.0-OpenSSH_9.2\r\n", "unreachable"),
    "half a head": (b"HTTP/1.1 200 OK\r\nContent-Type: te", "not_text"),
    "a status that is none": (b"HTTP/1.1 abc OK\r\n\r\n", "unreachable"),
    "a head without end": (b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 100_000, "unreachable"),
    "a line without end": (b"HTTP/1.1 200 OK\r\nA: " + b"b" * 10_000_000, "unreachable"),
    "control characters in a head": (answer(b"a", "Content-Encoding: \x01\x1b[2J"), "encoded"),
    "not found": (answer(status="404 Not Found"), "unreachable"),
    "no content": (b"HTTP/1.1 204 No Content\r\n\r\n", "unreachable"),
    "a part": (answer(status="206 Partial Content"), "unreachable"),
    "a password is asked for": (answer(b"", "WWW-Authenticate: Basic", status="401 Unauthorized"), "unreachable"),
    "shorter than promised": (answer().replace(b"Length: 6", b"Length: 60"), "unreachable"),
    "a promise beyond everything": (answer().replace(b"Length: 6", b"Length: 99999999999999"), "unreachable"),
    "larger than is read": (answer(b"a" * (MOST_BYTES + 1)), "too_large"),
    "chunks without end": (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
        + b"ffff\r\n%s\r\n" % (b"a" * 65535) * 80,
        "too_large",
    ),
    "chunks that break off": (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        "unreachable",
    ),
    "chunks of no size": (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab",
        "unreachable",
    ),
    "compressed": (answer(gzip.compress(b"a" * 10_000_000), "Content-Encoding: gzip"), "encoded"),
    "compressed on the way": (answer(b"a", "Transfer-Encoding: gzip, chunked"), "encoded"),
    "an image": (answer(media_type="image/png"), "not_text"),
    "bytes": (answer(media_type="application/octet-stream"), "not_text"),
    "no media type": (answer(media_type=""), "not_text"),
    "two media types": (answer(b"a", "Content-Type: image/png"), "not_text"),
    "bytes that are no text": (answer(b"\xff\xfe\x00"), "not_text"),
    "a charset that nobody knows": (answer(media_type="text/plain; charset=x-none"), "not_text"),
    "a charset that unpacks": (answer(b"eJw=", media_type="text/plain; charset=zlib_codec"), "not_text"),
    "a charset of quadratic time": (answer(b"a" * 3_000_000, media_type="text/plain; charset=punycode"), "not_text"),
    "a number of a charset that is none": (answer(media_type="text/plain; charset=iso-8859-99"), "not_text"),
    "a redirect to nowhere": (answer(b"", status="302 Found"), "redirected"),
    "a redirect to itself": (redirect("/"), "redirected"),
    "a redirect to a folder above": (redirect("../../%2e%2e/"), "redirected"),
    "a redirect to another host": (redirect("https://evil.example/"), "redirected"),
    "a redirect to a private address": (redirect("http://169.254.169.254/latest/meta-data/"), "redirected"),
    "a redirect to another port": (redirect("http://127.0.0.1:1/"), "redirected"),
    "a redirect to a file": (redirect("file:///etc/passwd"), "redirected"),
    "a redirect that is no URI": (redirect("http://[::1"), "unreachable"),
    "a redirect with a second head": (redirect("/\x0bHost: evil"), "redirected"),
}


@pytest.mark.parametrize(("told", "code"), BAD_ANSWERS.values(), ids=BAD_ANSWERS)
def test_attack_by_an_answer(told: bytes, code: str, place: Place) -> None:
    place.answers["/"] = told
    error = refused(code, lambda: fetched(place))
    assert isinstance(error, NotAttemptedError)
    assert error.sentence.isprintable()
    assert len(place.asked) <= fetching.MOST_REDIRECTS + 1


def test_three_redirects_are_followed_within_the_list(place: Place) -> None:
    place.answers |= {
        "/1": redirect("2"),
        "/2": redirect(f"{place.origin}/3"),
        "/3": redirect("//" + place.origin[7:] + "/4"),
    }
    place.answers["/4"] = answer()
    assert fetched(place, "/1") == Fetched(b"a text", "text/plain")
    place.answers["/0"] = redirect("/1")
    refused("redirected", lambda: fetched(place, "/0"))


SLOW = {"a head": b"A: b\r\n", "a body": b"\r\na"}


@pytest.mark.parametrize("piece", SLOW.values(), ids=SLOW)
def test_attack_by_a_slow_drip(piece: bytes, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "SECONDS", 0.3)
    place.answers["/"] = drip(place, piece)
    assert "more than 0.3 seconds" in refused("unreachable", lambda: fetched(place)).sentence


def test_attack_by_a_resolver_that_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()
    monkeypatch.setattr(fetching, "SECONDS", 0.1)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: ended.wait() and [])
    assert "more than 0.1 seconds" in refused("unreachable", lambda: SourceFetcher([GOOD]).fetch(GOOD)).sentence
    ended.set()


def test_attack_by_a_server_that_never_answers(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "SECONDS", 0.1)
    place.answers["/"] = lambda _: place.ended.wait() and None
    assert "0.1 seconds" in refused("unreachable", lambda: fetched(place)).sentence


def resolving_to(*addresses: str) -> Callable[..., list[object]]:
    def resolver(host: str, port: int, *_: object, **__: object) -> list[object]:
        named = addresses if host == "good.example" else (host,)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in named]

    return resolver


INSIDE = (
    *("127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
    *("224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "::1", "::", "fe80::1%eth0", "fc00::1"),
    *("ff02::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:1::"),
    *("2001:db8::1", "fec0::1", "100::1"),
)


@pytest.mark.parametrize("address", INSIDE)
def test_attack_by_a_name_for_an_address_inside(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "create_connection", lambda *_, **__: pytest.fail("connected"))
    for told in ([address], ["93.184.215.14", address], [address, "2606:4700::1111"]):
        monkeypatch.setattr(socket, "getaddrinfo", resolving_to(*told))
        error = refused("private_address", lambda: SourceFetcher([GOOD]).fetch(GOOD))
        assert address not in str(error)


def test_a_public_address_is_connected_to_and_the_name_is_resolved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    connected: list[object] = []
    resolved: list[str] = []

    def connect(address: tuple[str, int], **_: object) -> socket.socket:
        connected.append(address)
        raise ConnectionRefusedError(111, "Connection refused")

    def resolver(host: str, port: int, *_: object, **__: object) -> list[object]:
        # A second question would be told an address inside.
        resolved.append(host)
        return resolving_to("127.0.0.1" if len(resolved) > 1 else "93.184.215.14", "2606:4700::1111")(host, port)

    monkeypatch.setattr(socket, "create_connection", connect)
    monkeypatch.setattr(socket, "getaddrinfo", resolver)
    assert "connection refused" in refused("unreachable", lambda: SourceFetcher([GOOD]).fetch(GOOD)).sentence
    assert connected == [("93.184.215.14", 443), ("2606:4700::1111", 443)]
    assert resolved == ["good.example"]


def test_an_address_inside_is_read_where_the_list_names_it_with_its_port(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.answers["/docs"] = answer()
    monkeypatch.setattr(socket, "getaddrinfo", resolving_to("127.0.0.1"))
    uri = f"http://good.example:{place.port}/docs"
    assert SourceFetcher([uri, place.origin]).fetch(uri).content == b"a text"
    assert f"Host: good.example:{place.port}\r\n".encode() in place.asked[0]
    refused("private_address", lambda: SourceFetcher([uri]).fetch(uri))
    refused("private_address", lambda: SourceFetcher([uri, "http://127.0.0.1/"]).fetch(uri))
    assert len(place.asked) == 1


def test_the_next_address_is_tried_where_the_first_takes_no_connection(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.answers["/"] = answer()
    monkeypatch.setattr(socket, "getaddrinfo", resolving_to("127.0.0.2", "127.0.0.1"))
    uri = f"http://good.example:{place.port}/"
    assert SourceFetcher([uri, place.origin, f"http://127.0.0.2:{place.port}"]).fetch(uri).content == b"a text"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for good.example, signed by itself, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "good.example")])
    begins = datetime(2020, 1, 1, tzinfo=UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, begins, begins + timedelta(days=36500))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName("good.example")]), critical=False)
    made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    forms = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    path = tmp_path_factory.mktemp("tls") / "good.pem"
    path.write_bytes(made.sign(key, hashes.SHA256()).public_bytes(forms[0]) + key.private_bytes(*forms))
    return path


@pytest.fixture
def secret_place(certificate: Path) -> Iterator[Place]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    made = Place(context)
    made.answers["/"] = answer()
    yield made
    made.close()


def test_a_server_is_who_its_certificate_says(
    secret_place: Place, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", resolving_to("127.0.0.1"))
    uri = f"https://good.example:{secret_place.port}/"
    trusting = ssl.create_default_context(cafile=certificate)
    assert SourceFetcher([uri, secret_place.origin], tls=trusting).fetch(uri).content == b"a text"
    for fetcher, asked in (
        (SourceFetcher([uri, secret_place.origin]), uri),
        (SourceFetcher([secret_place.origin], tls=trusting), secret_place.origin),
    ):
        assert "certificate" in refused("unreachable", lambda: fetcher.fetch(asked)).sentence  # noqa: B023


def test_a_text_that_breaks_off_is_no_text(
    secret_place: Place, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def talk(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nNobody is ")
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", resolving_to("127.0.0.1"))
    secret_place.answers["/"] = talk
    uri = f"https://good.example:{secret_place.port}/"
    trusting = ssl.create_default_context(cafile=certificate)
    refused("unreachable", lambda: SourceFetcher([uri, secret_place.origin], tls=trusting).fetch(uri))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("inside")
    (tmp_path / "docs-secret").mkdir()
    (tmp_path / "docs-secret" / "a.txt").write_text("secret")
    return tmp_path


def test_a_file_is_read_within_an_allowed_folder(folder: Path) -> None:
    allowed = SourceFetcher([f"file:{folder}/docs"])
    for form in ("file:{}", "file://{}"):
        assert allowed.fetch(form.format(folder / "docs" / "a.txt")).content == b"inside"
    (folder / "docs" / "b c.HTML").write_text("<p>b")
    found = allowed.fetch(f"file:{folder}/docs/b%20c.HTML")
    assert found == Fetched(b"<p>b", "text/html")


def test_an_allowed_folder_may_be_a_link_itself(folder: Path) -> None:
    (folder / "link").symlink_to("docs")
    assert SourceFetcher([f"file:{folder}/link/"]).fetch(f"file:{folder}/link/a.txt").content == b"inside"


FILES = {
    "a folder with a longer name": ("file:{}/docs-secret/a.txt", "not_allowed"),
    "a link that leads out": ("file:{}/docs/out/a.txt", "not_allowed"),
    "a link to a file outside": ("file:{}/docs/out.txt", "not_allowed"),
    "a dot segment": ("file:{}/docs/../docs-secret/a.txt", "bad_uri"),
    "an escaped dot segment": ("file:{}/docs/%2e%2e/docs-secret/a.txt", "bad_uri"),
    "a host": ("file://evil.example{}/docs/a.txt", "bad_uri"),
    "a query": ("file:{}/docs/a.txt?a", "bad_uri"),
    "a relative path": ("file:docs/a.txt", "bad_uri"),
    "another case": ("FILE:{}/docs/a.txt", "bad_uri"),
    "a file that is absent outside": ("file:{}/none", "not_allowed"),
    "a file that is absent": ("file:{}/docs/none.txt", "unreachable"),
    "a folder": ("file:{}/docs", "unreachable"),
    "a pipe into which nobody writes": ("file:{}/docs/pipe", "unreachable"),
    "a file that is too large": ("file:{}/docs/large.txt", "too_large"),
    "bytes that are no text": ("file:{}/docs/bytes", "not_text"),
}


@pytest.mark.parametrize(("uri", "code"), FILES.values(), ids=FILES)
def test_attack_by_a_file(uri: str, code: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probatum.app.sources.PATIENCE_SECONDS", 0.05)
    (folder / "docs" / "out").symlink_to("../docs-secret")
    (folder / "docs" / "out.txt").symlink_to("../docs-secret/a.txt")
    (folder / "docs" / "large.txt").write_bytes(b"a" * (MOST_BYTES + 1))
    (folder / "docs" / "bytes").write_bytes(b"\xff\xfe\xfd")
    os.mkfifo(folder / "docs" / "pipe")
    assert "secret" not in refused(code, lambda: SourceFetcher([f"file:{folder}/docs"]).fetch(uri.format(folder))).hint


def test_attack_by_a_link_that_is_put_there_after_the_check(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = fetching.opened

    def swapped(path: str, what: str) -> object:
        Path(path).unlink()
        Path(path).symlink_to(folder / "docs-secret" / "a.txt")
        return opened(path, what)

    monkeypatch.setattr(fetching, "opened", swapped)
    found = refused("not_allowed", lambda: SourceFetcher([f"file:{folder}/docs"]).fetch(f"file:{folder}/docs/a.txt"))
    assert "secret" not in found.sentence
