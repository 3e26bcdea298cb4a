"""The JSON Schema of ValidationResult, draft-07: what every reader of a judgement may rely on.

It cannot say that ``valid`` excludes an error or that a score is finite; `ValidationResult` refuses both.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from probatum.core.frozen import FrozenDict, frozen_dict


@cache
def result_schema() -> FrozenDict:
    """Return the schema; members that it does not name, such as ``verdict``, are allowed."""
    text = files("probatum.judge").joinpath("validation-result.schema.json").read_text(encoding="utf-8")
    return frozen_dict(json.loads(text))
