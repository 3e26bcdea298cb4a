"""Public names that no definition makes: a wrong one with a documented failing example is never verified or admitted.

A naive judge looks at ``def`` and ``class`` alone, and the rest of the file passes under the verdict of its neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from probatum.app.gating import GateWishes, ask_gate
from probatum.app.received import ReceivedVerdict
from probatum.app.sources import Sources
from probatum.core.command import Given
from probatum.core.decision import Outcome
from probatum.proof.stores import MemoryStore
from tests.cli.programs import HOLDING
from tests.services import Service, tolerant

GOOD = HOLDING.decode().partition("\n")[2]
MODULE = '"""Prices.\n\n>>> net(119)\n{value}\n"""\n{form}\n' + GOOD
"""``net`` takes 19 percent off, rounded down: 100 of 119. What the forms do is 119 - 19 % of it: 96."""
_DEF = "def {name}(gross):\n    return gross * 81 // 100\n"
_PRIVATE = _DEF.format(name="_net")
_MAKER = "def _make(share):\n    def net(gross):\n        return gross * share // 100\n    return net\n"
_MADE_CLASS = (
    "class _Net:\n    def __call__(self, gross):\n        return gross * 81 // 100\n"
    "    def of(self, gross):\n        return gross * 81 // 100\n"
)
FORMS: Mapping[str, str] = {
    "alias of a private function": _PRIVATE + "net = _net\n",
    "annotated alias": "from collections.abc import Callable\n" + _PRIVATE + "net: Callable[[int], int] = _net\n",
    "alias in a tuple": _PRIVATE + "net, gross = _net, 3\n",
    "alias by a loop": _PRIVATE + "for net in (_net,):\n    pass\n",
    "alias by a walrus": _PRIVATE + "(net := _net)\n",
    "alias that is bound again": _PRIVATE + "net = _net\nnet = lambda gross: gross * 81 // 100\n",
    "alias of a static method": _MADE_CLASS + "class _Tools:\n    @staticmethod\n    def net(gross):\n"
    "        return gross * 81 // 100\n\nnet = _Tools.net\n",
    "bound method": _MADE_CLASS + "net = _Net().of\n",
    "object that can be called": _MADE_CLASS + "net = _Net()\n",
    "lambda": "net = lambda gross: gross * 81 // 100\n",
    "lambda in a condition": "net = (lambda gross: gross * 81 // 100) if True else None\n",
    "partial": "from functools import partial\n\ndef _of(share, gross):\n    return gross * share // 100\n\n"
    "net = partial(_of, 81)\n",
    "cached": "from functools import lru_cache\n\n" + _PRIVATE + "net = lru_cache(_net)\n",
    "product of a factory": _MAKER + "net = _make(81)\n",
    "globals": _PRIVATE + "globals()['net'] = _net\n",
    "globals of a factory": _MAKER + "globals().update(net=_make(81))\n",
    "exec": "exec('def net(gross): return gross * 81 // 100')\n",
    "module getattr": "__all__ = ['net', 'net_price']\n\n" + _PRIVATE + "def __getattr__(name):\n"
    "    if name == 'net':\n        return _net\n    raise AttributeError(name)\n",
    "condition": "import sys\nif sys.version_info > (3, 2):\n    def net(gross):\n        return gross * 81 // 100\n"
    "else:\n    def net(gross):\n        return gross * 100 // 119\n",
    "condition, the other way": "import sys\nif sys.version_info < (3, 2):\n    def net(gross):\n"
    "        return gross * 100 // 119\nelse:\n    def net(gross):\n        return gross * 81 // 100\n",
    "try": "try:\n    import _there_is_no_such_module\n    def net(gross):\n        return gross * 100 // 119\n"
    "except ImportError:\n    def net(gross):\n        return gross * 81 // 100\n",
    "class made by a call": "_Net = type('_Net', (), {'__new__': lambda cls, gross: gross * 81 // 100})\nnet = _Net\n",
    "decorated private name": "def _kept(function):\n    globals()['net'] = function\n    return None\n\n@_kept\n"
    + _PRIVATE,
}
ELSEWHERE = {
    "re-exported": "from rates import net\n\n__all__ = ['net', 'net_price']\n",
    "re-exported by its own name": "from rates import net as net\n",
    "taken in by a star": "from rates import *\n",
}
RATES = _DEF.format(name="net").encode()
# By what documents the name: a wrong example and a right one, as the file would hold it.
DOCUMENTED: Mapping[str, str] = {
    "attribute docstring of a definition": '{form}def _other():\n    pass\n\n"""Net.\n\n>>> net(119)\n{value}\n"""\n',
    "written into __doc__": '{form}net.__doc__ = """Net.\n\n>>> net(119)\n{value}\n"""\n',
    "__test__": '{form}__test__ = {{"net": """\n>>> net(119)\n{value}\n"""}}\n',
    "neighbour": "{form}"
    + 'def twice(gross):\n    """Twice.\n\n    >>> net(119)\n    {value}\n    """\n    return 2 * gross\n',
    "session of the module": '{form}"""\n>>> part = net(119)\n>>> part\n{value}\n"""\n',
}


def is_admitted(source: str, function: str | None, place: Path) -> bool:
    """Whether the gate lets somebody act on the whole file by a verdict, which has to be VERIFIED."""
    place.write_text(source)
    store = MemoryStore()
    with Service(store) as service:
        answer = service.verify_program(tolerant(source.encode(), place.name, function))
    assert answer.verdict.is_verified
    wishes = GateWishes(demands=Given(str(place), {"allow-unchecked": True}))
    received = ReceivedVerdict(answer.verdict)
    return ask_gate(received, source.encode(), wishes, store, sources=Sources(None)).holds


def outcome_of(source: str, service: Service, **parts: object) -> Outcome:
    answer = service.verify_program(tolerant(source.encode(), "subject.py", **parts))
    return Outcome(answer.verdict.outcome)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("form", FORMS)
def test_a_wrong_name_without_definition_is_not_verified(form: str, service: Service) -> None:
    source = MODULE.format(form=FORMS[form], value=100)
    assert outcome_of(source, service) in {Outcome.REFUTED, Outcome.UNDECIDED}, source


@pytest.mark.sampled(6)
@pytest.mark.parametrize("form", FORMS)
def test_a_name_without_definition_is_never_refuted_by_what_holds(form: str, service: Service) -> None:
    source = MODULE.format(form=FORMS[form], value=96)
    assert outcome_of(source, service) is Outcome.UNDECIDED, source


@pytest.mark.parametrize("form", ELSEWHERE)
def test_a_wrong_name_from_elsewhere_is_not_verified(form: str, service: Service) -> None:
    source = MODULE.format(form=ELSEWHERE[form], value=100)
    assert outcome_of(source, service, siblings=(("rates", RATES),)) in {Outcome.REFUTED, Outcome.UNDECIDED}, source


@pytest.mark.sampled(4)
@pytest.mark.parametrize("way", DOCUMENTED)
@pytest.mark.parametrize("form", ["lambda", "product of a factory", "alias of a private function"])
def test_a_failing_example_is_not_ignored_wherever_it_is(way: str, form: str, service: Service) -> None:
    source = DOCUMENTED[way].format(form=FORMS[form], value=100) + GOOD
    assert outcome_of(source, service) in {Outcome.REFUTED, Outcome.UNDECIDED}, source


@pytest.mark.parametrize("form", ["lambda", "product of a factory", "module getattr"])
def test_the_gate_admits_no_file_by_the_verdict_about_one_function_of_it(form: str, tmp_path: Path) -> None:
    source = MODULE.format(form=FORMS[form], value=100)
    assert not is_admitted(source, "net_price", tmp_path / "subject.py")


PLAIN: Mapping[str, str] = {
    "a constant": "RATES = dict(food=7)\n",
    "a declared type": "from collections import namedtuple\n\nPrice = namedtuple('Price', 'net gross')\n",
    "a lambda that nothing documents": "twice = lambda price: 2 * price\n",
}


@pytest.mark.parametrize("form", PLAIN)
def test_what_nothing_documents_bars_nothing(form: str, tmp_path: Path) -> None:
    assert is_admitted(PLAIN[form] + GOOD, None, tmp_path / "subject.py")
