"""Quotations: found where their marks can be nothing else."""

from __future__ import annotations

from time import process_time

import pytest

from probatum.readers.passages import quoted_spans

QUOTED = {
    'He said "hello there" and left.': ['"hello there"'],
    "“a ‘b’ c” d": ["“a ‘b’ c”"],
    "«x» and „gut“": ["«x»", "„gut“"],
    "it's 'fine' to": ["'fine'"],
    "‘Well,’ he said, ‘come.’": ["‘Well,’", "‘come.’"],
    "rock 'n' roll in the '90s": [],
    "the dogs' bowl and the cats' bowl": [],
    'a 5" and a 6" screen': [],
    '"never closed\n\nnew paragraph" x': [],
    "> what was written\nthe answer": ["> what was written"],
}


@pytest.mark.parametrize("text", QUOTED)
def test_quotations(text: str) -> None:
    assert [text[start:end] for start, end in quoted_spans(text)] == QUOTED[text]


@pytest.mark.parametrize("piece", ["n't ", '"', "'", "“", "a' ", " 'a", ">", "\n\n"])
def test_time_grows_with_the_length(piece: str) -> None:
    def spent(size: int) -> float:
        text = piece * (size // len(piece))
        times = []
        for _ in range(3):
            begin = process_time()
            quoted_spans(text)
            times.append(process_time() - begin)
        return min(times)

    assert spent(160_000) < 24 * spent(20_000) + 0.01
