"""Prints what proofs cost on this machine: a verdict, a signature, a stored artifact, ledger entries, their proofs.

Usage: python benchmarks/proof_speed.py [ENTRIES]. ENTRIES is the size of the ledger whose proofs are timed: a million
without it. Asserts nothing: durations are for people.
"""

from __future__ import annotations

import resource
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from probatum import DiagnosticResult
from probatum.core.merkle import is_included, leaf_hash
from probatum.proof.envelope import IN_TOTO, signed_envelope
from probatum.proof.keys import KeyFolder
from probatum.proof.ledger import Ledger
from probatum.proof.stores import SqliteStore

FIELDS = {f"field_{number}": number / 7 if number % 2 else f"value {number}" for number in range(10)}
GROUP = 500
DRAWN = 200


def median(action: Callable[[], object], rounds: int) -> float:
    """Return the median duration of ``action`` in microseconds."""
    durations = []
    for _ in range(rounds):
        started = perf_counter()
        action()
        durations.append(perf_counter() - started)
    return statistics.median(durations) * 1e6


def per_second(action: Callable[[], object], count: int, rounds: int) -> float:
    """Return how many of ``count`` things an action does in a second, as the median of some rounds."""
    return count / (median(action, rounds) / 1e6)


def main() -> None:
    """Print one line for each cost."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    built = median(lambda: DiagnosticResult.verified("The claim holds.", {"constraint_id": "a.b"}, FIELDS), 5000)
    print(f"build a VERIFIED result of 10 fields      {built:10.1f} us")
    with tempfile.TemporaryDirectory() as folder:
        key = KeyFolder(Path(folder) / "keys").generate("bench")
        payload = b"x" * 2000
        signing = median(lambda: signed_envelope(IN_TOTO, payload, key).verified_payload([key.public]), 2000)
        print(f"sign an envelope and verify it            {signing:10.1f} us")
        store = SqliteStore(Path(folder) / "proofs.sqlite")
        kept = iter(range(10**9))
        single = per_second(lambda: store.retain(b"%d" % next(kept)), 1, 300)
        print(f"retain artifacts, one commit each         {single:10.0f} a second")
        ledger = Ledger(Path(folder) / "ledger.sqlite")
        alone = per_second(lambda: ledger.append([b"%d" % next(kept)]), 1, 300)
        print(f"append entries, one commit each           {alone:10.0f} a second")
        group = [b"entry %d" % number for number in range(GROUP)]
        grouped = per_second(lambda: ledger.append(group), GROUP, 40)
        print(f"append entries, {GROUP} a commit              {grouped:10.0f} a second")
        both = per_second(
            lambda: (store.retain_all([b"%d" % next(kept) * 1000 for _ in group]), ledger.append(group)), GROUP, 40
        )
        print(f"retain + ledger entry, {GROUP} a commit       {both:10.0f} a second")
        large = Ledger(Path(folder) / "large.sqlite")
        for start in range(0, size, 50_000):
            large.append([b"%d" % number for number in range(start, min(size, start + 50_000))])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        positions = iter([number * (size // DRAWN) for number in range(DRAWN)])
        proving = median(lambda: large.inclusion(next(positions)), DRAWN)
        print(f"inclusion proof at {size} entries       {proving / 1000:10.2f} ms")
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(f"memory that {DRAWN} proofs took               {grown:10} KiB")
        head = large.head("bench")
        path = large.inclusion(0)
        checking = median(lambda: is_included(leaf_hash(b"0"), 0, size, path, head.root), 2000)
        print(f"check an inclusion proof                  {checking:10.1f} us")


if __name__ == "__main__":
    main()
