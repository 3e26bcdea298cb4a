"""Verifying a program: read what it is documented to do, run it isolated, plant faults, decide.

Refuses to import or evaluate the program under test in its own process.
"""
