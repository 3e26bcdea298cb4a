"""What documents and code say about calls: which arguments are legal, and which exceptions are announced.

Refuses a condition that it does not read whole.
"""
