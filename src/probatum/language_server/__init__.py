"""The server of editors: the Language Server Protocol around verifications that run in a process of their own."""
