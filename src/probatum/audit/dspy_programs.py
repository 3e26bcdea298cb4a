"""A DSPy program as the model that gives an audit advice, where its user has DSPy installed.

probatum does not depend on DSPy: this imports it when an advisor is made, and refuses by name where it is missing. What
the program says is advice like that of any other model: nothing rests on it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from probatum.core.errors import NotAttemptedError, UsageError

_SIGNATURE: Final = "prompt, json_schema -> reply"


class DspyAdvisor:
    """Asks one DSPy language model through `dspy.Predict`, as `probatum.core.ports.Advisor` says."""

    def __init__(self, lm: object, *, name: str = "dspy") -> None:
        """Keep a language model of DSPy, and the name that records tell; raises UsageError where DSPy is missing."""
        self._dspy: Final = _dspy()
        self._lm: Final = lm
        self.name: Final = name

    def advise(self, prompt: str, schema: Mapping[str, object], *, temperature: float, seed: int) -> str:
        """Return the model's reply as it is; raises NotAttemptedError where the program gives none."""
        config = {"temperature": temperature, "seed": seed}
        try:
            with self._dspy.context(lm=self._lm):
                predict = self._dspy.Predict(_SIGNATURE)
                found = predict(prompt=prompt, json_schema=json.dumps(schema, sort_keys=True), config=config)
            return str(found.reply)
        except Exception as error:  # a program of somebody else may raise anything
            raise NotAttemptedError("advisor.failed", f"The DSPy program gave no reply: {str(error)[:300]}.") from error


def _dspy() -> Any:
    try:
        import dspy  # type: ignore[import-not-found]  # its users install it
    except ImportError as error:
        raise UsageError("advisor.missing", "DSPy is not installed.", "pip install dspy") from error
    return dspy
