"""The HTTP service: requests of every registered kind, answered by the lanes of `probatum.app.serving`."""
