"""The checks of one function: examples, stated clauses, laws; and how much they would notice.

Refuses to let a check that was not answered count as holding.
"""
