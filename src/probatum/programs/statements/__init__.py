"""Statements: documentation cut into sentences, entries and rows, each with its place and what vouches for it.

Refuses to pass a sentence over: what is not surely narrative says how the program behaves.
"""
