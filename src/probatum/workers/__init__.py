"""Processes that may die: how each is started, asked, limited, ended with all that it started, and replaced.

`process` runs something once, below the guard of `guard`. `link` talks to a process that stays, `frames` is what is
said, `warm` asks one such process, `pool` hands jobs to several. `watchdog` is the budget that such a process has.
Refuses to take anything for an answer that a process did not give whole, and to leave one behind.
"""
