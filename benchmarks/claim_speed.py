"""How long an exact claim takes: the engine alone, and with its certificate checked, through the warm process.

Prints medians in microseconds, and how long importing `probatum.exact` takes in a fresh interpreter. No claim is asked
twice, so that nothing is remembered but what a schema or a set of premises costs to read once.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping

from probatum.core.frozen import frozen_dict
from probatum.exact import ExactClaim, decide
from probatum.exact.engines import ENGINES
from probatum.exact.evaluation import TASK, ruling_of
from probatum.workers.warm import WarmExecutor

RUNS = 200
STARTS = 15
TABLES = """CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER);
CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users(id), total INTEGER);"""
CASES: dict[str, tuple[str, str, Mapping[str, object]]] = {
    "arithmetic": ("math", "0.1 + 0.2 + {n}/7 = ({n} * 10 + 21)/70", {}),
    "identity": ("math", "(x + {n})^2 = x^2 + 2*{n}*x + {n}^2", {"declare": ["x: real"]}),
    "SQL, one table": ("sql", "SELECT name, age FROM users WHERE age > {n}", {"schema": TABLES}),
    "SQL, a join": (
        "sql",
        "SELECT u.name, SUM(o.total) FROM users u JOIN orders o ON o.user_id = u.id WHERE o.total > {n} GROUP BY 1",
        {"schema": TABLES},
    ),
    "logic": ("logic", "y > {n}", {"declare": ["x, y: int"], "premise": ["x > {n}", "y > x"]}),
}


def claims(engine: str, statement: str, given: Mapping[str, object]) -> list[ExactClaim]:
    """Return so many claims, no two of them alike."""
    made = []
    for number in range(2, RUNS + 2):
        written = {
            name: [each.replace("{n}", str(number)) for each in value] if isinstance(value, list) else value
            for name, value in given.items()
        }
        made.append(ExactClaim(engine, statement.replace("{n}", str(number)), frozen_dict(written)))
    return made


def median(ask: Callable[[ExactClaim], object], asked: list[ExactClaim]) -> float:
    """Return the median time of a claim, in microseconds; the first one loads the engine and is left out."""
    ask(asked[0])
    times = []
    for claim in asked[1:]:
        started = time.perf_counter()
        ask(claim)
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1e6


def import_time() -> float:
    """Return how long importing the package takes in a fresh interpreter, in milliseconds: the median of several."""
    code = "import time; t = time.perf_counter(); import probatum.exact; print(time.perf_counter() - t)"
    runs = [subprocess.run([sys.executable, "-c", code], check=True, capture_output=True) for _ in range(STARTS)]
    return statistics.median(float(each.stdout) for each in runs) * 1000


def main() -> None:
    """Print the table."""
    print(f"import probatum.exact: {import_time():.1f} ms")
    print(f"{'claim':<18}{'engine alone, µs':>18}{'warm process, µs':>18}")
    executor = WarmExecutor(TASK)
    for name, (engine, statement, given) in CASES.items():
        if any(each not in {known.name for known in ENGINES[engine].inputs} for each in given):
            continue
        asked = claims(engine, statement, given)
        outcome = decide(asked[0]).outcome.value
        alone = median(decide, asked)
        warm = median(lambda claim: ruling_of(claim, executor.evaluate), asked)
        print(f"{name:<18}{alone:>18,.0f}{warm:>18,.0f}  {outcome}")
    executor.close()


if __name__ == "__main__":
    main()
