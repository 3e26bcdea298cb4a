"""The judge believes nothing: whatever bytes arrive give a value, or the one error that says they are wrong."""

from __future__ import annotations

import contextlib
import itertools
import json
import socket
import threading
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.limits import ExtentError, JobLimits
from probatum.sandbox import jobs
from probatum.sandbox.jobs import Channel, Ending, reply_of
from probatum.sandbox.outcome import Lost, LostReason, Returned
from probatum.sandbox.wire import ProtocolError, ReplyReader, frame, parse

JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=6), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=20,
)
TAGS = [
    "l",
    "t",
    "s",
    "z",
    "q",
    "d",
    "od",
    "co",
    "dd",
    "o",
    "e",
    "u",
    "r",
    "i",
    "f",
    "c",
    "b",
    "B",
    "R",
    "D",
    "Q",
    "dt",
    "da",
]
TAGS += ["dt", "da", "ti", "td", "tz", "E", "h", "n", "S", "ok", "raised", "lost"]
TAGGED = st.recursive(
    st.one_of(st.none(), st.integers(-3, 3000), st.text("0123456789abcdefxp.-+", max_size=6), JSON),
    lambda inner: st.builds(lambda tag, rest: [tag, *rest], st.sampled_from(TAGS), st.lists(inner, max_size=9)),
    max_leaves=15,
)


@given(payload=st.one_of(st.binary(), JSON.map(lambda made: json.dumps(made).encode())))
def test_any_bytes_parse_or_are_refused(payload: bytes) -> None:
    try:
        content = parse(payload, 50)
    except ProtocolError:
        return
    assert json.dumps(content) == json.dumps(json.loads(payload))


@given(wire=TAGGED)
def test_any_content_is_a_value_or_refused(wire: object) -> None:
    try:
        value = ReplyReader().read(wire)
    except ProtocolError:
        return
    assert type(value).__module__ in (
        "builtins", "collections", "datetime", "decimal", "fractions", "probatum.sandbox.outcome",
    )  # fmt: skip


@given(content=TAGGED)
def test_any_content_is_a_reply_or_refused(content: object) -> None:
    try:
        reply = reply_of(content)
    except ProtocolError:
        return
    assert isinstance(content, list)
    assert content[0] in ("ok", "raised", "lost")
    assert not isinstance(reply, Lost) or reply.reason in ("memory", "output", "arguments")


@pytest.mark.parametrize("content", [["lost", ["l"], ""], ["lost", {}, ""], ["lost", "memory", ["l"]], ["lost", 1, ""]])
def test_a_loss_for_no_reason_is_refused(content: list[object]) -> None:
    with pytest.raises(ProtocolError):
        reply_of(content)


REFUSED: dict[str, object] = {
    "a float of JSON": 1.5,
    "a large integer in the wrong form": 2**60,
    "an object": {"a": 1},
    "an unknown tag": ["pickle", "x"],
    "an empty list": [],
    "a tag that is a list": [["l"]],
    "a float that is no number": ["f", "1.5"],
    "a float with spaces": ["f", " 0x1.8p+0"],
    "an integer in words": ["i", "one"],
    "an integer with underscores": ["i", "1_0"],
    "a zero denominator": ["Q", "1", "0"],
    "a decimal with a huge exponent": ["D", "1E+" + "9" * 30],
    "a range without a step": ["R", 0, 1, 0],
    "a reference to nothing": ["r", 0],
    "a reference from the end": ["l", ["r", -1]],
    "a tuple in itself": ["t", ["r", 0]],
    "an unhashable key": ["d", ["l"], 1],
    "a key without a value": ["d", 1],
    "an unhashable member": ["s", ["l"]],
    "a moment that never was": ["dt", 2023, 2, 29, 0, 0, 0, 0, 0, None],
    "a moment from a pickle": ["dt", "0123456789"],
    "a declared value without a name": ["o", 3],
    "content without an object": ["u", 0, 1],
    "content of something that is no object": ["u", 0, ["l"], 1],
    "content that is the object itself": ["u", 0, ["h", 1, "artifact.L"], ["r", 0]],
    "content with unknown marks": ["u", "1", ["h", 1, "artifact.L"], []],
    "a field without a name": ["o", "artifact.P", 1, 2],
    "a handle with a text for a number": ["h", "1", "x"],
}  # fmt: skip


