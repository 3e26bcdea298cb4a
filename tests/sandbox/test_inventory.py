"""What annotations say at run time is found in every Python, whether it computes them early, late or never."""

from __future__ import annotations

import sys
import types
from collections.abc import Mapping

import pytest

from probatum.sandbox.inside.inventory import Inventory

WORDS = "It is never negative."
_HEAD = f"from typing import Annotated\n_Rate = Annotated[int, ''.join([{WORDS!r}])]\n"
_QUOTED = "from __future__ import annotations\n" + _HEAD
PLACES: Mapping[str, str] = {
    "an attribute": _HEAD + "class Point:\n    x: _Rate\n",
    "an attribute of a base": _HEAD + "class _Base:\n    x: _Rate\n\nclass Point(_Base):\n    pass\n",
    "a parameter": _HEAD + "def area(x: _Rate):\n    return x\n",
    "a result": _HEAD + "def area(x) -> _Rate:\n    return x\n",
    "a method": _HEAD + "class Point:\n    def area(self, x: _Rate):\n        return x\n",
    "quoted": _QUOTED + "class Point:\n    x: _Rate\n",
    "quoted, beside a name that is missing": _QUOTED + "class Point:\n    x: _Rate\n    y: Missing\n",
}
# Where Python computes annotations once somebody asks, a name may be missing or be bound later.
LAZY: Mapping[str, str] = {
    "an attribute beside a missing name": _HEAD + "class Point:\n    x: _Rate\n    y: Missing\n",
    "a parameter beside a missing name": _HEAD + "def area(x: _Rate, y: Missing):\n    return x\n",
    "within a missing name": _HEAD + "def area(x: Missing[_Rate]):\n    return x\n",
    "around a missing name": _HEAD + "def area(x: Annotated[Missing, _Rate.__metadata__[0]]):\n    return x\n",
    "bound later": _HEAD + "def area(x: _Later):\n    return x\n\n_Later = _Rate\n",
}


def _texts(source: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    module = types.ModuleType("annotated_here")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(source, "annotated_here.py", "exec", dont_inherit=True), vars(module))
    return [text for _, _, text in Inventory(module.__name__, vars(module), (), ()).texts]


@pytest.mark.parametrize("place", PLACES)
def test_what_an_annotation_says_is_found(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _texts(PLACES[place], monkeypatch) == [WORDS]


@pytest.mark.skipif(sys.version_info < (3, 14), reason="this Python computes annotations at once")
@pytest.mark.parametrize("place", LAZY)
def test_a_name_that_nothing_binds_hides_nothing(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert WORDS in _texts(LAZY[place], monkeypatch)
