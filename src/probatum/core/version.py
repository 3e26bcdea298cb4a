"""The one place where versions come from: probatum's own, and those of installed distributions.

Refuses nothing: a distribution that is not installed has an empty version.
"""

from __future__ import annotations

__version__ = "0.1.0"


def version_of(distribution: str) -> str:
    """Return the version of an installed distribution; empty where it is not installed."""
    # Deferred: it takes longer to load than all that most commands need.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""
