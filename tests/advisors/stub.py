"""A server on this machine that speaks like a model, or misbehaves in every way that servers do."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Callable, Mapping
from contextlib import suppress

from probatum.advisors.configured import ConfiguredModel, model_of
from tests.local_server import Place, answer

PATH = "/v1/chat/completions"
KEY = "sk-a-secret-of-somebody"
REPLY = '{"word": "yes"}'


def configured(place: Place, **further: object) -> ConfiguredModel:
    """Return the model that answers there, with little time."""
    named = {key.replace("_", "-"): value for key, value in further.items()}
    return model_of("stub", {"url": f"{place.origin}/v1", "model": "stub-1", "seconds": 0.4, **named})


def completion(content: object = REPLY, *, ended: str = "stop", **further: object) -> bytes:
    """Return what a well-behaved server sends with a reply."""
    message = {"role": "assistant", "content": content, **further}
    usage = {"prompt_tokens": 11, "completion_tokens": 7}
    return told({"choices": [{"index": 0, "message": message, "finish_reason": ended}], "usage": usage})


def told(document: object, *headers: str, status: str = "200 OK") -> bytes:
    return answer(json.dumps(document).encode(), *headers, status=status, media_type="application/json")


def failing(status: str, *headers: str, message: str = "it is broken") -> bytes:
    return told({"error": {"message": message, "type": "e"}}, *headers, status=status)


def asked(place: Place) -> list[Mapping[str, object]]:
    """Return the bodies that came."""
    return [json.loads(each.partition(b"\r\n\r\n")[2]) for each in place.asked]


def _says_nothing(place: Place) -> Callable[[socket.socket], None]:
    return lambda _connection: _wait(place)


def _wait(place: Place) -> None:
    place.ended.wait(5)


def _drips(begun: bytes) -> Callable[[Place], Callable[[socket.socket], None]]:
    """Sends a byte at a time, for ever."""

    def of(place: Place) -> Callable[[socket.socket], None]:
        def talk(connection: socket.socket) -> None:
            connection.sendall(begun)
            with suppress(OSError):
                while not place.ended.wait(0.02):
                    connection.sendall(b"a")

        return talk

    return of


def _streams(_place: Place) -> Callable[[socket.socket], None]:
    def talk(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
        with suppress(OSError):
            while True:
                connection.sendall(b" " * 65_536)

    return talk


def _resets(_place: Place) -> Callable[[socket.socket], None]:
    def talk(connection: socket.socket) -> None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    return talk


_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n"
Told = bytes | Callable[[Place], Callable[[socket.socket], None]]
MISBEHAVES: Mapping[str, tuple[Told, str]] = {
    "it never answers": (_says_nothing, "advisor.too_slow"),
    "it drips its head": (_drips(b"HTTP/1.1 200 OK\r\nX-A: "), "advisor.too_slow"),
    "it drips its body": (_drips(_HEAD + b"\r\n"), "advisor.too_slow"),
    "it streams for ever": (_streams, "advisor.too_large"),
    "its answer is huge": (completion("a" * 5_000_000), "advisor.too_large"),
    "it is asked too often": (failing("429 Too Many Requests"), "advisor.rate_limited"),
    "it is asked too often for hours": (failing("429 No", "Retry-After: 7200"), "advisor.rate_limited"),
    "it is asked too often until a date": (
        failing("429 No", "Retry-After: Fri, 31 Dec 2100 23:59:59 GMT"),
        "advisor.rate_limited",
    ),
    "it says nonsense of when": (failing("429 No", "Retry-After: soon"), "advisor.rate_limited"),
    "it has a defect": (failing("500 Internal Server Error"), "advisor.server_failed"),
    "it is overloaded": (failing("503 Unavailable", "Retry-After: 0"), "advisor.server_failed"),
    "it redirects": (told({}, "Location: https://elsewhere.example/", status="307 Go"), "advisor.redirects"),
    "it wants a key": (failing("401 No", message=f"Incorrect key: {KEY}"), "advisor.not_allowed"),
    "it does not know the model": (failing("404 No", message=f"no such model for {KEY}"), "advisor.refused"),
    "it refuses the form": (failing("400 Bad", message="response_format is unsupported"), "advisor.refused"),
    "it says nothing": (answer(b""), "advisor.not_a_reply"),
    "it says nothing and means well": (answer(b"", status="204 No Content"), "advisor.refused"),
    "it is no model": (answer(b"<html>hello</html>", media_type="text/html"), "advisor.not_a_reply"),
    "it streams events": (
        answer(b'data: {"choices": []}\n\n', media_type="text/event-stream"),
        "advisor.not_a_reply",
    ),
    "it is somebody else": (told({"status": "ok", "choices": "none"}), "advisor.not_a_reply"),
    "it gives a list": (told([1, 2]), "advisor.not_a_reply"),
    "it gives no choices": (told({"choices": []}), "advisor.not_a_reply"),
    "it cuts its JSON off": (answer(completion()[-60:-30], media_type="application/json"), "advisor.not_a_reply"),
    "it promises more than it sends": (
        _HEAD.replace(b"100000", b"500") + b"Connection: close\r\n\r\n{",
        "advisor.unreachable",
    ),
    "it closes the connection": (b"", "advisor.unreachable"),
    "it resets the connection": (_resets, "advisor.unreachable"),
    "it speaks no HTTP": (b"220 smtp.example ESMTP\r\n", "advisor.unreachable"),
    "it packs its body": (answer(b"\x1f\x8b\x08", "Content-Encoding: gzip"), "advisor.not_a_reply"),
    "its reply is empty": (completion(""), "advisor.empty"),
    "its reply is null": (completion(None), "advisor.empty"),
    "its reply is a list": (completion([{"type": "text", "text": REPLY}]), "advisor.not_a_reply"),
    "its reply is too long for it": (completion('{"word": "y', ended="length"), "advisor.cut_off"),
    "it declines": (completion(None, refusal="I will not."), "advisor.declined"),
    "it filters": (completion("{", ended="content_filter"), "advisor.declined"),
    "it repeats the key": (completion(f'{{"word": "{KEY}"}}'), "advisor.tells_key"),
}
"""What a server does, and how a question to it ends."""
