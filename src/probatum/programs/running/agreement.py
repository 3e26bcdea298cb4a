"""What follows from the two outcomes of one given test: split from the program, and beside it.

| split       | beside the program | state                                                           |
|-------------|--------------------|-----------------------------------------------------------------|
| passed      | passed             | holds                                                           |
| failed      | failed             | fails                                                           |
| not carried | passed or failed   | holds or fails, where evidence is shared                        |
| anything else                    | undecided: it leans on the process, or a way was bent or broke |

Refuses to refute on one of the two alone.
"""

from __future__ import annotations

from typing import Final

from probatum.programs.record import CheckState

PASSED: Final = "passed"
FAILED: Final = "failed"
NOT_CARRIED: Final = "not_carried"


def state_of_test(split: str, plain: str, *, forge_resistant: bool) -> CheckState:
    """Return the state of a test; without ``forge_resistant`` the outcome beside the program is its ground."""
    due = {PASSED: CheckState.HOLDS, FAILED: CheckState.FAILS}.get(plain, CheckState.UNDECIDED)
    return due if split == plain or (split == NOT_CARRIED and not forge_resistant) else CheckState.UNDECIDED


def state_of_session(split: str, plain: str, *, forge_resistant: bool) -> CheckState:
    """Return the state of a reader's session: what fails beside the program refutes, there it can only forge a pass."""
    return CheckState.FAILS if plain == FAILED else state_of_test(split, plain, forge_resistant=forge_resistant)
