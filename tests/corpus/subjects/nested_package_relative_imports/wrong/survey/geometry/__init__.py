"""Shapes of plots."""

from .checks import is_shape

__all__ = ["is_shape"]
