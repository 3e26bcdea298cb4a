"""Labelled sets of programs through the public path, and the tables that they give.

Refuses to show the product a label, a hidden test or a twin: it sees what a user would give it.
"""
