"""The two sandboxes of a service, which can start while what judges programs is still being loaded."""

from __future__ import annotations

from probatum.sandbox import Environment, Opening, environment_named, own_environment


def environment(python: str | None) -> Environment:
    """Return the interpreter of this name with its packages, the running one for None.

    Raises:
        UsageError: it is no interpreter that the sandbox can run.
    """
    return own_environment() if python is None else environment_named(python)


def begin_to_open(python: Environment, *, unsafe_no_isolation: bool = False) -> Opening:
    """Begin to open the two sandboxes, which differ in their hash seed."""
    return Opening((0, 1), python, unsafe_no_isolation=unsafe_no_isolation)
