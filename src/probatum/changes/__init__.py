"""A change to a repository: may it be merged? Trees, what differs by syntax, runs of the tests, faults, claims.

Refuses to believe what a change says of itself: both versions are laid out from git objects and run in the sandbox.
"""
