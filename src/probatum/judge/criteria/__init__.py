"""Acceptance criteria, decided by evidence where they can be."""
