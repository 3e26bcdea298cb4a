"""Environments: what makes the values that no literal writes, such as a session on a database with rows.

It ships ``session``, ``scratch``, ``clock`` and ``randomness``; packages add others, see `provider`.
"""
