"""Engines that decide claims exactly; nothing has to be trusted, because each leaves a certificate that is checked.

Loads an engine, and the solver behind it, when the first claim for it comes.
"""

from __future__ import annotations

from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling
from probatum.exact.engines import ENGINES, EngineEntry, check, decide

__all__ = ["ENGINES", "CannotDecideError", "EngineEntry", "ExactClaim", "Ruling", "check", "decide"]
