"""How good an output is."""

from probatum.judge.quality.layer import quality_report, quality_score_of

__all__ = ["quality_report", "quality_score_of"]
