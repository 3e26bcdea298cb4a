"""probatum decides whether something that an AI produced may be acted on, and leaves a proof."""

from __future__ import annotations

__version__ = "0.1.0"
