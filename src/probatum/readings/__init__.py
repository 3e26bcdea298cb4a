"""Readings: words quoted verbatim, and the formal thing that they say, as a reader has it.

A reader is a model, an agent or a person. Knows no kind of subject: programs and outputs give what is specific to them.
Refuses to let a reading count that the policy does not count.
"""
