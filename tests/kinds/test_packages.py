"""Files of packages and files with surprises at import, from the file on disk to the verdict and its proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from probatum.app.proofs import recheck_proof, show_proof
from probatum.app.sources import NO_SOURCES
from probatum.kinds.program.sources import parse_path, read_programs
from probatum.proof.stores import MemoryStore
from tests.kinds.test_project import make
from tests.sandbox.environments import make_environment
from tests.services import Answer, Level, ProgramRequest, Service

DOCUMENTED = '''
def double(x: int) -> int:
    """
    >>> double(2)
    4
    >>> double(0)
    0
    >>> double(-3)
    -6
    """
    return x * 2
'''
SHOP = {
    "shop/__init__.py": "from .pricing import net_price\nfrom . import tax\n",
    "shop/tax.py": "import shop\nfrom . import pricing\n\ndef whole(percent):\n    return 100 + percent\n",
    "shop/pricing.py": '''
from __future__ import annotations
import shop
from . import tax


def net_price(gross: int, percent: int) -> int:
    """
    >>> from shop.pricing import net_price
    >>> net_price(119, 19)
    100
    >>> import shop
    >>> shop.net_price(120, 20)
    100
    >>> import shop.pricing as p
    >>> p.net_price(50, 0)
    50
    >>> from shop import tax
    >>> net_price(tax.whole(19), 19)
    100
    >>> shop.pricing.net_price(7, 3)
    6
    >>> net_price(0, 19)
    0
    >>> net_price(1000, 7)
    934
    """
    return gross * 100 // tax.whole(percent)
''',
}


@pytest.fixture(scope="module")
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture(scope="module")
def service(store: MemoryStore) -> Iterator[Service]:
    with Service(store) as opened:
        yield opened


def request_for(path: Path, **more: object) -> ProgramRequest:
    target = parse_path(str(path))
    [request] = read_programs(target, ProgramRequest(b"", target.path), NO_SOURCES)
    assert isinstance(request, ProgramRequest)
    return replace(request, **more)  # type: ignore[arg-type]  # fields of the request


def verified(service: Service, path: Path, **more: object) -> Answer:
    return service.verify_program(request_for(path, **more))


def outcome(answer: Answer) -> tuple[str | None, str | None]:
    return answer.verdict.outcome, answer.verdict.constraint_id


def test_a_file_of_a_package_is_verified_with_a_proof_that_a_stranger_can_replay(
    service: Service, store: MemoryStore, tmp_path: Path
) -> None:
    make(SHOP, tmp_path)
    answer = verified(service, tmp_path / "shop" / "pricing.py", save_to=tmp_path / "test_pricing.py")
    assert outcome(answer) == ("tested", "program.tested")
    [saved] = answer.observed.saved()
    assert "from shop.pricing import net_price" in saved.text
    reference = answer.verdict.proof_ref
    assert reference is not None
    checked = recheck_proof(reference, store, service.recheckers(), replay=True)
    assert checked.holds, checked.steps
    document = show_proof(reference, store).document
    assert document["contract"]["content"]["module"] == "shop.pricing"  # type: ignore[index]  # a JSON object
    assert {"id": "python", "version": service.environment.version} in document["verifiers"]  # type: ignore[operator]  # a list


@pytest.mark.parametrize("name", ["class.py", "a-b.py", "artifact.py", "async/pricing.py"])
def test_no_tests_are_saved_that_could_not_import_the_file(name: str, service: Service, tmp_path: Path) -> None:
    folder = name.rpartition("/")[0]
    make({name: DOCUMENTED, **({f"{folder}/__init__.py": ""} if folder else {})}, tmp_path)
    answer = verified(service, tmp_path / name, save_to=tmp_path / "test_it.py", level=Level.QUICK)
    assert answer.verdict.outcome != "not_attempted"
    [saved] = answer.observed.saved()
    assert (saved.text, "no test can import" in saved.why_not) == ("", True)


def test_a_wrong_file_of_a_package_is_refuted(service: Service, tmp_path: Path) -> None:
    make({**SHOP, "shop/tax.py": SHOP["shop/tax.py"].replace("100 +", "101 +")}, tmp_path)
    assert outcome(verified(service, tmp_path / "shop" / "pricing.py")) == ("refuted", "program.counterexample")


def test_the_file_of_a_package_is_verified(service: Service, store: MemoryStore, tmp_path: Path) -> None:
    make(
        {"shop/__init__.py": "from .tax import TWO" + DOCUMENTED.replace("x * 2", "x * TWO"), "shop/tax.py": "TWO = 2"},
        tmp_path,
    )
    answer = verified(service, tmp_path / "shop" / "__init__.py", save_to=tmp_path / "test_shop.py")
    assert outcome(answer) == ("tested", "program.tested")
    [saved] = answer.observed.saved()
    assert "from shop import double" in saved.text
    assert answer.verdict.proof_ref is not None
    assert recheck_proof(answer.verdict.proof_ref, store, service.recheckers(), replay=True).holds


TESTS = {
    "as artifact": "from artifact import net_price\n",
    "by its dotted name": "from shop.pricing import net_price\n",
    "as a part of its package": "from shop import pricing\nnet_price = pricing.net_price\n",
    "by its whole path": "import shop.pricing\nnet_price = shop.pricing.net_price\n",
}


@pytest.mark.parametrize("imported", TESTS.values(), ids=TESTS)
def test_given_tests_import_a_file_of_a_package(imported: str, service: Service, tmp_path: Path) -> None:
    make(SHOP, tmp_path)
    for expected, wanted in ((100, None), (99, "refuted")):
        tests = f"{imported}\n\ndef test_it():\n    assert net_price(119, 19) == {expected}\n".encode()
        answer = verified(service, tmp_path / "shop" / "pricing.py", tests=tests, level=Level.QUICK)
        assert (answer.verdict.outcome == "refuted") is (wanted == "refuted"), answer.verdict


# what stands at the top of the file, outcome, constraint
AT_IMPORT: dict[str, tuple[str, str, str]] = {
    "prints": ("print('hello')", "tested", "program.tested"),
    "reads its arguments carefully": ("import sys\nNAME = sys.argv[1:]", "tested", "program.tested"),
    "ignores standard input": ("import sys\nTEXT = sys.stdin.read()", "tested", "program.tested"),
    "changes a module of Python": ("import json\njson.dumps = None", "undecided", "program.special_cased"),
    "asks for input": ("NAME = input()", "not_attempted", "program.needs_resource"),
    "takes an argument that is not there": ("import sys\nNAME = sys.argv[1]", "refuted", "program.import_raises"),
    "writes beside itself": (
        "from pathlib import Path\n(Path(__file__).parent / 'log').write_text('')",
        "tested",
        "program.tested",
    ),
    "opens a socket": (
        "import socket\nsocket.create_connection(('127.0.0.1', 9))",
        "not_attempted",
        "program.needs_resource",
    ),
    "starts a program": ("import subprocess\nsubprocess.run(['true'])", "not_attempted", "program.needs_resource"),
    "needs a variable": ("import os\nKEY = os.environ['API_KEY']", "not_attempted", "program.needs_resource"),
    "sleeps": ("import time\ntime.sleep(3600)", "undecided", "program.out_of_budget"),
    "calls sys.exit": ("import sys\nsys.exit()", "refuted", "program.import_raises"),
    "its sibling fails": ("import broken", "not_attempted", "program.import_raises"),
    "its sibling ends the process politely": ("import leaving", "not_attempted", "program.import_raises"),
    "its sibling reads a file": ("import reading", "not_attempted", "program.needs_resource"),
    "its package is nowhere": ("import nowhere_at_all", "not_attempted", "program.missing_package"),
}


@pytest.mark.parametrize(
    "case", [pytest.param(each, marks=pytest.mark.long) if each == "sleeps" else each for each in AT_IMPORT]
)
def test_stated_outcome_of_what_happens_at_import(case: str, service: Service, tmp_path: Path) -> None:
    source, *expected = AT_IMPORT[case]
    siblings = {
        "broken.py": "1 / 0",
        "leaving.py": "raise SystemExit",
        "reading.py": "RATES = open('rates.json').read()",
    }
    make({"app.py": source + DOCUMENTED, **siblings}, tmp_path)
    answer = verified(service, tmp_path / "app.py")
    assert list(outcome(answer)) == expected, answer.verdict
    assert sorted(path.name for path in tmp_path.iterdir()) == ["app.py", *siblings]


def test_a_thread_that_never_ends_holds_nothing_up(service: Service, tmp_path: Path) -> None:
    waits = "import threading\nthreading.Thread(target=threading.Event().wait).start()"
    make({"app.py": waits + DOCUMENTED}, tmp_path)
    answer = verified(service, tmp_path / "app.py", level=Level.QUICK)
    assert answer.verdict.outcome in {"undecided", "not_attempted"}
    assert answer.verdict.constraint_id in {"program.strength_not_measured", "program.needs_resource"}


def test_a_main_file_that_runs_at_once_is_not_called_wrong(service: Service, tmp_path: Path) -> None:
    make({"shop/__init__.py": "", "shop/__main__.py": f"import sys\n{DOCUMENTED}\nsys.exit(double(0))"}, tmp_path)
    assert outcome(verified(service, tmp_path / "shop" / "__main__.py")) == ("undecided", "program.import_raises")


def test_a_missing_package_is_told_with_what_would_help(service: Service, tmp_path: Path) -> None:
    make({"app.py": "import nowhere_at_all\n" + DOCUMENTED}, tmp_path)
    assert "--python INTERPRETER" in verified(service, tmp_path / "app.py").sheet.next_step


def test_a_program_that_needs_an_installed_package(store: MemoryStore, service: Service, tmp_path: Path) -> None:
    make({"app.py": "import parcel\n" + DOCUMENTED.replace("x * 2", "x * parcel.TWO")}, tmp_path)
    files = {"parcel.py": "TWO = 2\n"}
    interpreter = make_environment(tmp_path / "env", files, ("parcel", "1.2"))
    assert outcome(verified(service, tmp_path / "app.py")) == ("not_attempted", "program.missing_package")
    with Service(store, python=str(interpreter)) as other:
        answer = verified(other, tmp_path / "app.py")
        assert outcome(answer) == ("tested", "program.tested")
        reference = answer.verdict.proof_ref
        assert reference is not None
        verifiers = show_proof(reference, store).document["verifiers"]
        assert {"id": "package parcel", "version": "1.2"} in verifiers  # type: ignore[operator]  # a list
        assert str(tmp_path) not in str(verifiers)
        assert recheck_proof(reference, store, other.recheckers(), replay=True).holds
    elsewhere = recheck_proof(reference, store, service.recheckers(), replay=True)
    assert not elsewhere.holds
    assert "package parcel 1.2 then, missing now" in str(elsewhere.document)


def test_a_file_in_a_newer_language_than_ours_is_not_called_wrong(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make({"app.py": "def f(:\n    pass\n"}, tmp_path)
    assert outcome(verified(service, tmp_path / "app.py")) == ("refuted", "program.does_not_parse")
    monkeypatch.setattr("sys.version_info", (3, 99, 0, "final", 0))
    assert outcome(verified(service, tmp_path / "app.py")) == ("not_attempted", "program.not_python")
