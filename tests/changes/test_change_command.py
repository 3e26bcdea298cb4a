"""`probatum change` as people and programs call it: exit codes, forms, proofs, and an untouched work tree."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.changes.repositories import committed, git, plain_python, written

_BASE = {
    "total.py": """
        def total(items):
            result = 0
            for item in items[1:]:
                result += item
            return result
    """,
    "test_total.py": """
        from total import total


        def test_nothing():
            assert total([]) == 0
    """,
}
_FIXED = {
    "total.py": _BASE["total.py"].replace("[1:]", ""),
    "test_total.py": _BASE["test_total.py"] + "\n\n        def test_some():\n            assert total([1, 2]) == 3\n",
}
_BENT = {
    "test_total.py": _BASE["test_total.py"] + "\n\n        def test_some():\n            assert total([1, 2]) == 2\n",
}
_FIX = "Fix total()"


def _change(folder: Path, *words: str, named: bool = True) -> subprocess.CompletedProcess[str]:
    """Judge a change; the Python of its tests is the plain one, unless none is to be named."""
    command = [sys.executable, "-m", "probatum", "change", *words, "--store", str(folder.parent / "store")]
    if named and "--python" not in words:
        command += ["--python", str(Path(plain_python().packages[0]).parents[2])]
    surroundings = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    return subprocess.run(command, cwd=folder, env=surroundings, capture_output=True, text=True, check=False)


def _state(folder: Path) -> dict[str, str]:
    """Every file of a work tree and of its repository, by digest; the index with its times."""
    files = (each for each in folder.rglob("*") if each.is_file())
    return {str(each): f"{hashlib.sha256(each.read_bytes()).hexdigest()} {each.stat().st_mtime_ns}" for each in files}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return committed(tmp_path_factory.mktemp("total") / "work", _BASE, _FIXED, messages=("First", _FIX))


def test_an_honest_fix_is_verified_and_nothing_is_touched(repository: Path) -> None:
    before = _state(repository)
    done = _change(repository, "HEAD~1..HEAD", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert _state(repository) == before
    answer = json.loads(done.stdout)
    assert answer["verdict"]["status"] == "VERIFIED"
    assert answer["verdict"]["proof_ref"].startswith("sha256:")
    result = answer["result"]
    assert result["passed"] is True
    assert {each["id"]: each["standing"] for each in result["tests"]} == {
        "test_total.py::test_nothing": "kept",
        "test_total.py::test_some": "witness",
    }
    assert [(each["claim"]["kind"], each["standing"]) for each in result["claims"]] == [("fixes", "supported")]


def test_the_proof_is_rechecked_and_replayed(repository: Path) -> None:
    done = _change(repository, "HEAD~1..HEAD", "--json")
    proof = json.loads(done.stdout)["verdict"]["proof_ref"]
    store = str(repository.parent / "store")
    for further in ((), ("--replay",)):
        command = [sys.executable, "-m", "probatum", "proof", "recheck", proof, "--store", store, *further]
        checked = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stdout + checked.stderr
    elsewhere = subprocess.run(command, cwd=repository.parent, capture_output=True, text=True, check=False)
    assert elsewhere.returncode != 0


def test_the_gate_compares_with_what_the_repository_holds_now(repository: Path) -> None:
    verdict = repository.parent / "verdict.json"
    verdict.write_text(_change(repository, "HEAD~1..HEAD", "--json").stdout, encoding="utf-8")
    store = str(repository.parent / "store")
    command = [sys.executable, "-m", "probatum", "gate", str(verdict), "--subject", str(repository), "--store", store]
    admitted = subprocess.run([*command, "--recheck"], capture_output=True, text=True, check=False)
    assert admitted.returncode == 0, admitted.stdout + admitted.stderr
    written(repository, {"more.py": "MORE = 1\n"})
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    (repository / "more.py").unlink()
    assert refused.returncode == 1, refused.stdout + refused.stderr
    weaker = subprocess.run([*command, "--min-strength", "1"], capture_output=True, text=True, check=False)
    assert weaker.returncode == 1


@pytest.mark.parametrize("form", ["markdown", "sarif", "junit", "html"])
def test_every_form_ends_with_the_same_code(repository: Path, form: str) -> None:
    done = _change(repository, "HEAD~1..HEAD", "--format", form)
    assert done.returncode == 0, done.stderr
    assert "VERIFIED" in done.stdout or form == "junit"


def test_the_work_tree_is_judged_with_what_is_untracked(tmp_path: Path) -> None:
    folder = committed(tmp_path / "a folder with spaces", _BASE)
    written(folder, {"total.py": _FIXED["total.py"], "test_more.py": _FIXED["test_total.py"]})
    before = _state(folder)
    done = _change(folder)
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith("VERIFIED")
    assert len(done.stdout.splitlines()) <= 40
    assert _state(folder) == before


def test_a_wrong_done_is_a_question_by_its_own_words(tmp_path: Path) -> None:
    """The agent says that it fixed the sum; it wrote a test that expects what the sum always was."""
    folder = committed(tmp_path / "work", _BASE, _BENT, messages=("First", "Fix total()"))
    claims = tmp_path / "message.md"
    claims.write_text("Done!\n\n- I added 2 tests.\n- All tests pass.\n", encoding="utf-8")
    done = _change(folder, "HEAD~1..HEAD", "--claims", str(claims))
    assert done.returncode == 3, done.stdout
    assert "I added 2 tests" in done.stdout
    said = _change(folder, "HEAD~1..HEAD")
    assert said.returncode == 3
    assert "no code of the sources differs" in said.stdout


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("nowhere..HEAD",), "change.no_revision"),
        (("--repository", "nowhere"), "change.no_folder"),
        (("--min-strength", "7"), "change.min_strength"),
        (("--python", "nowhere"), "python.missing"),
        (("--claims", "nowhere"), "path.missing"),
    ],
)
def test_wrong_usage_has_a_name(repository: Path, words: tuple[str, ...], code: str) -> None:
    done = _change(repository, *words)
    assert done.returncode == 2, done.stdout + done.stderr
    assert f"error[{code}]" in done.stderr


def test_outside_of_a_repository(tmp_path: Path) -> None:
    done = _change(tmp_path)
    assert done.returncode == 2
    assert "error[change.no_repository]" in done.stderr


def test_without_tests_nothing_is_verified(tmp_path: Path) -> None:
    folder = committed(tmp_path / "work", {"total.py": _BASE["total.py"]}, {"total.py": _FIXED["total.py"]})
    done = _change(folder, "HEAD~1..HEAD")
    assert done.returncode == 3
    assert "no test runs total.py::total" in done.stdout


def test_compiled_files_are_never_believed(tmp_path: Path) -> None:
    """A compiled file of the right sources lies beside the wrong ones."""
    folder = committed(tmp_path / "work", _FIXED, messages=("First",))
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    compiling = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", "."]
    subprocess.run(compiling, cwd=folder, env=environment, check=True)
    assert list((folder / "__pycache__").iterdir())
    written(folder, {"total.py": _BASE["total.py"]})
    git(folder, "add", "-f", ".")
    done = _change(folder)
    assert done.returncode == 1, done.stdout
    assert "test_total.py::test_some passed before and fails now" in done.stdout


def test_an_interpreter_that_the_change_brings_is_not_started(tmp_path: Path) -> None:
    seen = tmp_path / "started"
    brought = {"venv/bin/python": f"#!/bin/sh\ntouch {seen}\n", ".venv/pyvenv.cfg": "home = /nowhere\n"}
    folder = committed(tmp_path / "work", _BASE, {**_FIXED, **brought}, messages=("First", _FIX))
    (folder / "venv/bin/python").chmod(0o755)
    (folder / ".venv/bin").mkdir()
    (folder / ".venv/bin/python").symlink_to(folder / "venv/bin/python")
    done = _change(folder, "HEAD~1..HEAD", named=False)
    assert not seen.exists()
    assert done.returncode == 3, done.stdout + done.stderr
    assert "venv/bin/python: it is data" in done.stdout


def test_a_request_line_holds_both_versions(tmp_path: Path) -> None:

    def told(files: dict[str, str]) -> dict[str, str]:
        return {path: textwrap.dedent(text).lstrip() for path, text in files.items()}

    lines = [
        {"id": "good", "kind": "change", "base": told(_BASE), "head": told(_FIXED)},
        {"id": "bad", "kind": "change", "base": told(_FIXED), "head": told({**_FIXED, "total.py": _BASE["total.py"]})},
        {"id": "path", "kind": "change", "base": {}, "head": {"../a.py": ""}},
        {"id": "same", "kind": "change", "base": told(_BASE), "head": told(_BASE)},
    ]
    requests = tmp_path / "in.jsonl"
    requests.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    command = [sys.executable, "-m", "probatum", "batch", str(requests), str(tmp_path / "out.jsonl")]
    done = subprocess.run([*command, "--store", str(tmp_path / "store")], capture_output=True, text=True, check=False)
    answers = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    found = {each["id"]: each["verdict"]["status"] for each in answers}
    assert found == {"good": "VERIFIED", "bad": "UNVERIFIABLE", "path": "BLOCKED", "same": "UNVERIFIABLE"}, done.stderr
