"""Messages between a process and its workers: whatever way a socket cuts them, they come out as they went in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from probatum.workers.frames import Frame, FrameReader

BODIES = st.binary(max_size=50) | st.just(b'{"size": 9}\n') | st.just(b"\n\n")


@given(bodies=st.lists(BODIES, max_size=8), cuts=st.lists(st.integers(1, 40), max_size=60))
def test_messages_survive_every_cut(bodies: list[bytes], cuts: list[int]) -> None:
    frames = [Frame({"job": number, "text": "a\nb"}, body) for number, body in enumerate(bodies)]
    rest, reader, found = b"".join(frame.to_bytes() for frame in frames), FrameReader(), []
    for cut in cuts:
        found += reader.feed(rest[:cut])
        rest = rest[cut:]
    found += reader.feed(rest)
    assert [(frame.head["job"], frame.head["text"], frame.body) for frame in found] == [
        (number, "a\nb", body) for number, body in enumerate(bodies)
    ]
