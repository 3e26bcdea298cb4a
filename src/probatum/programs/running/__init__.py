"""Running calls, examples and tests isolated, comparing what comes back, and what a result depends on.

Refuses to take silence for an answer.
"""
