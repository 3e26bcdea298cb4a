"""stub text"""
from collections.abc import Iterator
from probatum.judge.quality.parts import OutputPart
from probatum.judge.quality.scoring import QualityHit
def text_hits(part: OutputPart) -> Iterator[QualityHit]:
    return iter(())
basic_text_hits = neutral_hits = text_hits
