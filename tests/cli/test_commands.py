"""Command lines whose story takes more than one screen: proofs, streams, batches, defects, effects of options."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import probatum.cli.application
from probatum import __version__
from probatum.cli.application import with_optional_values
from probatum.cli.demo_command import _below
from probatum.core.errors import NotAttemptedError
from probatum.sandbox import Environment, Sandbox
from tests.cli import programs
from tests.cli.command import Commands
from tests.full_disk import full_disk
from tests.house.sources import ROOT

RESULT_KEYS = {
    "passed",
    "confidence",
    "confidence_from",
    "raw_confidence",
    "document_passed",
    "statements",
    "strength",
    "issues",
    "generated_tests",
    "test_results",
    "perspective_results",
    "recommendations",
    "decided_by",
    "duration_ms",
}


pytestmark = pytest.mark.usefixtures("app")


# --- documents and streams


def test_json_is_one_document_with_all_its_parts(commands: Commands) -> None:
    ended = commands.run("verify", "app.py", "--json")
    document = json.loads(ended.stdout)
    assert ended.code == 0
    assert list(document) == ["verdict", "result", "specification"]
    assert set(document["result"]) == RESULT_KEYS
    assert document["verdict"]["is_authoritative"] is True
    assert [clause["line"] for clause in document["specification"] if clause["kind"] == "example"]
    assert ended.stderr == ""


def test_the_developer_layer_has_the_result_but_no_proof_reference(commands: Commands) -> None:
    document = json.loads(commands.run("verify", "app.py", "--json", "--layer", "developer").stdout)
    assert set(document["verdict"]) == {"status", "agent_message", "developer_fields"}
    assert set(document["result"]) == RESULT_KEYS


def test_a_folder_is_one_document_by_path(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "a.py").write_bytes(programs.HOLDING)
    (tmp_path / "shop" / "b.py").write_bytes(programs.WRONG)
    ended = commands.run("verify", "shop", "--json")
    document = json.loads(ended.stdout)
    assert ended.code == 1
    assert list(document["files"]) == ["shop/a.py", "shop/b.py"]
    assert document["verdict"] == document["files"]["shop/b.py"]["verdict"]


def test_events_are_lines_and_the_last_one_carries_the_document(commands: Commands) -> None:
    lines = [json.loads(line) for line in commands.run("verify", "app.py", "--events").stdout.splitlines()]
    assert [line["stage"] for line in lines].count("complete") == 1
    assert lines[-1]["stage"] == "complete"
    assert list(lines[-1]["data"]) == ["verdict", "result", "specification"]
    assert len(lines) > 5


def test_events_and_json_together_are_the_stream(commands: Commands) -> None:
    lines = commands.run("verify", "app.py", "--events", "--json").stdout.splitlines()
    assert all(isinstance(json.loads(line), dict) for line in lines)


def test_a_reader_that_goes_away_changes_no_exit_code(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_bytes(programs.SYNTAX_ERROR)
    command = [sys.executable, "-m", "probatum", "verify", "app.py", "--events", "--store", "store"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        errors = process.stderr.read()
        assert process.wait() == 1
    assert errors == b""


def test_a_stream_that_cannot_say_every_character_is_no_reason_to_fail(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text('def f(x):\n    """\n    >>> f("é")\n    "ü"\n    """\n    return x\n')
    command = [sys.executable, "-m", "probatum", "verify", "app.py", "--store", "store"]
    environment = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (1, b"")
    assert rb"f('\xe9')" in ended.stdout


# --- options that do something


def test_min_strength_moves_the_bar(commands: Commands, app: Path) -> None:
    examples = "    >>> fee(0)\n    3\n    >>> fee(1)\n    3\n"
    app.write_text(
        f'def fee(amount: int) -> int:\n    """Return a fee.\n\n{examples}    """\n    return amount // 50 + 3\n'
    )
    assert commands.run("verify", "app.py", "--allow-unchecked").code == 3
    assert commands.run("verify", "app.py", "--allow-unchecked", "--min-strength", "0").code == 0


def test_verbose_shows_what_a_short_page_leaves_out(commands: Commands, app: Path) -> None:
    examples = "".join(f"    >>> double({number})\n    {number * 2}\n" for number in range(30))
    app.write_text(f'def double(x: int) -> int:\n    """Return twice x.\n\n{examples}    """\n    return x * 2\n')
    short = commands.run("verify", "app.py", "--level", "quick").stdout
    assert "lines; --verbose shows them" in short
    assert "double(29)" not in short
    assert "double(29)" in commands.run("verify", "app.py", "--level", "quick", "--verbose").stdout


def test_verbose_shows_verified_functions_of_a_file_too(commands: Commands, app: Path) -> None:
    app.write_bytes(programs.HOLDING + b"\n\n" + programs.WRONG)
    assert "net_price(119, 19)" not in commands.run("verify", "app.py").stdout
    assert "net_price(119, 19)" in commands.run("verify", "app.py", "--verbose").stdout


def test_without_isolation_nothing_is_run_unless_it_is_asked_for_by_its_unsafe_name(
    commands: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Sandbox.open

    def without_tiers(*, hash_seed: int, unsafe_no_isolation: bool, python: Environment) -> Sandbox:
        if not unsafe_no_isolation:
            raise NotAttemptedError("sandbox.unavailable", "No tier works here.", "Install bubblewrap.")
        return opened(hash_seed=hash_seed, unsafe_no_isolation=True, python=python)

    monkeypatch.setattr(Sandbox, "open", without_tiers)
    refused = commands.run("verify", "app.py")
    assert (refused.code, refused.stdout.splitlines()[0]) == (4, "BLOCKED  app.py")
    assert "Install bubblewrap." in refused.stdout
    assert commands.run("verify", "app.py", "--unsafe-no-isolation").stdout.startswith("VERIFIED")


def test_a_contract_adds_clauses(commands: Commands, tmp_path: Path) -> None:
    contract = ">>> net_price(200, 100)\n99\n"
    assert commands.run("verify", "app.py::net_price", "--contract", contract).code == 1
    (tmp_path / "contract.txt").write_text(contract)
    assert commands.run("verify", "app.py::net_price", "--contract", "@contract.txt").code == 1


def test_a_contract_that_is_no_text_is_a_usage_error(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "contract.txt").write_bytes(b"\xff")
    ended = commands.run("verify", "app.py", "--contract", "@contract.txt")
    assert (ended.code, ended.stderr.splitlines()[0].partition(":")[0]) == (2, "error[contract.not_text]")


def test_a_given_test_that_fails_refutes(commands: Commands, tmp_path: Path) -> None:
    for expected, code in ((100, 0), (99, 1)):
        test = f"from artifact import net_price\n\n\ndef test_price():\n    assert net_price(119, 19) == {expected}\n"
        (tmp_path / "given.py").write_text(test)
        assert commands.run("verify", "app.py", "--tests", "given.py").code == code


def test_an_earlier_version_that_behaves_differently_refutes(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "old.py").write_bytes(programs.HOLDING.replace(b"gross * 100 //", b"100 * gross //"))
    assert commands.run("verify", "app.py", "--against", "old.py", "--refactor").code == 0
    (tmp_path / "old.py").write_bytes(programs.HOLDING.replace(b"(100 + percent)", b"(101 + percent)"))
    assert commands.run("verify", "app.py", "--against", "old.py", "--refactor").code == 1


def test_saved_tests_pass_and_are_saved_again(commands: Commands, tmp_path: Path) -> None:
    for _ in range(2):
        assert commands.run("verify", "app.py", "--save-tests", "saved").code == 0
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "saved"]
    ended = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stdout


def test_saved_tests_of_a_folder_do_not_share_a_file(commands: Commands, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / "shop" / folder).mkdir(parents=True)
        (tmp_path / "shop" / folder / "app.py").write_bytes(programs.HOLDING)
    commands.run("verify", "shop", "--save-tests=saved", "--level", "quick")
    assert sorted(path.name for path in (tmp_path / "saved").iterdir()) == ["test_one_app.py", "test_two_app.py"]


OPTIONAL_VALUES = {
    "alone at the end": (["app.py", "--save"], ["app.py", "--save=DEFAULT"]),
    "before an option": (["--save", "--json", "app.py"], ["--save=DEFAULT", "--json", "app.py"]),
    "before the file": (["--save", "app.py"], ["--save=DEFAULT", "app.py"]),
    "before a name in a file": (["--save", "app.py::f"], ["--save=DEFAULT", "app.py::f"]),
    "before standard input": (["--save", "-"], ["--save=DEFAULT", "-"]),
    "with a value": (["app.py", "--save", "out"], ["app.py", "--save=out"]),
    "with a value in one word": (["app.py", "--save=out"], ["app.py", "--save=out"]),
    "after the end of options": (["--", "--save"], ["--", "--save"]),
}


@pytest.mark.parametrize(("given", "written"), OPTIONAL_VALUES.values(), ids=OPTIONAL_VALUES)
def test_an_option_whose_value_may_be_left_out(given: list[str], written: list[str]) -> None:
    assert with_optional_values(given, {"--save": "DEFAULT"}) == written


# --- proofs


def proof_of(commands: Commands) -> str:
    reference = json.loads(commands.run("verify", "app.py", "--json", "--store", "proofs").stdout)["verdict"][
        "proof_ref"
    ]
    assert isinstance(reference, str)
    return reference


def stored(reference: str, folder: Path) -> Path:
    name = reference.removeprefix("sha256:")
    return next(path for path in folder.rglob("*") if path.is_file() and path.name.endswith(name[4:]))


def test_a_proof_is_shown_rechecked_and_replayed(commands: Commands) -> None:
    reference = proof_of(commands)
    shown = commands.run("proof", "show", reference, "--store", "proofs")
    assert shown.code == 0
    assert shown.stdout.startswith(f"PROOF  {reference}\n")
    for options in ([], ["--replay"]):
        ended = commands.run("proof", "recheck", reference, "--store", "proofs", *options)
        assert (ended.code, ended.stdout.splitlines()[0]) == (0, f"HOLDS  {reference}")
        assert "FAILS" not in ended.stdout


def test_a_proof_as_json_is_the_artifact_and_its_steps(commands: Commands) -> None:
    reference = proof_of(commands)
    artifact = json.loads(commands.run("proof", "show", reference, "--store", "proofs", "--json").stdout)
    assert artifact["format"] == "probatum/proof-artifact/v1"
    checked = json.loads(commands.run("proof", "recheck", reference, "--store", "proofs", "--json").stdout)
    assert checked["holds"] is True
    assert [step["number"] for step in checked["steps"]] == list(range(1, len(checked["steps"]) + 1))


def test_one_altered_byte_fails_with_the_number_of_the_step(commands: Commands, tmp_path: Path) -> None:
    reference = proof_of(commands)
    path = stored(reference, tmp_path / "proofs")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.chmod(0o600)
    path.write_bytes(content)
    ended = commands.run("proof", "recheck", reference, "--store", "proofs")
    assert ended.code == 1
    assert ended.stdout.splitlines()[1].startswith("Step 3 does not hold")
    assert commands.run("proof", "show", reference, "--store", "proofs").code == 1


# --- batch, bench, doctor


def test_a_batch_answers_programs_and_refuses_bad_requests_one_by_one(commands: Commands, tmp_path: Path) -> None:
    requests = [
        {"id": "holds", "kind": "program", "source": programs.HOLDING.decode()},
        {"id": "wrong", "kind": "program", "source": programs.WRONG.decode(), "function": "newest", "level": "quick"},
        {"id": "nameless", "kind": "program", "source": programs.WRONG.decode(), "function": "nobody"},
        {"id": "poem", "kind": "poem", "source": "roses"},
        {"id": "two", "kind": "program", "source": (programs.HOLDING + b"\n\n" + programs.WRONG).decode()},
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(request) + "\n" for request in requests))
    ended = commands.run("batch", "in.jsonl", "out.jsonl", "--workers", "2")
    assert ended.code == 0
    assert ended.stdout.splitlines()[:2] == ["DONE  out.jsonl", "5 of 5 requests are answered."]
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    answers = {line["id"]: line for line in lines}
    statuses = {key: answer["verdict"]["status"] for key, answer in answers.items()}
    assert statuses == {
        "holds": "VERIFIED",
        "wrong": "UNVERIFIABLE",
        "nameless": "BLOCKED",
        "poem": "BLOCKED",
        "two": "UNVERIFIABLE",
    }
    assert set(answers["holds"]["result"]) == RESULT_KEYS
    assert set(answers["two"]["result"]["functions"]) == {"net_price", "newest"}
    again = commands.run("batch", "in.jsonl", "out.jsonl", "--json")
    assert json.loads(again.stdout) == {"total": 5, "answered": 5, "kept": 5, "blank_lines": 0, "statuses": {}}


def test_a_batch_as_events_in_the_agents_layer(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": "a", "kind": "program", "source": ""}) + "\n")
    ended = commands.run("batch", "in.jsonl", "out.jsonl", "--events", "--layer", "agent", "--level", "quick")
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    assert lines[0] == {"stage": "answered"}
    assert lines[-1]["data"]["statuses"] == {"UNVERIFIABLE": 1}
    answer = json.loads((tmp_path / "out.jsonl").read_text())
    assert set(answer["verdict"]) == {"status", "agent_message"}
    assert "result" not in answer


def test_a_bench_through_the_public_path(commands: Commands, tmp_path: Path) -> None:
    prompt = 'def triple(x: int) -> int:\n    """Return three times x.\n\n    >>> triple(2)\n    6\n    """\n'
    row = {
        "task_id": "Own/1",
        "entry_point": "triple",
        "prompt": prompt,
        "prompt_without_examples": None,
        "correct": "    return x * 3\n",
        "buggy": "    return x * 2\n",
    }
    (tmp_path / "own.jsonl").write_text(json.dumps(row) + "\n")
    ended = commands.run("bench", "humanevalfix", "--data", "own.jsonl", "--json", "--workers", "1")
    document = json.loads(ended.stdout)
    assert ended.code == 0
    assert document["refuted_twin_spared"]["count"] == 1
    assert document["false_alarms"]["count"] == 0
    table = commands.run("bench", "humanevalfix", "--data", "own.jsonl", "--verbose", "--level", "quick")
    assert "refuted with the twin spared" in table.stdout


def test_no_byte_code_is_written_as_an_example(tmp_path: Path) -> None:
    for name in ("kept.py", "__pycache__/kept.cpython-311.pyc"):
        place = tmp_path / "change" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(b"")
    assert [name for name, _ in _below(tmp_path / "change", "change")] == ["change/kept.py"]


def test_demo_writes_the_examples_and_replaces_nothing(commands: Commands, tmp_path: Path) -> None:
    ended = commands.run("demo", "--write", "new/examples", "--json")
    assert ended.code == 0, ended.stderr
    told = json.loads(ended.stdout)
    written = [*told["programs"], *told["evidence"], *told["changes"]]
    examples = ROOT / "examples"
    assert {name: (tmp_path / "new/examples" / name).read_bytes() for name in written} == {
        path.relative_to(examples).as_posix(): path.read_bytes()
        for path in (*examples.glob("*.py"), *examples.glob("audit/*/*.json"), *examples.glob("change/*.py"))
    }
    assert commands.run("demo", "--write", "new/examples").code == 0
    (tmp_path / "new/examples" / written[0]).write_text("mine = 1\n")
    ended = commands.run("demo", "--write", "new/examples")
    assert (ended.code, "demo.taken" in ended.stderr) == (2, True)
    assert (tmp_path / "new/examples" / written[0]).read_text() == "mine = 1\n"
    (tmp_path / "file").write_text("")
    ended = commands.run("demo", "--write", "file/below")
    assert (ended.code, "demo.not_written" in ended.stderr) == (2, True)
    ended = commands.run("demo", "--write", "below/" * 2_000)
    assert (ended.code, "demo.not_written" in ended.stderr) == (2, True)
    Path("dangling").symlink_to("nothing")
    ended = commands.run("demo", "--write", "dangling")
    assert (ended.code, "leads nowhere" in ended.stderr) == (2, True)


def test_a_demo_that_a_full_disk_interrupted_can_be_repeated(commands: Commands) -> None:
    with full_disk():
        ended = commands.run("demo", "--write", "examples")
    assert (ended.code, "demo.not_written" in ended.stderr) == (2, True)
    assert not list(Path("examples").iterdir())
    assert commands.run("demo", "--write", "examples").code == 0


def test_doctor_tells_what_works(commands: Commands) -> None:
    ended = commands.run("doctor", "--json")
    document = json.loads(ended.stdout)
    assert document["version"] == __version__
    assert ended.code == (0 if document["ready"] else 4)
    assert document["ready"] == any(tier["works"] for tier in document["tiers"])
    assert document["store"]["name"] == "store"
    assert commands.run("doctor").stdout.startswith("READY" if document["ready"] else "NOT READY")


def test_doctor_without_any_isolation_ends_with_4(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probatum.app.doctor.describe_tiers", tuple)
    ended = commands.run("doctor")
    assert (ended.code, ended.stdout.splitlines()[0]) == (4, f"NOT READY  probatum {__version__}")


# --- endings


def test_an_internal_defect_is_one_line_without_a_traceback(
    commands: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: object) -> int:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr(probatum.cli.application, "run", broken)
    ended = commands.run("doctor", "--json")
    assert ended.code == 70
    assert json.loads(ended.stdout)["exit_code"] == 70
    assert ended.stderr.startswith("error[internal.defect]: An internal defect: ZeroDivisionError at probatum")
    assert "probatum doctor --json" in ended.stderr
    assert "secret detail" not in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_maintainer_may_ask_for_the_traceback(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(probatum.cli.application, "run", broken)
    monkeypatch.setenv("PROBATUM_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        commands.run("doctor")


def test_an_interruption_ends_with_130(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(probatum.cli.application, "run", interrupted)
    ended = commands.run("doctor")
    assert (ended.code, ended.stdout, ended.stderr) == (130, "", "interrupted\n")


HELPS = (["--help"], ["verify", "--help"], ["batch", "--help"], ["proof", "--help"], ["proof", "show", "--help"])
MORE_HELPS = (["proof", "recheck", "--help"], ["bench", "--help"], ["doctor", "--help"], ["demo", "--help"])


@pytest.mark.parametrize("arguments", [*HELPS, *MORE_HELPS], ids=" ".join)
def test_help_is_plain_and_ends_with_0(arguments: list[str], commands: Commands) -> None:
    ended = commands.run(*arguments)
    assert (ended.code, ended.stderr) == (0, "")
    assert ended.stdout.startswith("Usage: probatum")
    assert ended.stdout.isascii()
