"""Plugins: the example package, installed; and packages whose verifiers are broken, each with its sentence."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from probatum.core.decision import Outcome
from probatum.core.errors import NotAttemptedError, ProbatumError, UsageError
from probatum.testing import check_verifier
from probatum.verification import Fault, VerificationStatus, VerifierRegistry
from probatum.verification.decide import decide_results
from probatum.verification.plan import plan
from probatum.verification.plugins import installed_verifier
from probatum.verification.policy import policy_of
from probatum.verification.process_executor import ProcessExecutor
from probatum.verification.run import run_plan
from probatum.verification.verifier import description_of
from tests.verification.packages import EXAMPLE, install_example, offering

VALID, WRONG = {"payee": {"iban": "GB82 WEST 1234 5698 7654 32"}}, {"payee": {"iban": "GB82 WEST 1234 5698 7654 33"}}


@pytest.fixture(autouse=True)
def _forget_what_was_imported() -> Iterator[None]:
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith("probatum_iban") or name.startswith("plugin_"):
            del sys.modules[name]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_example(tmp_path_factory.mktemp("site"))


@pytest.fixture
def installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(site))


@pytest.mark.usefixtures("installed")
def test_the_example_is_found_and_judges():
    verifier = installed_verifier("iso.iban")
    registry = VerifierRegistry()
    registry.register("iso.iban", verifier)
    planned = plan(policy_of({"verifier_ids": ["iso.iban"]}), registry)
    for output, status, outcome in [
        (VALID, VerificationStatus.PASS, Outcome.PROVED),
        (WRONG, VerificationStatus.FAIL, Outcome.REFUTED),
        ({"payee": {}}, VerificationStatus.PASS, Outcome.UNDECIDED),
    ]:
        results = run_plan(planned, {}, output, {}, executor=ProcessExecutor())
        best = {"iso.iban": description_of(verifier, "iso.iban").best}
        assert (results[0].status, decide_results(planned.policy, results, best).outcome) == (status, outcome)
    assert results[0].fault is None


@pytest.mark.usefixtures("installed")
def test_the_example_says_where_and_what():
    result = installed_verifier("iso.iban").verify({}, WRONG)
    assert result.fault is Fault.SUBJECT
    assert result.errors == ("$.payee.iban: expected an IBAN, got 'GB82 WEST 1234 5698 7654 33'",)


@pytest.mark.usefixtures("installed")
def test_the_example_keeps_the_rules():
    check_verifier(installed_verifier("iso.iban"), accepts=[({}, VALID)], refuses=[({}, WRONG)])


@pytest.mark.usefixtures("installed")
def test_its_own_tests_pass(site: Path):
    source = Path(__file__).parents[2] / "src"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-c",
        "/dev/null",
        str(EXAMPLE / "tests"),
    ]
    done = subprocess.run(
        command,
        check=False,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{site}:{source}", "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.usefixtures("installed")
def test_nothing_is_loaded_before_somebody_names_it():
    with pytest.raises(UsageError) as caught:
        installed_verifier("iso.ibam")
    assert caught.value.code == "plugin.unknown"
    assert caught.value.hint == "Did you mean 'iso.iban'?"
    assert "iso.iban" in caught.value.sentence
    assert "probatum_iban" not in sys.modules


@pytest.mark.usefixtures("installed")
def test_a_plugin_is_not_in_the_default_registry():
    from probatum.verification.registry import DEFAULT_IDS

    assert "iso.iban" not in DEFAULT_IDS


Broken = tuple[str, str, str, str]
BROKEN: dict[str, Broken] = {
    "raises at import": (
        "raise RuntimeError('no licence')",
        "",
        "plugin.broken",
        "The verifier 'broken' (plugin_x:Verifier) does not load: RuntimeError: no licence.",
    ),
    "exits at import": (
        "import sys; sys.exit(0)",
        "",
        "plugin.broken",
        "The verifier 'broken' (plugin_x:Verifier) does not load: SystemExit: 0.",
    ),
    "raises what is no exception": (
        "class OwnError(BaseException): pass\nraise OwnError('no')",
        "",
        "plugin.broken",
        "The verifier 'broken' (plugin_x:Verifier) does not load: OwnError: no.",
    ),
    "imports what is missing": (
        "import missing",
        "",
        "plugin.broken",
        "The verifier 'broken' (plugin_x:Verifier) does not load: ModuleNotFoundError: No module named 'missing'.",
    ),
    "does not parse": (
        "def",
        "",
        "plugin.broken",
        "The verifier 'broken' (plugin_x:Verifier) does not load: SyntaxError: invalid syntax (plugin_x.py, line 1).",
    ),
    "names a missing module": (
        "",
        "plugin_y:Verifier",
        "plugin.broken",
        "The verifier 'broken' (plugin_y:Verifier) does not load: ModuleNotFoundError: No module named 'plugin_y'.",
    ),
    "names a missing class": (
        "",
        "",
        "plugin.broken",
        "The verifier 'broken' (plugin_x:Verifier) does not load:"
        " AttributeError: module 'plugin_x' has no attribute 'Verifier'.",
    ),
    "wants arguments": (
        "class Verifier:\n    def __init__(self, path): pass\n    def verify(self, i, o, context=None): pass",
        "",
        "plugin.broken",
        "The verifier 'broken' (plugin_x:Verifier) does not load:"
        " TypeError: Verifier.__init__() missing 1 required positional argument: 'path'.",
    ),
    "has no verify": (
        "class Verifier: pass",
        "",
        "plugin.no_verifier",
        "The entry point 'broken' (plugin_x:Verifier) gives a Verifier;"
        " expected an object with a method 'verify(input_obj, output_obj, context=None)', or a class of such.",
    ),
    "is a function": (
        "def Verifier(input_obj, output_obj): pass",
        "",
        "plugin.no_verifier",
        "The entry point 'broken' (plugin_x:Verifier) gives a function;"
        " expected an object with a method 'verify(input_obj, output_obj, context=None)', or a class of such.",
    ),
    "is nothing": (
        "Verifier = None",
        "",
        "plugin.no_verifier",
        "The entry point 'broken' (plugin_x:Verifier) gives a NoneType;"
        " expected an object with a method 'verify(input_obj, output_obj, context=None)', or a class of such.",
    ),
    "takes other arguments": (
        "class Verifier:\n    def verify(self, output): pass",
        "",
        "plugin.no_verifier",
        "The entry point 'broken' (plugin_x:Verifier) gives a Verifier whose 'verify' cannot be called;"
        " expected an object with a method 'verify(input_obj, output_obj, context=None)', or a class of such.",
    ),
    "has a verify that cannot be looked at": (
        "class Verifier:\n    @property\n    def verify(self): raise RuntimeError('not today')",
        "",
        "plugin.broken",
        "The verifier 'broken' (plugin_x:Verifier) does not load: RuntimeError: not today.",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_plugin_is_a_named_error(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    source, value, code, sentence = BROKEN[name]
    offering(tmp_path, "x", source, value=value)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(NotAttemptedError) as caught:
        installed_verifier("broken")
    assert (caught.value.code, caught.value.sentence) == (code, sentence)


GOOD = "class Verifier:\n    def verify(self, input_obj, output_obj, context=None): pass"


@pytest.mark.parametrize("value", ["plugin_y:Verifier", "plugin_x:Verifier"])
def test_an_id_that_two_packages_offer(value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    offering(tmp_path, "x", GOOD)
    offering(tmp_path, "y", GOOD, value=value)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UsageError) as caught:
        installed_verifier("broken")
    assert caught.value.code == "plugin.taken_twice"
    assert caught.value.sentence == "Several packages offer a verifier 'broken': plugin_x, plugin_y."


def test_a_broken_plugin_does_not_disturb_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    offering(tmp_path, "x", "raise RuntimeError")
    offering(tmp_path, "y", GOOD, verifier_id="good")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert callable(installed_verifier("good").verify)
    assert "plugin_x" not in sys.modules


METADATA = "Metadata-Version: 2.1\nName: plugin_z\nVersion: 1.0\n"
DAMAGED: dict[str, tuple[bytes | None, bytes]] = {
    "an entry point without a value": (METADATA.encode(), b"[probatum.verifiers]\nbroken\n"),
    "no text": (METADATA.encode(), b"[probatum.verifiers]\n\xff = a:b\n"),
    "no metadata": (None, b"[probatum.verifiers]\ngood = plugin_z:Verifier\n"),
    "no name": (b"Name", b"[probatum.verifiers]\ngood = plugin_z:Verifier\n"),
    "no sections": (METADATA.encode(), b"\xef\xbb\xbf[[[\n=\n"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_package_whose_metadata_is_damaged_does_not_disturb_the_others(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    metadata, offers = DAMAGED[name]
    folder = tmp_path / "plugin_z-1.0.dist-info"
    folder.mkdir()
    (folder / "entry_points.txt").write_bytes(offers)
    if metadata is not None:
        (folder / "METADATA").write_bytes(metadata)
    offering(tmp_path, "y", GOOD, verifier_id="good")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert callable(installed_verifier("good").verify)
    with pytest.raises(UsageError) as caught:
        installed_verifier("goof")
    assert caught.value.hint == "Did you mean 'good'?"


def test_a_second_copy_further_down_the_path_offers_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for place, source in [("second", "raise RuntimeError"), ("first", GOOD)]:
        (tmp_path / place).mkdir()
        offering(tmp_path / place, "x", source, verifier_id="good")
        monkeypatch.syspath_prepend(str(tmp_path / place))
    assert callable(installed_verifier("good").verify)


@pytest.mark.parametrize("verifier_id", ["contract.schema", "json.object"])
def test_no_package_takes_the_place_of_a_built_in_verifier(
    verifier_id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    offering(tmp_path, "x", GOOD, verifier_id=verifier_id)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ProbatumError) as caught:
        installed_verifier(verifier_id)
    assert caught.value.code == "plugin.taken_twice"
