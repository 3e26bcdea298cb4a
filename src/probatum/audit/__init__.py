"""Evidence about an event into a reasoning trace that anybody can follow: claims, contradictions, predicate, trace."""
