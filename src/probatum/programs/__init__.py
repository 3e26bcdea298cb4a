"""Verifying a program: read what it is documented to do, run it isolated, plant faults, decide.

Nothing of the program under test is imported or evaluated in this process.
"""
