"""What the options and settings of the plugin may be. Refuses a value that means nothing."""

from __future__ import annotations

from typing import Final

import pytest

LEVELS: Final = ("quick", "standard", "thorough")
FAIL_ON: Final = ("undecided", "blocked", "refuted")


def setting(config: pytest.Config, name: str, among: tuple[str, ...]) -> str:
    """Return an option, else what the configuration file says; raises UsageError for a value that is none of these."""
    value = str(config.getoption(f"probatum_{name}") or config.getini(f"probatum_{name}"))
    if value not in among:
        raise pytest.UsageError(f"probatum_{name} is one of {', '.join(among)}, got {value!r}")
    return value
