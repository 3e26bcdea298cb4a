"""Published vectors, and generated numbers, against what probatum uses for proofs: how many agree.

    python benchmarks/published_vectors.py FOLDER [--numbers N] [--seed N]

FOLDER holds jcs-vectors.jsonl (RFC 8785, input and output), ed25519-vectors.jsonl (public key, message, signature,
result) and json-test-suite.jsonl (base64 of a document; y is accepted, n refused, i either). The numbers are written by
`canonical_bytes`, and by two others that share no code with it: the definition in exact arithmetic, and node where it
is installed. Ends with 1 where anything disagrees.
"""

from __future__ import annotations

import argparse
import base64
import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from probatum.core.canonical import canonical_bytes, parse_json
from probatum.proof.keys import PublicKey
from tests.core.ecmascript import bits_of, doubles, number_text

SEED = 8785
NUMBERS = 1_000_000
CHUNK = 100_000
NODE = """
const lines = require("fs").readFileSync(0, "latin1").split("\\n");
const view = new DataView(new ArrayBuffer(8));
const told = lines.map((bits) => {
  view.setBigUint64(0, BigInt("0x" + bits));
  return JSON.stringify(view.getFloat64(0));
});
process.stdout.write(told.join("\\n"));
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what was held against what, how many agree, and the first that do not."""

    what: str
    count: int
    wrong: tuple[str, ...] = ()

    def __str__(self) -> str:
        shown = f"  not: {', '.join(self.wrong[:5])}" if self.wrong else ""
        return f"{self.what:<66}{self.count:>10}{self.count - len(self.wrong):>10}{shown}"


def rows_of(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of one file, one a line."""
    with (folder / name).open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def canonical_vectors(folder: Path) -> Row:
    """Read each input with our parser and write it in canonical form, byte for byte the published output."""
    cases = list(rows_of(folder, "jcs-vectors.jsonl"))
    wrong = [
        str(case["file"])
        for case in cases
        if canonical_bytes(parse_json(case["input"].encode())) != case["output"].encode()
    ]
    return Row("RFC 8785: input gives the output, byte for byte", len(cases), tuple(wrong))


def signature_vectors(folder: Path) -> Iterator[Row]:
    """Verify each signature with the function that verifies ours."""
    cases = list(rows_of(folder, "ed25519-vectors.jsonl"))
    for result, title in (("valid", "Ed25519: valid, and verified"), ("invalid", "Ed25519: invalid, and refused")):
        asked = [case for case in cases if case["result"] == result]
        wrong = [str(case["tcId"]) for case in asked if _is_verified(case) is not (result == "valid")]
        yield Row(title, len(asked), tuple(wrong))


def _is_verified(case: dict[str, Any]) -> bool:
    key = PublicKey(bytes.fromhex(case["group_key"]["pk"]))
    return key.verifies(bytes.fromhex(case["sig"]), bytes.fromhex(case["msg"]))


def parsing_suite(folder: Path) -> Iterator[Row]:
    """Read each document with our parser; a key that is there twice is refused, whatever the suite says."""
    told: dict[str, list[tuple[str, bool]]] = {"y": [], "n": [], "i": [], "twice": []}
    for case in rows_of(folder, "json-test-suite.jsonl"):
        name, content = str(case["file"]), base64.b64decode(case["base64"])
        group = "twice" if case["expect"] == "y" and _has_a_key_twice(content) else str(case["expect"])
        told[group].append((name, _is_parsed(content)))
    for group, is_wanted, title in (
        ("y", True, "JSON: to be accepted, and accepted"),
        ("twice", False, "JSON: a key is there twice, and refused"),
        ("n", False, "JSON: to be refused, and refused"),
    ):
        wrong = tuple(name for name, is_parsed in told[group] if is_parsed is not is_wanted)
        yield Row(title, len(told[group]), wrong)
    either = Counter(is_parsed for _, is_parsed in told["i"])
    yield Row(f"JSON: either is right; {either[False]} are refused", len(told["i"]))


def _is_parsed(content: bytes) -> bool:
    try:
        parse_json(content)
    except ValueError:
        return False
    return True


def _has_a_key_twice(content: bytes) -> bool:
    doubled = []

    def note(pairs: list[tuple[str, object]]) -> dict[str, object]:
        doubled.append(len(dict(pairs)) < len(pairs))
        return dict(pairs)

    json.loads(content, object_pairs_hook=note)
    return any(doubled)


def generated_numbers(count: int, seed: int) -> Iterator[Row]:
    """Write numbers with ours and with the two others."""
    node = shutil.which("node")
    of_definition: list[str] = []
    of_node: list[str] = []
    values = doubles(count, seed)
    done = 0
    while chunk := list(islice(values, min(CHUNK, count - done))):
        done += len(chunk)
        ours = [canonical_bytes(value).decode() for value in chunk]
        told = [number_text(value) for value in chunk]
        of_definition += [value.hex() for value, our, other in zip(chunk, ours, told, strict=True) if our != other]
        if node is not None:
            told = _node_texts(node, chunk)
            of_node += [value.hex() for value, our, other in zip(chunk, ours, told, strict=True) if our != other]
    yield Row(f"numbers (seed {seed}) against the definition in exact arithmetic", done, tuple(of_definition))
    if node is None:
        print("node is not installed: the second comparison of numbers is left out", file=sys.stderr)
    else:
        yield Row(f"numbers (seed {seed}) against node", done, tuple(of_node))


def _node_texts(node: str, values: Sequence[float]) -> list[str]:
    bits = "\n".join(f"{bits_of(value):016x}" for value in values)
    told = subprocess.run([node, "-e", NODE], input=bits, capture_output=True, text=True, check=True)
    return told.stdout.split("\n")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Published vectors against what probatum uses for proofs.")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--numbers", type=int, default=NUMBERS, metavar="N")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N")
    asked = parser.parse_args()
    print(f"{'what':<66}{'cases':>10}{'agree':>10}")
    all_agree = True
    rows = (
        canonical_vectors(asked.folder),
        *signature_vectors(asked.folder),
        *parsing_suite(asked.folder),
        *generated_numbers(asked.numbers, asked.seed),
    )
    for row in rows:
        print(row)
        all_agree &= not row.wrong and row.count > 0
    return 0 if all_agree else 1


if __name__ == "__main__":
    sys.exit(main())
