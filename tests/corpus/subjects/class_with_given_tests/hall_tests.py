"""What the box office expects of a hall."""

import pytest

from artifact import Hall


def test_books_from_the_left():
    hall = Hall(2, 4)
    assert hall.book(2) == [(0, 0), (0, 1)]
    assert hall.book(1) == [(0, 2)]
    assert hall.free == 5


def test_goes_to_the_next_row_when_a_row_is_too_full():
    hall = Hall(2, 3)
    assert hall.book(2) == [(0, 0), (0, 1)]
    assert hall.book(2) == [(1, 0), (1, 1)]
    assert hall.book(2) == []
    assert hall.book(1) == [(0, 2)]
    assert hall.free == 1


def test_a_released_seat_can_be_booked_again():
    hall = Hall(1, 3)
    hall.book(3)
    assert hall.free == 0
    assert hall.release(0, 1)
    assert not hall.release(0, 1)
    assert hall.free == 1
    assert hall.book(2) == []
    assert hall.book(1) == [(0, 1)]


@pytest.mark.parametrize("rows, seats, expected", [(1, 1, 1), (3, 5, 15), (0, 4, 0)])
def test_all_seats_are_free_at_first(rows, seats, expected):
    assert Hall(rows, seats).free == expected
