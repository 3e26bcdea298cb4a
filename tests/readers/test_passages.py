"""Quotations and negations: found where their marks can be nothing else."""

from __future__ import annotations

from time import process_time

import pytest

from probatum.readers.passages import negated_spans, quoted_spans

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


NEGATED = {
    "It did not reach 100, but fell to 5.": ["not reach 100"],
    "He can't say. It is 5.": ["n't say"],
    "They failed to reach $5.5 million; it was 4.": ["failed to reach $5.5 million"],
    "She denied the 5 claims.": ["denied the 5 claims"],
    "without any of the 5": ["without any of the 5"],
    "It was never 5. It is not 6!": ["never 5", "not 6"],
    "No, the price was 5.": [],
    "no more than 5, and not only then": [],
    "No. 5 is here": [],
    "the knot and the notion": [],
}


@pytest.mark.parametrize("text", NEGATED)
def test_negations(text: str) -> None:
    assert [text[start:end] for start, end in negated_spans(text)] == NEGATED[text]


@pytest.mark.parametrize(
    "piece", ["not ", "n't ", '"', "'", "“", "a' ", " 'a", "no, ", ">", "not. ", "\n\n", "failed "]
)
def test_time_grows_with_the_length(piece: str) -> None:
    def spent(size: int) -> float:
        text = piece * (size // len(piece))
        times = []
        for _ in range(3):
            begin = process_time()
            quoted_spans(text), negated_spans(text)
            times.append(process_time() - begin)
        return min(times)

    assert spent(160_000) < 24 * spent(20_000) + 0.01
