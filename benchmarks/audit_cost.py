"""Prints what an audit of 100, 1,000 and 10,000 items costs: seconds, their ratio to the items, and memory.

Usage: python benchmarks/audit_cost.py. Each size runs in a process of its own, with two shapes of evidence: JSON of
sources that agree, and pages of which the values differ. Asserts nothing: ratios compare across machines.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from time import process_time

from probatum.audit import AuditorAgent, EvidenceBundle, PromptSpec

SIZES = (100, 1_000, 10_000)
MEBIBYTE = 1024


def prompt() -> PromptSpec:
    """Return a question about a price, by a quorum of all sources."""
    window = {"start": "2026-01-01T00:00:00Z", "end": "2026-01-31T00:00:00Z"}
    policy = {"strategy": "multi_source_quorum", "quorum": 2, "min_sources": 2, "max_sources": 20_000}
    return PromptSpec.model_validate(
        {
            "market": {
                "market_id": "m",
                "question": "Does the price exceed 100,000?",
                "event_definition": "price > 100000",
                "resolution_deadline": window["end"],
                "resolution_window": window,
                "resolution_rules": {"rules": [{"rule_id": "r", "description": "As the sources say."}]},
                "dispute_policy": {"dispute_window_seconds": 60},
            },
            "prediction_semantics": {"target_entity": "X", "predicate": "price above"},
            "data_requirements": [
                {
                    "requirement_id": "price",
                    "description": "The price.",
                    "selection_policy": policy,
                    "extra": {"fields": {"price": {"path": "price", "label": "price"}}},
                }
            ],
        }
    )


def agreeing(number: int) -> tuple[str, str]:
    """Return content and type of an item that says what all others say."""
    return json.dumps({"price": 105_000, "timestamp": f"2026-01-10T00:{number % 60:02}:00Z", "depth": [1, 2]}), "json"


def differing(number: int) -> tuple[str, str]:
    """Return a page that says something else than all others."""
    return f"<html><body><h1>Report {number}</h1><p>Price: <b>{105_000 + number:,}</b></p></body></html>", "html"


SHAPES: dict[str, Callable[[int], tuple[str, str]]] = {"agreeing": agreeing, "differing": differing}


def bundle(shape: str, size: int) -> EvidenceBundle:
    """Return a bundle of so many items, each of a source of its own."""
    items = []
    for number in range(size):
        content, content_type = SHAPES[shape](number)
        source = {"source_id": f"s{number}", "source_uri": f"https://s{number}.example"}
        told = {"raw_content": content, "content_type": content_type, "provenance": source}
        items.append({"evidence_id": f"ev_{number:05}", "requirement_id": "price", **told})
    return EvidenceBundle.model_validate({"bundle_id": "b", "market_id": "m", "plan_id": "p", "items": items})


def measure(shape: str, size: int) -> None:
    """Print seconds of processor time and the most memory that this process had, in MiB."""
    spec, evidence = prompt(), bundle(shape, size)
    begin = process_time()
    AuditorAgent().audit(spec, evidence)
    took = process_time() - begin
    print(json.dumps([took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEBIBYTE]))


def main() -> None:
    """Print a line for each shape and size."""
    print(f"{'shape':<10} {'items':>6} {'seconds':>8} {'ms an item':>11} {'MiB':>6}")
    for shape in SHAPES:
        for size in SIZES:
            command = [sys.executable, __file__, shape, str(size)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            took, memory = json.loads(done.stdout)
            print(f"{shape:<10} {size:>6,} {took:>8.2f} {1000 * took / size:>11.3f} {memory:>6.0f}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(sys.argv[1], int(sys.argv[2]))
    else:
        main()
