"""Plain English read as facts and rules: what follows from sentences, and what a text states in so many words."""
