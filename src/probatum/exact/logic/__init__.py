"""Logic: what follows, what can hold together and what an optimum is, with refutations followed step by step."""
