"""stub"""
from probatum.judge.quality.text import text_hits as security_hits
