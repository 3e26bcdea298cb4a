"""A verdict is admitted for what it names and for nothing else: whatever differs is refused, each with its sentence."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from probatum.app.gating import GateWishes, ask_gate
from probatum.app.kinds import built_in_kinds
from probatum.app.received import ReceivedVerdict
from probatum.app.sources import Sources
from probatum.core.canonical import canonical_bytes
from probatum.core.command import Given
from probatum.core.digest import digest_of
from probatum.proof.artifact import parse_artifact
from probatum.proof.bundle import verdict_of
from probatum.proof.stores import MemoryStore
from tests.cli.programs import HOLDING
from tests.services import Service

Document = dict[str, dict[str, object]]

TAX = b"def factor(percent: int) -> int:\n    return 100 + percent\n"
GROSS = HOLDING.replace(b"net_price", b"gross_price").replace(b'"""Prices."""', b"")
PRICES = b"from shop.tax import factor\n" + HOLDING.replace(b"(100 + percent)", b"factor(percent)") + GROSS
RIGHT_AND_WRONG = HOLDING + GROSS.replace(b"// (100", b"// (101")
PRIVATE = HOLDING + b"\n\ndef _half(number: int) -> int:\n    return number // 2\n"
BASKET = b'''class Basket:
    """
    >>> basket = Basket()
    >>> basket.add(3)
    3
    >>> basket.add(5)
    8
    >>> Basket().add(0)
    0
    >>> Basket().add(7)
    7
    """

    def __init__(self) -> None:
        self.amounts: list[int] = []

    def add(self, amount: int) -> int:
        """
        >>> Basket().add(4)
        4
        >>> Basket().add(-2)
        -2
        """
        self.amounts.append(amount)
        return sum(self.amounts)
'''
OTHER = "not verified with the contract that --contract names"
CONTRACT = ">>> net_price(238, 19)\n200\n"
NARROW = "Requires: gross >= 0 and percent >= 0\n\n>>> net_price(238, 19)\n200\n"
COMPILED = f"rate_table{EXTENSION_SUFFIXES[0]}"
OPTIONAL = (
    HOLDING.replace(b'"""Prices."""', b"")
    + b"""
try:
    %s
except ImportError:
    pass
"""
)
TESTS = b"from artifact import net_price\n\n\ndef test_it():\n    assert net_price(238, 19) == 200\n"
FILES: Mapping[str, bytes] = {
    "pyproject.toml": b"",
    "shop/__init__.py": b'"""A shop."""\n',
    "shop/tax.py": TAX,
    "shop/prices.py": PRICES,
    "shop/kit/__init__.py": HOLDING,
    "src/goods/__init__.py": b"",
    "src/goods/stock.py": b"from goods import rates\n" + HOLDING.replace(b"(100 +", b"(rates.BASE +"),
    "src/goods/rates.py": b"BASE = 100\n",
    "app.py": HOLDING,
    "both.py": RIGHT_AND_WRONG,
    "private.py": PRIVATE,
    "basket.py": BASKET,
    "alone.py": b"import rate_table\n" + HOLDING.replace(b"(100 +", b"(rate_table.BASE +"),
    "rate_table.py": b"BASE = 100\n",
    "hidden.py": b"from fractions import Fraction\n" + HOLDING,
    "named.py": b"import importlib\n" + OPTIONAL % b"importlib.import_module(name='rates')",
    "renamed.py": b"from importlib import import_module as load\n" + OPTIONAL % b"load('rates')",
    "old.py": HOLDING + b"\n# before\n",
    "tests_of_it.py": TESTS,
    "contract.txt": CONTRACT.encode(),
}
VERIFIED: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "package": ("shop/prices.py", {}),
    "one of a package": ("shop/prices.py::net_price", {}),
    "init": ("shop/kit/__init__.py", {}),
    "src": ("src/goods/stock.py", {}),
    "app": ("app.py", {}),
    "one of both": ("both.py::net_price", {}),
    "half": ("private.py", {}),
    "basket": ("basket.py", {}),
    "beside": ("alone.py", {}),
    "hidden": ("hidden.py", {}),
    "named": ("named.py", {}),
    "renamed": ("renamed.py", {}),
    "contract": ("app.py", {"contract": CONTRACT}),
    "narrow": ("app.py", {"contract": NARROW}),
    "tests": ("app.py", {"tests": "tests_of_it.py"}),
    "against": ("app.py", {"against": "old.py"}),
    "weak": ("app.py", {"min-strength": 0.1}),
    "thorough": ("app.py", {"level": "thorough"}),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked about one verdict, after something was changed."""

    verdict: str
    # What is refused, in words of its sentence; empty for what is admitted.
    refused: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    # By path: what the file holds now; None for one that is gone.
    files: Mapping[str, bytes | None] = field(default_factory=dict)
    # Where the subject lies; None for the file that was verified, empty for bytes without a place.
    place: str | None = None
    # What the maker of the proof changed in it.
    change: Callable[[Document], object] = lambda _document: None
    link: str = ""


