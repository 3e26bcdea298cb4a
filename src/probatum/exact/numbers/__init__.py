"""Exact numbers: how they are read, computed with, compared, and checked without being computed again."""
