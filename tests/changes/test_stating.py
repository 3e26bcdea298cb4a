"""Claims of commit messages: the subject by itself, and each message by itself."""

from __future__ import annotations

import pytest

from probatum.changes.claims.facts import claims_of
from probatum.changes.claims.reading import ChangeClaimKind

_BODY = "Added 2 tests. All tests pass."
_KINDS = [ChangeClaimKind.TESTS_ADDED, ChangeClaimKind.TESTS_PASS]


@pytest.mark.parametrize(
    "subject", ["Fix crash when all seats are taken", "Fix the wrong total", "If it rains, stay", "Something else"]
)
def test_a_subject_does_not_silence_what_is_claimed_below_it(subject: str) -> None:
    message = f"{subject}\n\n{_BODY}"
    ((*_, added, passing),) = claims_of(None, [message])
    assert [added.kind, passing.kind] == _KINDS
    assert message[passing.start :].startswith("All tests pass")


def test_a_text_that_is_given_takes_the_place_of_the_messages() -> None:
    assert claims_of("Nothing is claimed here, really.", [_BODY]) == ((),)
