"""What can be said of a program without running it on anything: it notes what is surely wrong, and refutes nothing.

Refuses to guess: what may be right in another place, at another time or on another machine is not noted.
"""
