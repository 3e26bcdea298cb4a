"""Reading texts: files, documents, sections, sentences, values and signatures, each with its exact place."""
