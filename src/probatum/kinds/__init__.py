"""Kinds of subject, one folder each: the protocol of `probatum.verification.kind` filled in from a domain package."""
