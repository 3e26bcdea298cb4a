"""The application: questions in, answers out, the same for every interface; it wires all parts and retains proofs.

Only this package knows everyone, and only it makes a verdict VERIFIED. Refuses to render, to print and to exit.
"""