def version(name: str, number: str) -> Callable[[Document], object]:
    """Return a change of the version of one verifier."""

    def change(document: Document) -> None:
        [row] = [row for row in document["verifiers"] if row["id"] == name]
        row["version"] = number

    return change


def policy(**changes: object) -> Callable[[Document], object]:
    """Return a change of the policy."""
    return lambda document: document["policy"]["content"].update(changes)


def without(name: str) -> Callable[[Document], object]:
    """Return a change that leaves one part out."""
    return lambda document: document["contract"]["content"]["further"].pop(name)


def with_part(name: str, content: bytes) -> Callable[[Document], object]:
    """Return a change that adds or replaces one part."""
    reference = {"$part": digest_of(content)}
    return lambda document: document["contract"]["content"]["further"].update({name: reference})


def observations(kept: Callable[[list[Document]], object]) -> Callable[[Document], object]:
    """Return a change of which functions a proof is about."""
    return lambda document: kept(document["observations"])


REFUSED: Mapping[str, Asked] = {
    # scope
    "scope: one of two names": Asked("one of a package", "the file defines also gross_price"),
    "scope: the other function is refuted": Asked("one of both", "the file defines also gross_price"),
    "scope: the other name is used": Asked("one of both", "not about gross_price", {"name": "gross_price"}),
    "scope: a private name that was not verified": Asked("half", "not about _half", {"name": "_half"}),
    "scope: a name that the file lacks": Asked("app", "the file defines no missing", {"name": "missing"}),
    "scope: a name in another spelling": Asked("app", "the file defines no Net_price", {"name": "Net_price"}),
    "scope: a method that the class lacks": Asked("basket", "defines no Basket.drop", {"name": "Basket.drop"}),
    "scope: a name that only begins alike": Asked("basket", "defines no Basket_", {"name": "Basket_"}),
    "scope: a function left out of the proof": Asked(
        "package", "the file defines also gross_price", change=observations(lambda rows: rows.pop())
    ),
    "scope: the name of one in a dotted form": Asked("app", "defines no app.net_price", {"name": "app.net_price"}),
    # modules beside the program
    "sibling: changed": Asked("package", "the module shop.tax is another now", files={"shop/tax.py": TAX + b"#"}),
    "sibling: rates changed": Asked(
        "package", "shop.tax is another now", files={"shop/tax.py": TAX.replace(b"100", b"90")}
    ),
    "sibling: gone": Asked("package", "shop.tax took part and is not there now", files={"shop/tax.py": None}),
    "sibling: a package instead of the module": Asked(
        "package",
        "shop.tax.__init__ is imported now and took no part",
        files={"shop/tax.py": None, "shop/tax/__init__.py": TAX},
    ),
    "sibling: the file of the package changed": Asked(
        "package", "shop.__init__ is another now", files={"shop/__init__.py": b"print(1)\n"}
    ),
    "sibling: the file of the package is gone": Asked(
        "package", "shop.__init__ took part and is not there now", files={"shop/__init__.py": None}
    ),
    "sibling: a compiled one before it": Asked(
        "beside", f"rate_table{EXTENSION_SUFFIXES[0]} is loaded by an import", files={COMPILED: b""}
    ),
    "sibling: a compiled package before it": Asked(
        "beside", "__init__.pyc is loaded by an import", files={"rate_table/__init__.pyc": b""}
    ),
    "sibling: one that hides a module of Python": Asked(
        "hidden", "instead of the standard library's fractions", files={"fractions.py": b"Fraction = round\n"}
    ),
    "sibling: imported by an argument with a name": Asked("named", "rates is imported now", files={"rates.py": b"x=1"}),
    "sibling: imported by another name of the import": Asked(
        "renamed", "rates is imported now", files={"rates.py": b"x=1"}
    ),
    "sibling: imports another one now": Asked(
        "package",
        "the module shop.more is imported now and took no part",
        files={"shop/tax.py": b"from shop import more\n" + TAX, "shop/more.py": b""},
    ),
    "sibling: beside a file alone": Asked("beside", "rate_table is another now", files={"rate_table.py": b"BASE = 9"}),
    "sibling: beside a file alone, gone": Asked("beside", "rate_table took part and", files={"rate_table.py": None}),
    "sibling: one that the program hides behind": Asked(
        "app", "the module app.__init__", files={"__init__.py": b""}, change=with_part("module app.__init__", b"")
    ),
    "sibling: in a src layout": Asked("src", "goods.rates is another", files={"src/goods/rates.py": b"BASE = 1"}),
    "sibling: the src package": Asked("src", "goods.__init__ is another", files={"src/goods/__init__.py": b"#"}),
    "sibling: of the file of a package": Asked(
        "init", "shop.__init__ is another now", files={"shop/__init__.py": b"import os\n"}
    ),
    "sibling: invented in the proof": Asked(
        "app", "shop.tax took part and is not there now", change=with_part("module shop.tax", TAX)
    ),
    "sibling: left out of the proof": Asked(
        "package", "shop.tax is imported now and took no part", change=without("module shop.tax")
    ),
    "sibling: exchanged in the proof": Asked(
        "package", "shop.tax is another now", change=with_part("module shop.tax", TAX + b"#")
    ),
    "sibling: bytes without a place": Asked("package", "it was verified together with shop.__init__", place=""),
    "module: a copy elsewhere": Asked("package", "is the module prices", place="copy/shop/prices.py"),
    # the module that the file is
    "module: renamed": Asked("app", "as the module app, and the file at hand is the module other", place="other.py"),
    "module: moved into a package": Asked("app", "is the module shop.app", place="shop/app.py"),
    "module: moved out of a package": Asked("package", "is the module prices", place="prices.py"),
    "module: the file of a package as a plain file": Asked("init", "is the module kit", place="kit.py"),
    "module: a plain file as that of a package": Asked("app", "is the module app.__init__", place="app/__init__.py"),
    "module: a link under another name": Asked("app", "is the module linked", place="linked.py", link="app.py"),
    "module: a name that is none": Asked("app", "is the module artifact", place="not-a-name.py"),
    "module: another in the proof": Asked(
        "app",
        "as the module shop.app",
        change=lambda document: document["contract"]["content"].update(module="shop.app"),
    ),
    # contract
    "contract: none was given": Asked("app", "without a contract; what --contract", {"contract": CONTRACT}),
    "contract: another": Asked("contract", OTHER, {"contract": ">>> net_price(1, 0)\n1\n"}),
    "contract: a larger one": Asked(
        "contract",
        OTHER,
        {"contract": CONTRACT + ">>> net_price(1, 0)\n1\n"},
    ),
    "contract: a blank more": Asked("contract", OTHER, {"contract": CONTRACT + "\n"}),
    "contract: from a file": Asked("narrow", OTHER, {"contract": "@contract.txt"}),
    "contract: an empty one": Asked("contract", OTHER, {"contract": ""}),
    "contract: of an output": Asked("app", "without a contract", {"contract": "order.schema.json"}),
    "contract: chosen by whoever verified": Asked("contract", "with a contract of somebody's choice"),
    "contract: chosen, and restricts the inputs": Asked("narrow", "with a contract of somebody's choice"),
    "contract: left out of the proof": Asked(
        "contract",
        "without a contract",
        {"contract": CONTRACT},
        change=lambda document: document["contract"]["content"].update(text=None),
    ),
    "contract: the input of an output": Asked("app", "--input cannot be demanded", {"input": "old.py"}),
    # tests and earlier version
    "tests: none were given": Asked(
        "app", "without tests; what --tests names is demanded", {"tests": "tests_of_it.py"}
    ),
    "tests: chosen by whoever verified": Asked("tests", "with tests of somebody's choice: name it with --tests"),
    "against: chosen by whoever verified": Asked("against", "with an earlier version of somebody's choice"),
    "tests: others": Asked("tests", "not verified with the tests that --tests names", {"tests": "old.py"}),
    "tests: changed since": Asked(
        "tests", "with the tests that", {"tests": "tests_of_it.py"}, files={"tests_of_it.py": TESTS + b"#"}
    ),
    "tests: those are an earlier version": Asked("against", "without tests", {"tests": "old.py"}),
    "against: none was given": Asked("app", "without an earlier version; what --against", {"against": "old.py"}),
    "against: another": Asked("against", "earlier version that --against names", {"against": "basket.py"}),
    "against: changed since": Asked(
        "against", "earlier version that", {"against": "old.py"}, files={"old.py": HOLDING + b"#"}
    ),
    # level and policy
    "level: standard for thorough": Asked(
        "app", "400 are required: verify again at --level thorough", {"level": "thorough"}
    ),
    "level: quick": Asked(
        "app", "0 generated inputs, and 100", change=policy(level="quick", generated_inputs=0, mutants=0)
    ),
    "level: thorough in name alone": Asked("app", "100 generated inputs, and 400", change=policy(level="thorough")),
    "level: one that does not exist": Asked("app", "none of the product's", change=policy(level="heroic")),
    "policy: a smaller share": Asked("weak", "0.1 of the mutants are killed"),
    "policy: a share below the asked one": Asked("app", "0.9 is required", {"min-strength": 0.9}),
    "policy: one planted fault": Asked("app", "it allows 1 mutants", change=policy(mutants=1)),
    "policy: few inputs for a statement": Asked("app", "1 inputs for each statement", change=policy(stated_inputs=1)),
    "policy: a seed that suits": Asked("app", "its seed is 41, and 0 is required", change=policy(seed=41)),
    "policy: no isolation": Asked("app", "ran without isolation", change=policy(isolation="none")),
    # versions
    "version: of probatum": Asked(
        "app", "program.documented was 0.0.1 and is", change=version("program.documented", "0.0.1")
    ),
    "version: of Python": Asked("app", "python was CPython 2.7.18", change=version("python", "CPython 2.7.18")),
    "version: of the generator": Asked("app", "hypothesis was 1.0", change=version("hypothesis", "1.0")),
    "version: of the planter": Asked("app", "libcst was 0.1", change=version("libcst", "0.1")),
    "version: a package that is not installed": Asked(
        "app",
        "package leftpad was 1.0 and is missing here",
        change=lambda document: document["verifiers"].append({"id": "package leftpad", "version": "1.0"}),
    ),
}
ADMITTED: Mapping[str, Asked] = {
    "the whole file": Asked("package"),
    "one of the whole file": Asked("package", options={"name": "gross_price"}),
    "the one that was verified": Asked("one of a package", options={"name": "net_price"}),
    "the right one of both": Asked("one of both", options={"name": "net_price"}),
    "a class": Asked("basket", options={"name": "Basket"}),
    "a method of a class": Asked("basket", options={"name": "Basket.add"}),
    "the file of a package": Asked("init"),
    "a src layout": Asked("src"),
    "modules beside it": Asked("beside"),
    "a module of Python that nothing hides": Asked("hidden"),
    "an optional module that is still not there": Asked("named"),
    "a compiled file that nothing imports": Asked("app", files={COMPILED: b""}),
    "a module with the name of one of Python that is not imported": Asked("app", files={"fractions.py": b""}),
    "a module that takes no part was changed": Asked("package", files={"basket.py": b"", "shop/other.py": b"x = 1"}),
    "the same file by another path": Asked("package", place="shop/../shop/prices.py"),
    "a link of the same name": Asked("app", place="linked/app.py", link="app.py"),
    "bytes without a place and without modules": Asked("app", place=""),
    "another folder": Asked("app", place="deep/er/app.py"),
    "the contract": Asked("contract", options={"contract": CONTRACT}),
    "the contract from a file": Asked("contract", options={"contract": "@contract.txt"}),
    "a contract that restricts, and is ours": Asked("narrow", options={"contract": NARROW}),
    "the tests": Asked("tests", options={"tests": "tests_of_it.py"}),
    "the earlier version": Asked("against", options={"against": "old.py"}),
    "thorough": Asked("thorough", options={"level": "thorough"}),
    "thorough for standard": Asked("thorough", options={"level": "standard"}),
    "another version, as asked": Asked("app", options={"any-version": True}, change=version("libcst", "0.1")),
    "a smaller share, as asked": Asked("weak", options={"min-strength": 0.1}),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    for path, content in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


@pytest.fixture(scope="module")
def proofs(project: Path, service: Service) -> Mapping[str, bytes]:
    """The artifact of every verdict, by its name."""
    kind, found = built_in_kinds()["program"], {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project)
        for name, (subject, options) in VERIFIED.items():
            [request] = kind.requests(Given(subject, options), Sources(None))
            verdict = service.verify(kind, request).verdict
            assert verdict.proof_ref is not None, (name, verdict)
            found[name] = service._store.fetch(verdict.proof_ref)
    return found


@pytest.fixture
def gate(project: Path, proofs: Mapping[str, bytes], service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Return what asks the gate about a row, in a copy of the project."""
    shutil.copytree(project, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)

    def ask(row: Asked) -> tuple[bool, str]:
        for path, content in row.files.items():
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).unlink() if content is None else Path(path).write_bytes(content)
        subject = Path(VERIFIED[row.verdict][0].partition("::")[0])
        content = FILES[str(subject)]
        place = str(subject) if row.place is None else row.place
        if place and not Path(place).exists():
            Path(place).parent.mkdir(parents=True, exist_ok=True)
            Path(place).symlink_to(Path(row.link).absolute()) if row.link else Path(place).write_bytes(content)
        document = json.loads(proofs[row.verdict])
        row.change(document)
        for entry in (document["policy"], document["contract"]):
            entry["digest"] = digest_of(canonical_bytes(entry["content"]))
        store = MemoryStore()
        store.retain_all([content, *FILES.values(), TAX + b"#", CONTRACT.encode(), b""])
        artifact = canonical_bytes(document)
        verdict = verdict_of(parse_artifact(artifact), store.retain(artifact))
        wishes = GateWishes(demands=Given(place, row.options))
        checked = ask_gate(ReceivedVerdict(verdict), content, wishes, store, sources=Sources(None))
        failed = [step["detail"] for step in checked.document["steps"] if step["holds"] is False]
        return checked.holds, failed[0] if failed else ""

    return ask


@pytest.mark.parametrize("name", REFUSED)
def test_what_differs_is_refused_with_its_sentence(name: str, gate: Callable[[Asked], tuple[bool, str]]) -> None:
    is_admitted, told = gate(REFUSED[name])
    assert not is_admitted
    assert REFUSED[name].refused in told


@pytest.mark.parametrize("name", ADMITTED)
def test_what_is_named_is_admitted(name: str, gate: Callable[[Asked], tuple[bool, str]]) -> None:
    assert gate(ADMITTED[name]) == (True, "")
