"""A kind of a package: whole command lines about CSV files, in real processes; probatum itself knows nothing of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import reduce
from pathlib import Path

import pytest

from probatum.app.proofs import user_store
from probatum.core.canonical import canonical_bytes
from tests.verification.packages import install_example, offering

EXAMPLE = Path(__file__).parents[2] / "examples" / "csv_kind"
CONTRACT = {
    "columns": [
        {"name": "id", "type": "whole", "required": True, "least": 1},
        {"name": "start", "type": "date"},
        {"name": "end", "type": "date"},
    ],
    "unique": ["id"],
    "rules": [["start", "<=", "end"]],
}
WEAKER = {"columns": [{**each, "required": False} for each in CONTRACT["columns"]]}
RIGHT = "id,start,end\n1,2024-01-01,2024-02-01\n2,2024-01-01,\n"
WRONG = "id,start,end\n1,2024-03-01,2024-02-01\n1,secret,\n"
KEPT = "Every value in all 2 rows of the file is as its header contract demands."
BROKEN = "The file breaks its header contract."
RIGHT_BY = ("csv", "right.csv", "--header", "contract.json")
WRONG_BY = ("csv", "wrong.csv", "--header", "contract.json")
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_example(tmp_path_factory.mktemp("csv_kind"), EXAMPLE)


@pytest.fixture
def run(site: Path, tmp_path: Path) -> Run:
    """Return what runs a command line in a folder with files to judge."""
    (tmp_path / "right.csv").write_text(RIGHT)
    (tmp_path / "wrong.csv").write_text(WRONG)
    (tmp_path / "contract.json").write_text(json.dumps(CONTRACT))
    (tmp_path / "weaker").mkdir()
    (tmp_path / "weaker" / "contract.json").write_text(json.dumps(WEAKER))

    def started(*arguments: str, stdin: str = "", also: str = "") -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join(filter(None, [str(site), also]))
        environment = {**os.environ, "PYTHONPATH": path, "PROBATUM_STORE": "store", "PROBATUM_LEDGER": ""}
        command = [sys.executable, "-m", "probatum", *arguments]
        return subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )

    return started


def proof_in(text: str) -> str:
    return str(json.loads(text)["verdict"]["proof_ref"])


def test_a_file_is_judged_as_text(run: Run) -> None:
    kept, broken = run(*RIGHT_BY), run(*WRONG_BY)
    assert (kept.returncode, kept.stderr) == (0, "")
    assert kept.stdout.startswith(f"VERIFIED  right.csv\n{KEPT}\n\nProof  sha256:")
    assert broken.returncode == 1
    for line in ("line 2  rule start <= end: it does not hold", "line 3  unique id: '1' again", "got 'secret'"):
        assert line in broken.stdout


def test_each_layer_says_no_more_than_the_deeper_one(run: Run) -> None:
    agent, developer, proof = (run(*WRONG_BY, "--json", "--layer", each) for each in ("agent", "developer", "proof"))
    assert json.loads(agent.stdout) == {"verdict": {"status": "UNVERIFIABLE", "agent_message": BROKEN}}
    told = json.loads(developer.stdout)
    assert told["verdict"]["developer_fields"] == {"outcome": "refuted", "constraint_id": "csv.broken"}
    assert [each["location"]["line"] for each in told["result"]["issues"]] == [2, 3, 3]
    assert json.loads(proof.stdout)["verdict"]["proof_ref"] is None
    assert proof_in(run(*RIGHT_BY, "--json").stdout).startswith("sha256:")


def test_events_end_with_the_document(run: Run) -> None:
    ended = run(*WRONG_BY, "--events", "--layer", "agent")
    stages = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [each["stage"] for each in stages] == ["checked", "verdict", "complete"]
    assert "secret" not in ended.stdout


@pytest.mark.parametrize("layer", ["agent", "proof"])
def test_reports_for_other_programs(run: Run, layer: str) -> None:
    junit, sarif = (run(*WRONG_BY, "--layer", layer, "--format", each) for each in ("junit", "sarif"))
    assert junit.returncode == sarif.returncode == 1
    assert ET.fromstring(junit.stdout).attrib["failures"] == "1"
    results = json.loads(sarif.stdout)["runs"][0]["results"]
    assert results[0]["ruleId"] == ("verdict" if layer == "agent" else "csv.broken")
    assert ("secret" in junit.stdout + sarif.stdout) is (layer == "proof")


def test_what_is_no_file_is_named_and_standard_input_is_read(run: Run) -> None:
    told = [run("csv", each, "--header", "contract.json") for each in ("weaker", "missing.csv", "-")]
    assert [each.returncode for each in told] == [2, 2, 3]
    assert "is not a regular file" in told[0].stderr
    assert "There is no file 'missing.csv'" in told[1].stderr
    assert run("csv", "-", "--header", "contract.json", stdin=RIGHT).returncode == 0
    assert "Missing option '--header'" in run("csv", "right.csv").stderr


def test_budgets_and_unreadable_bytes_have_sentences_of_the_kind(run: Run, tmp_path: Path) -> None:
    (tmp_path / "huge.csv").write_text(f"id,start,end\n1,2024-01-01,{'x' * 200_000}\n")
    (tmp_path / "bytes.csv").write_bytes(b"id,start,end\n\xff,,\n")
    huge, undecodable = (run("csv", each, "--header", "contract.json") for each in ("huge.csv", "bytes.csv"))
    assert (huge.returncode, huge.stdout.splitlines()[1]) == (3, "The file is larger than the budget allows.")
    assert (undecodable.returncode, undecodable.stdout.splitlines()[1]) == (
        4,
        "The file could not be read as UTF-8 text.",
    )


def test_a_batch_takes_its_requests(run: Run, tmp_path: Path) -> None:
    asked = {"right": RIGHT, "wrong": WRONG, "empty": "", "huge": "x" * 200_000, "number": 5}
    lines = [{"id": name, "kind": "csv", "text": text, "header": CONTRACT} for name, text in asked.items()]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    ended = run("batch", "in.jsonl", "out.jsonl", "--workers", "1")
    answers = {each["id"]: each for each in map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())}
    told = {name: each["verdict"]["developer_fields"]["constraint_id"] for name, each in answers.items()}
    assert told == {
        "right": "csv.kept",
        "wrong": "csv.broken",
        "empty": "csv.nothing_checked",
        "huge": "csv.too_large",
        "number": "request.invalid",
    }, ended.stderr
    assert answers["right"]["result"]["passed"] is True
    assert answers["empty"]["result"]["passed"] is False


def test_the_gate_admits_this_file_by_this_contract(run: Run, tmp_path: Path) -> None:
    (tmp_path / "verdict.json").write_text(run(*RIGHT_BY, "--json").stdout)
    by = ("gate", "verdict.json", "--subject", "right.csv", "--header")
    assert run(*by, "contract.json").returncode == 0
    full = run(*by, "contract.json", "--recheck", "--replay")
    assert "All 17 steps hold." in full.stdout
    assert run(*by, "missing.json").returncode == 2


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("right.csv",), "say with --header which contract you demand"),
        (("right.csv", "--header", "weaker/contract.json"), "say with --header which contract you demand"),
        (("wrong.csv", "--header", "contract.json"), "Step 4 does not hold"),
        (("right.csv", "--min-strength", "0.5"), "of which --min-strength cannot be demanded"),
    ],
)
def test_the_gate_refuses_anything_else(run: Run, tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    (tmp_path / "verdict.json").write_text(run(*RIGHT_BY, "--json").stdout)
    ended = run("gate", "verdict.json", "--subject", *arguments)
    assert ended.returncode == 1
    assert said in ended.stdout


def test_a_proof_is_shown_and_checked_again(run: Run) -> None:
    reference = proof_in(run(*RIGHT_BY, "--json").stdout)
    assert "csv.rows 1" in run("proof", "show", reference).stdout
    checked = run("proof", "recheck", reference, "--replay")
    assert (checked.returncode, "All 10 steps hold." in checked.stdout) == (0, True)


FORGED: tuple[tuple[tuple[str | int, ...], object, str], ...] = (
    (("observations", 3, "checked"), 1, "Step 10 does not hold"),
    (("observations", 3, "broken"), 1, "Step 8 does not hold"),
    (("observations", 1, "checked"), 0, "Step 8 does not hold"),
    (("observations", 3, "demand"), "column name", "Step 8 does not hold"),
    (("observations", 3, "checked"), "2", "Step 8 does not hold"),
    (("claim",), "The file is good.", "Step 9 does not hold"),
)
"""What is changed in an artifact, and the step of a re-check with replay that tells it."""


def test_a_forged_proof_is_refused(run: Run, tmp_path: Path) -> None:
    reference = proof_in(run(*RIGHT_BY, "--json").stdout)
    store = user_store(tmp_path / "store")
    for place, value, step in FORGED:
        artifact = json.loads(store.fetch(reference))
        *way, last = place
        reduce(lambda member, key: member[key], way, artifact)[last] = value
        checked = run("proof", "recheck", store.retain(canonical_bytes(artifact)), "--replay")
        assert (checked.returncode, step in checked.stdout) == (1, True), checked.stdout


def test_verdicts_are_recorded_in_a_ledger(run: Run) -> None:
    for each in (RIGHT_BY, WRONG_BY):
        run(*each, "--ledger", "ledger")
    audited = run("ledger", "audit", "--ledger", "ledger")
    assert (audited.returncode, "2 entries" in audited.stdout) == (0, True)


def test_a_kind_that_does_not_load_is_told_and_stops_nothing_else(run: Run, tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    packages.mkdir()
    offering(packages, "torn", "raise RuntimeError('torn')", group="probatum.kinds", verifier_id="torn")
    judged = run(*RIGHT_BY, also=str(packages))
    assert judged.returncode == 0
    assert "warning: The kind 'torn' (plugin_torn:Verifier) does not load: RuntimeError: torn." in judged.stderr
    assert run("verify", "--help", also=str(packages)).stderr == ""


def test_a_kind_that_lacks_something_is_told_with_what_it_lacks(run: Run, tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    packages.mkdir()
    source = "from probatum_csv import CsvKind\nclass Verifier(CsvKind):\n    name = 'dumb'\n    sentences = {}\n"
    offering(packages, "dumb", source, group="probatum.kinds", verifier_id="dumb")
    assert "it lacks sentences" in run(*RIGHT_BY, also=str(packages)).stderr


def test_no_package_takes_the_place_of_a_built_in_kind(run: Run, tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    packages.mkdir()
    source = "from probatum_csv import CsvKind\nclass Verifier(CsvKind):\n    name = 'program'\n"
    offering(packages, "thief", source, group="probatum.kinds", verifier_id="program")
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": "1", "kind": "program", "text": RIGHT, "header": CONTRACT}))
    run("batch", "in.jsonl", "out.jsonl", "--workers", "1", also=str(packages))
    [answer] = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    assert answer["verdict"]["developer_fields"]["constraint_id"] == "request.invalid"


@pytest.mark.parametrize("taken", ["verify", "gate", "csv"])
def test_no_package_takes_the_command_of_another(run: Run, tmp_path: Path, taken: str) -> None:
    packages = tmp_path / "packages"
    packages.mkdir()
    source = (
        "from dataclasses import replace\nfrom probatum_csv import CsvKind\n"
        "class Verifier(CsvKind):\n    name = 'thief'\n"
        f"    command = replace(CsvKind.command, name={taken!r}, question='Stolen?')\n"
    )
    offering(packages, "thief", source, group="probatum.kinds", verifier_id="thief")
    ended = run("--help", also=str(packages))
    assert f"The kind 'thief' is left out: there is a command {taken!r} already." in ended.stderr
    assert "Stolen?" not in ended.stdout


def test_no_package_takes_an_option_of_every_command(run: Run, tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    packages.mkdir()
    source = (
        "from dataclasses import replace\nfrom probatum_csv import CsvKind\nfrom probatum.core.command import Option\n"
        "class Verifier(CsvKind):\n    name = 'thief'\n"
        "    command = replace(CsvKind.command, name='thief', demands=(Option('trust', 'Stolen.'),))\n"
    )
    offering(packages, "thief", source, group="probatum.kinds", verifier_id="thief")
    ended = run("gate", "--help", also=str(packages))
    assert "'thief'" in ended.stderr
    assert "has an option --trust already" in ended.stderr
    assert "Stolen." not in ended.stdout
    assert ended.returncode == 0


@pytest.mark.parametrize("example", ["csv_kind", "plugin"])
def test_the_tests_of_the_example_packages_pass(example: str, tmp_path: Path) -> None:
    folder = EXAMPLE.parent / example
    path = os.pathsep.join([str(install_example(tmp_path, folder)), str(folder.parents[1] / "src")])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(folder / "tests")]
    ended = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout


ASKED = """
import json, sys
from pathlib import Path
from probatum.app.agent_tools import offered_tools
from probatum.app.desk import ServiceDesk
from probatum.app.service import Service
from probatum.app.sources import NO_SOURCES
from probatum.core.disclosure import Layer
from probatum.proof.stores import MemoryStore
offered = offered_tools(Layer.AGENT, Path("store"))["csv"]
with Service(MemoryStore()) as service:
    for text in sys.argv[2:]:
        request = {"text": text, "header": json.loads(sys.argv[1])}
        told = offered.tool.act(request, ServiceDesk(service, offered.kind, NO_SOURCES))
        print(json.dumps(told["verdict"]))
"""


def test_its_tool_is_offered_to_agents(site: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(site)}
    command = [sys.executable, "-c", ASKED, json.dumps(CONTRACT), RIGHT, WRONG]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=600)
    assert done.stderr == ""
    assert [json.loads(line)["agent_message"] for line in done.stdout.splitlines()] == [KEPT, BROKEN]
