"""For all tests: reports that hold text without a UTF-8 form, so that a failing test cannot end the whole run.

Several tests feed lone surrogates to the program. When one of them fails, its report holds them too, and the workers of
a parallel run could not send it.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

collect_ignore = ["corpus"]
"""Its test files are given to the product, not run here."""


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    """Write what cannot be encoded as visible escapes, wherever it stands in a report."""
    report = yield
    return _encodable(report)


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_encodable(item) for item in value)
    return value
