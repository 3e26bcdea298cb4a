"""Both versions of a repository, as files in memory."""
