"""How long it takes to start: the bare interpreter, the package, its first name, and the quick commands.

Prints the fastest of several runs, in milliseconds, and what each costs over the bare interpreter. Run it with the
interpreter that has probatum installed: ``python benchmarks/start_up.py``.
"""

from __future__ import annotations

import subprocess
import sys
import time

RUNS = 9
CASES = {
    "python": ["-c", "pass"],
    "import probatum": ["-c", "import probatum"],
    "probatum.DiagnosticResult": ["-c", "import probatum; probatum.DiagnosticResult"],
    "probatum --version": ["-m", "probatum", "--version"],
    "probatum --help": ["-m", "probatum", "--help"],
    "probatum.verify_program (not called)": ["-c", "import probatum; probatum.verify_program"],
}


def fastest(arguments: list[str]) -> float:
    """Return the shortest of several runs, in milliseconds."""
    found = []
    for _ in range(RUNS):
        started = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        found.append((time.perf_counter() - started) * 1000)
    return min(found)


def main() -> None:
    """Print the table."""
    bare = fastest(CASES["python"])
    print(f"{'what':<38}{'ms':>8}{'over bare':>12}{'ratio':>8}")
    for name, arguments in CASES.items():
        needed = fastest(arguments)
        print(f"{name:<38}{needed:>8.1f}{needed - bare:>12.1f}{needed / bare:>8.2f}")


if __name__ == "__main__":
    main()
