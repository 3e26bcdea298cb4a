#!/usr/bin/env python3
"""Count the words of a text: `wordcount.py < letter.txt`."""

import argparse
import sys


def word_counts(text: str, least: int = 1) -> list[tuple[str, int]]:
    """Return the words that occur at least so often, the most frequent first, then alphabetically.

    Words are compared in lower case; full stops, commas, exclamation and question marks around them do not count.

    >>> word_counts("To be, or not to be!")
    [('be', 2), ('to', 2), ('not', 1), ('or', 1)]
    >>> word_counts("To be, or not to be!", least=2)
    [('be', 2), ('to', 2)]
    >>> word_counts("No. No? Yes - no, yes.", 2)
    [('no', 3), ('yes', 2)]
    >>> word_counts("e.g. this, e.g. that")
    [('e.g', 2), ('that', 1), ('this', 1)]
    >>> word_counts(" ... ")
    []
    """
    counts: dict[str, int] = {}
    for piece in text.lower().split():
        word = piece.strip(".,!?")
        if word:
            counts[word] = counts.get(word, 0) + 1
    frequent = [(word, count) for word, count in counts.items() if count >= least]
    return sorted(frequent, key=lambda each: each[1], reverse=True)


def _main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--least", type=int, default=1)
    options = parser.parse_args()
    for word, count in word_counts(sys.stdin.read(), options.least):
        print(f"{count:6} {word}")
    return 0


if __name__ == "__main__":
    sys.exit(_main())
