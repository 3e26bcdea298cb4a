"""Connections that do not say what they want: none stays, with or without a token; the others are not hurried."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.web.running import PATIENCE, Running, server

HEAD = b"POST /validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
GET = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with server(tmp_path_factory.mktemp("server"), "--timeout", "1") as found:
        yield found


@contextmanager
def connected(running: Running) -> Iterator[socket.socket]:
    host, _, port = running.url.removeprefix("http://").rpartition(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as link:
        yield link


@contextmanager
def dripping(link: socket.socket, drop: bytes) -> Iterator[None]:
    """Send a drop again and again, until the connection is gone or the test is over."""
    is_over = threading.Event()

    def drip() -> None:
        try:
            while not is_over.wait(0.05):
                link.sendall(drop)
        except OSError:
            return

    thread = threading.Thread(target=drip)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def until_closed(link: socket.socket) -> bytes:
    """Return what is said until the other side closes; raises TimeoutError where it does not."""
    said, end = b"", time.monotonic() + PATIENCE
    try:
        while chunk := link.recv(1 << 16):
            said += chunk
            if time.monotonic() > end:
                raise TimeoutError
    except ConnectionResetError:
        pass
    return said


def authorized(running: Running) -> bytes:
    return HEAD + f"Authorization: Bearer {running.token}\r\n".encode()


SLOW = {
    "nothing at all": (b"", b""),
    "a head in drops": (b"GET /health HTTP/1.1\r\nX: ", b"x"),
    "blank lines": (b"", b"\r\n"),
    "half a head": (b"GET /health HTTP/1.1\r\nX: ", b""),
    "a second head in drops": (GET + b"GET /health HTTP/1.1\r\nX: ", b"x"),
    "a body without a token, in drops": (HEAD + b"Content-Length: 1000000\r\n\r\n", b" "),
    "a body without a token and without an end": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "half a body without a token": (HEAD + b"Content-Length: 1000000\r\n\r\n{", b""),
}


@pytest.mark.parametrize("name", SLOW)
def test_who_does_not_come_to_a_request_is_cut_off(running: Running, name: str) -> None:
    first, drop = SLOW[name]
    with connected(running) as link, dripping(link, drop):
        link.sendall(first)
        said = until_closed(link)
    assert said.count(b"HTTP/1.1 200 ") == first.count(GET)
    assert said.count(b"HTTP/1.1 401 ") == first.count(HEAD)


BODIES = {"half a body": b"", "a body in drops": b" "}


@pytest.mark.parametrize("name", BODIES)
def test_a_slow_body_is_told_so_and_cut_off(running: Running, name: str) -> None:
    with connected(running) as link, dripping(link, BODIES[name]):
        link.sendall(authorized(running) + b"Content-Length: 1000000\r\n\r\n{")
        assert until_closed(link).startswith(b"HTTP/1.1 408 ")


def test_who_says_something_in_time_is_answered_time_and_again(running: Running) -> None:
    body = json.dumps({"output": [1], "validation_types": ["schema"], "expected_schema": {"type": "array"}}).encode()
    request = authorized(running) + f"Content-Length: {len(body)}\r\n\r\n".encode() + body
    with connected(running) as link:
        end = time.monotonic() + 2
        # Longer than a connection without a request may last.
        while time.monotonic() < end:
            # Cut in the middle of its head, and of its body.
            for part in (request[:20], request[20:-5], request[-5:]):
                link.sendall(part)
            assert answer(link)["valid"] is True


def answer(link: socket.socket) -> dict[str, object]:
    said = b""
    while b"\r\n\r\n" not in said:
        said += link.recv(1 << 16)
    head, _, rest = said.partition(b"\r\n\r\n")
    size = int(head.lower().partition(b"content-length:")[2].partition(b"\r")[0])
    while len(rest) < size:
        rest += link.recv(1 << 16)
    found = json.loads(rest)
    assert isinstance(found, dict)
    return found


def test_a_request_that_takes_longer_keeps_its_connection(tmp_path: Path) -> None:
    until = tmp_path / "until"
    with server(tmp_path / "server", "--timeout", "20", with_held=True) as running, connected(running) as link:
        body = json.dumps({"until": str(until)}).encode()
        head = authorized(running).replace(b"/validate", b"/v1/held")
        link.sendall(head + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        link.settimeout(0.3)
        with pytest.raises(TimeoutError):
            link.recv(1)
        link.settimeout(PATIENCE)
        until.touch()
        assert "verdict" in answer(link)
