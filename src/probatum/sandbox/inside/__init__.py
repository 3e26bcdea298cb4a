"""The only code of ours that runs inside the sandbox: standard library only, and it imports nothing else of ours."""
