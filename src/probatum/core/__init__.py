"""Values and laws that everything else stands on: verdicts, decisions, findings, canonical bytes, messages.

Only the standard library and rfc8785 are imported here; nothing reads a file, a clock or a random source.
"""
