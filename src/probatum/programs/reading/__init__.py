"""Reading texts: files, documents, sections, sentences, values and signatures, each with its exact place.

Refuses to evaluate anything that it reads.
"""
