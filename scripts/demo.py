"""The demo: verifies the examples, has words read, audits evidence, judges changes, re-checks a proof, alters a byte.

Everything happens in a copy of the examples. Shows every command with what it prints. Refuses to end well when an exit
code or an expected line is missing.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Scene:
    """One command, why it is shown, and what must come of it."""

    title: str
    arguments: tuple[str, ...]
    exit_code: int
    must_say: tuple[str, ...] = ()
    """Regular expressions, each of which must be found in what the command prints."""


class Unexpected(Exception):
    """A command did not do what the demo shows it for."""


NEWEST_FIRST = "Return users sorted by registration date, newest first"
BARLEY = "examples/audit/barley-price"
VERIFY = (
    Scene(
        "A function that must list the newest users first, and lists the oldest first",
        ("verify", "examples/recent_users_wrong.py"),
        1,
        (r"recent_users\(", r"\['Ada', 'Linus', 'Grace'\]"),
    ),
    Scene(
        "The same function, mended: its examples hold, and one statement is open",
        ("verify", "examples/recent_users.py"),
        3,
        (
            r"probatum read examples/recent_users\.py::recent_users --ask",
            r"Return the names of the users who joined last, newest first\.",
        ),
    ),
    Scene(
        "A reader says in code what the statement means; here an answer was recorded",
        ("read", "examples/recent_users.py", "--with", "replay:examples/recent_users.answers.jsonl"),
        0,
        (r"1 reading proposed",),
    ),
    Scene(
        "Somebody accepts the reading",
        ("read", "examples/recent_users.py", "--accept", "--all", "--by", "a careful person"),
        0,
        (r"1 reading accepted",),
    ),
    Scene(
        "Now every word is accounted for",
        ("verify", "examples/recent_users.py"),
        0,
        (r"VERIFIED", r"\d+ of \d+ mutants killed", r"accepted by a careful person"),
    ),
    Scene(
        "A function whose documentation is all code: it needs no reader",
        ("verify", "examples/coins.py"),
        0,
        (r"VERIFIED", r"code: sum\(__return__\) == cents"),
    ),
    Scene(
        "A function whose only example would let many wrong versions pass",
        ("verify", "examples/parcel_price.py"),
        3,
        (r"survives: ",),
    ),
    Scene(
        "Two functions, one of them wrong on an edge",
        ("verify", "examples/paginate.py"),
        1,
        (r"page_count\(30, 10\)",),
    ),
    Scene(
        "A class, shown by a session",
        ("verify", "examples/inventory.py"),
        0,
        (r"VERIFIED",),
    ),
    Scene(
        "A function that knows the answers to its own examples",
        ("verify", "examples/roman_special_cased.py"),
        3,
        (r"only inputs written in the specification reach",),
    ),
    Scene(
        "A function whose examples show less than its documentation says",
        ("verify", "examples/late_fee.py"),
        3,
        (r"The first three days are free\.",),
    ),
    Scene(
        "What a reader answered about it",
        ("read", "examples/late_fee.py", "--with", "replay:examples/late_fee.answers.jsonl"),
        0,
        (r"4 readings proposed",),
    ),
    Scene(
        "The same function, where proposed readings count",
        ("verify", "examples/late_fee.py", "--readings-policy", "proposed"),
        0,
        (r"VERIFIED", r"days > 3 or result == 0", r"kills \d+ mutants"),
    ),
    Scene(
        "A query that is asked for the newest users first, and lists the oldest first: the rows that show it",
        ("verify", "examples/user_table_wrong.py::get_recent_users", "--contract", NEWEST_FIRST),
        1,
        (r"'created_at': datetime\.datetime\(2024, 1, 2,", r"get_recent_users\(session_1\(\)\)"),
    ),
    Scene(
        "The query that is right is verified on the same databases, by checks that ran in its own process",
        ("verify", "examples/user_table.py::get_recent_users", "--contract", NEWEST_FIRST),
        0,
        (r"VERIFIED", r"in the program's own process", r"accepted by a careful person"),
    ),
    Scene(
        "A price that three sources tell, one of them with digits swapped",
        ("audit", "--prompt", f"{BARLEY}/prompt.json", "--evidence", f"{BARLEY}/evidence.json"),
        3,
        (r"contradict each other about close .*215\.4 EUR \(growers-1\)", r"cache that was out of date"),
    ),
    Scene(
        "The same question, after the evidence was collected again",
        ("audit", "--prompt", f"{BARLEY}/prompt.json", "--evidence", f"{BARLEY}/evidence_again.json"),
        0,
        (r"VERIFIED", r"event observed: close > threshold", r"3 sources"),
    ),
    Scene(
        "Release notes that a model wrote, against the changelog",
        ("judge", "examples/judge/release-notes.json"),
        1,
        (r"'9\.1' but changelog says '7\.5'", r"'3\.1\.9' not found"),
    ),
    Scene(
        "An agent says that it fixed a function, added 2 tests, and that all tests pass",
        ("change", "main..agent", "--repository", "trips"),
        3,
        (r"1 test function was added; 2 are claimed", r"`buses_for\(120, 50\) >= 2` replaces"),
    ),
    Scene(
        "Another change says the same, and it is so",
        ("change", "main..fix", "--repository", "trips"),
        0,
        (r"VERIFIED", r"2 fail on the base and pass now"),
    ),
)


def run(scene: Scene, folder: Path, store: Path) -> str:
    """Show a scene in this folder and return what its command printed; raises Unexpected where it is not as due."""
    print(f"\n--- {scene.title}\n$ probatum {shlex.join(scene.arguments)}\n", flush=True)
    command = [sys.executable, "-m", "probatum", *scene.arguments]
    if scene.arguments[0] != "read":
        command += ["--store", str(store)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    printed = (done.stdout + done.stderr).replace(str(store), "STORE")
    print(printed, f"(exit code {done.returncode})", sep="", flush=True)
    if done.returncode != scene.exit_code:
        raise Unexpected(f"exit code {done.returncode} where {scene.exit_code} was expected")
    for pattern in scene.must_say:
        if not re.search(pattern, printed):
            raise Unexpected(f"nothing printed matches {pattern!r}")
    return printed


def reference_of(path: str, folder: Path, store: Path) -> str:
    """Return the proof reference of a file that verifies."""
    command = [sys.executable, "-m", "probatum", "verify", path, "--json", "--store", str(store)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    reference = json.loads(done.stdout)["verdict"]["proof_ref"]
    if not isinstance(reference, str):
        raise Unexpected(f"{path} has no proof")
    return reference


def alter_one_byte(reference: str, store: Path) -> None:
    """Change one byte in the middle of the stored proof, in place."""
    digest = reference.removeprefix("sha256:")
    kept = [path for path in store.rglob("*") if path.is_file() and digest.endswith(path.name)]
    if len(kept) != 1:
        raise Unexpected(f"{len(kept)} files hold the proof, not one")
    content = bytearray(kept[0].read_bytes())
    middle = len(content) // 2
    content[middle] ^= 1
    kept[0].chmod(0o600)
    kept[0].write_bytes(content)
    print(f"\n--- Byte {middle} of the stored proof is altered")


def main() -> int:
    """Show everything; return 0 when all of it was as expected."""
    with tempfile.TemporaryDirectory(prefix="probatum-demo-") as name:
        folder = Path(name)
        shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
        subprocess.run([sys.executable, "examples/change/make_repository.py", "trips"], cwd=folder, check=True)
        store = folder / "proofs"
        store.mkdir()
        try:
            for scene in VERIFY:
                run(scene, folder, store)
            reference = reference_of("examples/recent_users.py", folder, store)
            recheck = ("proof", "recheck", reference)
            run(Scene("Its proof, checked again as a stranger would", recheck, 0), folder, store)
            run(Scene("The same, with every recorded input run again", (*recheck, "--replay"), 0), folder, store)
            alter_one_byte(reference, store)
            broken = Scene("The check names the step at which trust breaks", recheck, 1, (r"Step 3 does not hold",))
            run(broken, folder, store)
        except Unexpected as unexpected:
            print(f"\ndemo: {unexpected}", file=sys.stderr)
            return 1
    print("\ndemo: everything was as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
