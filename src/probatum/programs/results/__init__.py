"""What documents say about results of all calls: sentences that a library of forms reads as conditions.

Refuses a sentence that no form reads whole.
"""
