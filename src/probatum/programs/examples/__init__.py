"""Examples that documents and given tests show, in every notation that people write: calls and their values.

Refuses to guess a value that it cannot read; it is reported instead.
"""
