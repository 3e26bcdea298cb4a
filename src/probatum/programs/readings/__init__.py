"""Readings: statements of documentation said as clauses in a closed subset of Python.

Refuses to let a reading count that the policy does not count, and to run a clause where the program or the judge runs.
"""
