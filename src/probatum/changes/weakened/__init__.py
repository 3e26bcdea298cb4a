"""Checks that a change weakens, by syntax."""