ROW = ["t", *range(2000)]
# Before anything walks it; the process lives on.
TOO_LARGE: dict[str, object] = {
    "a fraction that takes hours": ["Q", "f" * 15_000, "f" * 15_001],
    "keys that collide": ["s", *([["i", f"{index * (2**61 - 1) + 2**61 - 1:x}"] for index in range(1, 500)])],
    "a whole number of very many digits": ["i", "f" * 200_000],
    "a decimal number of very many digits": ["D", "9" * 200_000],
    "a row in very many places": ["l", ROW, *([["r", 1]] * 1000)],
    "a text in very many places": ["l", ["l", "a" * 20_000], *([["r", 1]] * 100)],
    "a row in very many keys": ["d", ROW, 0, *[part for n in range(1000) for part in (["t", ["r", 1], n], n)]],
    "very many deques": ["l", *([["q", None]] * 20_000)],
    "ways back from several places": ["l", ["l", ["r", 0]], ["r", 1]],
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_value_that_is_larger_than_its_frame_is_refused(name: str) -> None:
    with pytest.raises(ExtentError):
        ReplyReader().read(TOO_LARGE[name])
    ours, theirs = socket.socketpair()
    with theirs:
        channel = Channel(ours, JobLimits(), lambda _tell: None)
        reply = channel.reply(["ok", TOO_LARGE[name], [], [], "", []])
        assert isinstance(reply, Lost)
        assert reply.reason is LostReason.OUTPUT
        assert channel.lost is None
        channel.close()


def test_lists_of_which_each_holds_another_one_twice_are_refused() -> None:
    wire: list[object] = ["l", "x"]
    for level in range(30):
        wire = ["l", wire, ["r", 30 - level]]
    with pytest.raises(ExtentError):
        ReplyReader().read(wire)


SHARED: dict[str, tuple[object, int]] = {
    "a row in some places": (["l", ROW, *([["r", 1]] * 100)], 101),
    "a list in itself, often": (["l", *([["r", 0]] * 1000)], 1000),
    "a list that leads back, twice": (["l", ["l", ["r", 1]], ["r", 1]], 2),
    "a long list": (["l", *range(100_000)], 100_000),
}


@pytest.mark.parametrize("name", SHARED)
def test_a_value_that_stands_in_several_places_is_one_object(name: str) -> None:
    wire, length = SHARED[name]
    value = ReplyReader().read(wire)
    assert len(value) == length
    assert isinstance(value[0], int) or all(each is value[0] for each in value)


@pytest.mark.parametrize("name", REFUSED)
def test_a_value_in_the_wrong_form_is_refused(name: str) -> None:
    payload = json.dumps(REFUSED[name]).encode()
    with pytest.raises(ProtocolError):
        ReplyReader().read(parse(payload, 50))


NESTED = {
    "open lists": b"[" * 900_000,
    "closed lists": b"[" * 400_000 + b"]" * 400_000,
    "lists beside each other and one deep": b"[" + b"[]," * 200_000 + b"[" * 60 + b"]" * 61,
    "objects": b'{"":' * 100_000,
}


@pytest.mark.parametrize("name", NESTED)
def test_nesting_is_refused_before_it_is_parsed(name: str) -> None:
    with pytest.raises(ProtocolError):
        parse(NESTED[name], 50)


def test_brackets_in_text_are_no_nesting() -> None:
    content = ["[[[[" * 100, '"[[[\\"[[' * 50, []]
    assert parse(json.dumps(content).encode(), 3) == content


def _against(answers: Callable[[socket.socket], object]) -> object:
    """Ask one request of a process that is only a thread; ``answers`` plays it."""
    ours, theirs = socket.socketpair()
    ends: list[bool] = []

    def end(tell: bool) -> Ending:
        ends.append(tell)
        return Ending(0, None, 0.0)

    channel = Channel(ours, JobLimits(wall_seconds=300.0, reply_bytes=1000), end)
    thread = threading.Thread(target=answers, args=(theirs,))
    thread.start()
    try:
        return channel.ask(b'["call"]')
    finally:
        thread.join()
        theirs.close()
        channel.close()


def _request(link: socket.socket) -> bytes:
    data = link.recv(4096)
    return data[4:20]


READY = frame(bytes(16), b"")
GOOD = b'["ok",1,[],[],"",[]]'


def _in_pieces(link: socket.socket) -> None:
    for byte in READY + frame(_request(link), GOOD):
        link.send(bytes([byte]))


def _too_large(link: socket.socket) -> None:
    link.sendall(READY + (1001).to_bytes(4, "little") + _request(link))


PLAYED: dict[str, tuple[Callable[[socket.socket], object], LostReason | None]] = {
    "an honest reply": (lambda link: link.sendall(READY + frame(_request(link), GOOD)), None),
    "an honest reply in pieces": (_in_pieces, None),
    "another number": (lambda link: link.sendall(READY + frame(b"x" * 16, GOOD)), LostReason.PROTOCOL),
    "two replies": (lambda link: link.sendall(READY + 2 * frame(_request(link), GOOD)), LostReason.PROTOCOL),
    "a reply over the budget": (_too_large, LostReason.PROTOCOL),
    "no JSON": (lambda link: link.sendall(READY + frame(_request(link), b"\xff\xfe")), LostReason.PROTOCOL),
    "half a frame": (lambda link: (_request(link), link.sendall(READY + b"abc"), link.close()), LostReason.EXIT),
    "silence and the end": (lambda link: (_request(link), link.sendall(READY), link.close()), LostReason.EXIT),
    "the end before it was ready": (lambda link: (_request(link), link.close()), LostReason.SETUP),
    "a failed setup": (lambda link: link.sendall(frame(bytes(16), b"no Landlock")), LostReason.SETUP),
}


@pytest.mark.parametrize("name", PLAYED)
def test_a_channel_takes_one_reply_and_nothing_else(name: str) -> None:
    play, reason = PLAYED[name]
    content = _against(play)
    if reason is None:
        assert reply_of(content) == Returned(1)
    else:
        assert isinstance(content, Lost)
        assert content.reason is reason


def test_a_text_that_never_ends_is_refused_at_once() -> None:
    with pytest.raises(ProtocolError):
        parse(b"[" * 101 + b'"' + b'\\"' * 400_000, 100)


# Seconds between two looks at the clock, and why the process is lost by the end of 200 requests.
PACES = {"a busy machine": (0.004, None), "a process that waits": (0.1, LostReason.WALL)}


@pytest.mark.parametrize("name", PACES)
def test_many_quick_requests_are_no_waiting(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pace, lost = PACES[name]
    looks = itertools.count()
    monkeypatch.setattr(jobs, "monotonic", lambda: next(looks) * pace)

    def answers(link: socket.socket) -> None:
        link.sendall(READY)
        with contextlib.suppress(OSError):
            while data := link.recv(4096):
                link.sendall(frame(data[4:20], GOOD))

    ours, theirs = socket.socketpair()
    thread = threading.Thread(target=answers, args=(theirs,))
    thread.start()
    channel = Channel(ours, JobLimits(wall_seconds=1.0), lambda _tell: Ending(0, None, 0.0))
    for _ in range(200):
        channel.ask(b'["call"]')
    reason = channel.lost and channel.lost.reason
    channel.close()
    thread.join()
    theirs.close()
    assert reason is lost
