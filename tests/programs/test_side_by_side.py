"""Work that is done two at a time: an error of the interpreter that threads give each other ends none of it."""

from __future__ import annotations

import pytest

from probatum.programs.running.execute import Benches, side_by_side

DISTURBED = "AST constructor recursion depth mismatch (before=36, after=23)"


def test_what_another_thread_disturbed_is_made_again(benches: Benches) -> None:
    tried: list[int] = []

    def work(given: int) -> int:
        tried.append(given)
        if tried.count(given) < 3:
            raise SystemError(DISTURBED)
        return given * 2

    assert side_by_side(benches.first, work, [1, 2, 3]) == [2, 4, 6]
    assert sorted(tried) == [1, 1, 1, 2, 2, 2, 3, 3, 3]


@pytest.mark.parametrize("error", [SystemError("something else"), SystemError(DISTURBED), ValueError(DISTURBED)])
def test_any_other_error_ends_it_and_so_does_one_that_stays(benches: Benches, error: Exception) -> None:
    def work(_given: int) -> int:
        raise error

    with pytest.raises(type(error), match=str(error).partition(" (")[0]):
        side_by_side(benches.first, work, [1])
