"""The tools of all kinds for agents, over the Model Context Protocol: as a child process, or over HTTP."""
