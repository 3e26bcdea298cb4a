"""What strangers wrote is read in work that grows with its size and no faster, and ends in a value or a named error.

Work is counted, not timed: calls of functions, those that are written in C included. What a single call in C costs is
measured by `benchmarks/hostile_input.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FrameType

import pytest

from probatum.core.errors import ProbatumError
from probatum.sandbox.wire import ProtocolError
from tests.attacks.hostile_readers import READERS, Read
from tests.attacks.hostile_shapes import Shape

# The tokens of a program are counted where it could have too many: from 100,000 bytes on.
SIZES = (9_000, 90_000)
LARGE = (100_000, 1_000_000)
# Calls for each byte, when ten times as much is read.
MOST_GROWTH = 1.6
# What a reader does once, whatever it reads.
FIXED = 3_000
NAMED = (ProbatumError, ProtocolError, ValueError)


def rows() -> Iterator[object]:
    """Yield every reader with every shape of a form that it takes."""
    for name, reader in READERS.items():
        for number, form in enumerate(reader.forms):
            for shape, make in form.items():
                yield pytest.param(reader.read, make, id=f"{name}: {shape} ({number})")


def work_of(read: Read, content: bytes) -> int:
    """Return how many calls reading takes."""
    calls = 0

    def counted(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        read(content)
    except NAMED:
        pass
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.sampled(15)
@pytest.mark.parametrize(("read", "make"), list(rows()))
def test_work_grows_with_size_and_no_faster(read: Read, make: Shape) -> None:
    many, most = grown(read, make, *SIZES)
    assert many <= most


@pytest.mark.long
@pytest.mark.parametrize(("read", "make"), list(rows()))
def test_so_does_the_work_for_large_inputs(read: Read, make: Shape) -> None:
    many, most = grown(read, make, *LARGE)
    assert many <= most


def grown(read: Read, make: Shape, *sizes: int) -> tuple[int, float]:
    """Return how many calls the larger input takes, and the most that are its share."""
    small, large = (make(size).encode("utf-8", "surrogatepass") for size in sizes)
    # Twice, as what is loaded or compiled for the first time counts once.
    work_of(read, small)
    few, many = work_of(read, small), work_of(read, large)
    return many, FIXED + MOST_GROWTH * few * len(large) / len(small)


def test_there_are_enough_shapes_for_every_form() -> None:
    assert len({shape for reader in READERS.values() for form in reader.forms for shape in form}) >= 150
