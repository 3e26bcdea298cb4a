"""The same evidence gives the same trace, byte for byte: under any hash seed, and on every Python that is supported.

The digest is that of the trace of one bundle with every type of content. It changes where readers or traces change on
purpose; a difference between two Pythons is a defect.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from probatum.audit import AuditorAgent, EvidenceBundle, PromptSpec, dumps_canonical
from tests.audit.cases import INSIDE, bundle, item, requirement, spec

TRACE = "9b13cdaa680f305c08dcb172032b2fd9d8cb4dc225c89f529935c5c0910c3bba"
ROOT = Path(__file__).resolve().parents[2]
FIELDS = {
    "price": {"path": "price", "label": "closing price", "unit": "USD", "tolerance": 0.001},
    "settled": {"path": "settled", "label": "settled", "kind": "boolean"},
    "held": {"path": "held", "label": "held on", "kind": "timestamp"},
    "lasted": {"path": "lasted", "label": "lasted", "kind": "duration"},
    "release": {"path": "release", "label": "release", "kind": "version"},
}
EVENT = "price > $100k and settled and held between 2026-01-01 and 2026-01-31 and lasted < 3 h and release >= 1.2.0"


def asked() -> PromptSpec:
    sources = tuple(f"src_{number}" for number in range(1, 6))
    declared = {"fields": FIELDS, "date_order": "DMY", "timezone": "+01:00"}
    reading = requirement("all", sources, None, "multi_source_quorum", declared, quorum=3, min_sources=3, max_sources=5)
    return spec(reading, event=EVENT)


def evidence() -> EvidenceBundle:
    page = (
        "<table><tr><th>Closing price</th><td>US$<b>105</b>,000.50</td></tr><tr><th>Settled</th><td>yes</td></tr>"
        "<tr><th>Held on</th><td>14/01/2026</td></tr><tr><th>Lasted</th><td>2 h 30 min</td></tr>"
        "<tr><th>Release</th><td>v1.10.0 &amp; later</td></tr></table><script>closing price: 1</script>"
    )
    text = "Closing price: $105,000.5\nSettled: yes\nHeld on: 14 January 2026\nLasted: 150 minutes\nRelease: 1.10.0\n"
    table = f'price,settled,held,lasted,release,timestamp\n"105,000.50",true,14.01.2026,PT2H30M,1.10.0,{INSIDE}\n'
    data = {"price": 105000.5, "settled": True, "held": "2026-01-14", "lasted": 9000, "release": "1.10.0"}
    return bundle(
        item("page", page, of="all", source="src_1", content_type="text/html"),
        item("text", text, of="all", source="src_2", content_type="text/plain"),
        item("table", table, of="all", source="src_3", content_type="text/csv"),
        item("data", {**data, "timestamp": "2026-01-15T13:00:00+01:00"}, of="all", source="src_4"),
        item("words", {**data, "price": "105,001", "timestamp": 1768478400}, of="all", source="src_5"),
    )


def digest() -> str:
    trace, verification = AuditorAgent().audit(asked(), evidence())
    return hashlib.sha256((dumps_canonical(trace) + dumps_canonical(verification)).encode()).hexdigest()


def test_the_bytes_are_the_known_ones() -> None:
    assert digest() == TRACE


@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_no_hash_seed_changes_them(seed: str) -> None:
    code = "from tests.audit.test_same_bytes import digest; print(digest())"
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == TRACE
