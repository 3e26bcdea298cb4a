"""Two small programs for the laws, one that does what it says and one that does not, and how they are asked about."""

from __future__ import annotations

from probatum.core.ports import Store
from probatum.proof.stores import MemoryStore
from tests.services import Answer, Level, ProgramRequest, Service

SOUND = b'''
def clamp(value: int, low: int, high: int) -> int:
    """
    >>> clamp(5, 1, 9)
    5
    >>> clamp(-3, 1, 9)
    1
    >>> clamp(12, 1, 9)
    9
    >>> clamp(1, 1, 9)
    1
    """
    if value < low:
        return low
    if value > high:
        return high
    return value
'''
WEAK = SOUND.replace(
    b"""    >>> clamp(-3, 1, 9)
    1
    >>> clamp(12, 1, 9)
    9
""",
    b"",
)
WRONG = SOUND.replace(b"return high", b"return low")


def request(source: bytes = SOUND, level: Level = Level.STANDARD) -> ProgramRequest:
    return ProgramRequest(source, "clamp.py", "clamp", level=level)


def asked(source: bytes = SOUND, store: Store | None = None, level: Level = Level.STANDARD) -> Answer:
    with Service(store if store is not None else MemoryStore()) as service:
        return service.verify_program(request(source, level))
