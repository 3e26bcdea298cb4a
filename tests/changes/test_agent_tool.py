"""What an agent asks about its own change: verdict, reasons and what to do, within the folders that are lent."""

from __future__ import annotations

from pathlib import Path

import pytest

from probatum.app.desk import ServiceDesk
from probatum.app.kinds import kind_named
from probatum.app.service import Service
from probatum.app.sources import NO_SOURCES
from probatum.core.errors import UsageError
from probatum.kinds.change.agent_tool import CHANGE
from probatum.proof.stores import MemoryStore
from tests.changes.repositories import committed, written

_BASE = {
    "total.py": "def total(items):\n    return sum(items[1:])\n",
    "test_total.py": "from total import total\n\n\ndef test_nothing():\n    assert total([]) == 0\n",
}
_FIXED = {
    "total.py": "def total(items):\n    return sum(items)\n",
    "test_total.py": _BASE["test_total.py"] + "\n\ndef test_some():\n    assert total([1, 2]) == 3\n",
}


def _desk(service: Service, *lent: Path) -> ServiceDesk:
    return ServiceDesk(service, kind_named("change"), NO_SOURCES, lent)


def test_an_agent_sees_what_is_left_to_do_until_nothing_is(tmp_path: Path) -> None:
    folder = committed(tmp_path / "work", _BASE)
    with Service(MemoryStore()) as service:
        desk = _desk(service, folder)
        written(folder, {"total.py": _FIXED["total.py"]})
        told = CHANGE.act({"repository": str(folder), "claims": "I added 1 test."}, desk)
        assert (told["status"], told["proof"]) == ("UNVERIFIABLE", None)
        reasons = told["reasons"]
        assert isinstance(reasons, list)
        assert [each["code"] for each in reasons[:2]] == ["change.claim_contradicted", "change.no_witness"]
        assert all(each["do"] for each in reasons)
        written(folder, _FIXED)
        told = CHANGE.act({"repository": str(folder), "claims": "I added 1 test. All tests pass."}, desk)
        assert (told["status"], told["reasons"], told["more"]) == ("VERIFIED", [], 0)
        assert str(told["proof"]).startswith("sha256:")


def test_nothing_is_read_outside_of_what_is_lent(tmp_path: Path) -> None:
    folder = committed(tmp_path / "work", {**_BASE, "inner/a.py": ""})
    with Service(MemoryStore()) as service:
        for lent, asked in ((folder / "inner", folder / "inner"), (tmp_path / "other", folder)):
            with pytest.raises(UsageError) as raised:
                CHANGE.act({"repository": str(asked)}, _desk(service, lent))
            assert raised.value.code == "path.outside"


@pytest.mark.parametrize("arguments", [{"accept": ["test_total.py"]}, {"claims": 3}, {"python": "python"}])
def test_nothing_else_can_be_said(arguments: dict[str, object], tmp_path: Path) -> None:
    with Service(MemoryStore()) as service, pytest.raises(UsageError):
        CHANGE.act(arguments, _desk(service, tmp_path))
