"""A server on this machine that says what a test tells it to: whole answers, byte by byte."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable
from typing import TypeAlias

_Told: TypeAlias = bytes | Callable[[socket.socket], None]


def answer(body: bytes = b"a text", *headers: str, status: str = "200 OK", media_type: str = "text/plain") -> bytes:
    lines = [
        f"HTTP/1.1 {status}",
        "Connection: close",
        f"Content-Length: {len(body)}",
        *([f"Content-Type: {media_type}"] if media_type else []),
    ]
    return "\r\n".join([*lines, *headers, "", ""]).encode("latin-1") + body


def redirect(to: str) -> bytes:
    return answer(b"", f"Location: {to}", status="302 Found")


class Place:
    """A server on this machine that says what a test tells it to, by path, and keeps what it was asked."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.answers: dict[str, _Told | list[_Told]] = {}
        self.asked: list[bytes] = []
        self.ended = threading.Event()
        self._tls = tls
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.origin = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        with connection:
            try:
                spoken = self._tls.wrap_socket(connection, server_side=True) if self._tls else connection
                asked = _request(spoken)
                self.asked.append(asked)
                told = self.answers[asked.split(b" ")[1].decode().partition("?")[0]]
                told = told.pop(0) if isinstance(told, list) else told
                if callable(told):
                    told(spoken)
                else:
                    spoken.sendall(told)
                if self._tls:
                    spoken.unwrap()  # type: ignore[attr-defined]  # a TLS connection has it
            except (OSError, IndexError):
                # Whoever asked has left, perhaps before a word.
                return

    def close(self) -> None:
        self.ended.set()
        self._listening.close()


def _request(connection: socket.socket) -> bytes:
    asked, missing = b"", 1
    while missing > 0 and (more := connection.recv(65536)):
        asked += more
        head, end, body = asked.partition(b"\r\n\r\n")
        sizes = [
            int(line.partition(b":")[2]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")
        ]
        missing = sum(sizes) - len(body) if end else 1
    return asked
