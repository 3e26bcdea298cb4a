"""A lending library."""

from library.members import limit_of

__all__ = ["limit_of"]
