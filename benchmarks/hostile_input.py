"""What reading hostile input costs: processor time for each byte at growing sizes, and memory beyond the idle process.

    python benchmarks/hostile_input.py [--sizes 10,100,1000] [READER…]

Every reader reads every shape of `tests/attacks` in a process of its own; sizes are in kB. Printed are the readings
whose time grows faster than their size, that need more memory than their reader may (40 times their size, where no
small limit is set to that), or that do not end; then how many there were. Refuses a reader that does not exist.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.attacks.hostile_readers import READERS, Read

MOST_SECONDS = 30
MOST_GROWTH = 1.8
# Below these nothing can be told from what starting costs.
LEAST_SECONDS = 0.2
LEAST_KILOBYTES = 8_000


def used() -> tuple[float, int]:
    """Return the processor seconds and the peak of memory, in kB, of this process."""
    found = resource.getrusage(resource.RUSAGE_SELF)
    return found.ru_utime + found.ru_stime, found.ru_maxrss


def measured(read: Read, content: bytes) -> tuple[float, int, str]:
    """Return seconds, kB and how it ended, of one reading in a child process."""
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 1))
        seconds, memory = used()
        try:
            ending = type(read(content)).__name__
        except Exception as error:  # noqa: BLE001  how it ends is what is asked
            ending = type(error).__name__
        after = used()
        os.write(sender, json.dumps([after[0] - seconds, after[1] - memory, ending]).encode())
        os._exit(0)
    os.close(sender)
    with os.fdopen(receiver, "rb") as file:
        told = file.read()
    os.waitpid(child, 0)
    if not told:
        return float(MOST_SECONDS), 0, "did not end"
    took, needed, ended = json.loads(told)
    return float(took), int(needed), str(ended)


def main() -> None:
    """Print what grows too fast."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="10,100,1000")
    parser.add_argument("readers", nargs="*", choices=[[], *READERS], default=[])
    asked = parser.parse_args()
    sizes = [int(size) * 1000 for size in asked.sizes.split(",")]
    gc.freeze()
    count = told = 0
    for name in asked.readers or READERS:
        for form in READERS[name].forms:
            for shape, make in form.items():
                rows = []
                for size in sizes:
                    content = make(size).encode("utf-8", "surrogatepass")
                    rows.append((len(content), *measured(READERS[name].read, content)))
                count += 1
                reader = READERS[name]
                (first, seconds, _, _), (last, most, memory, ending) = rows[0], rows[-1]
                growth = most / last / max(seconds / first, 1e-9)
                is_slow = most > LEAST_SECONDS and growth > MOST_GROWTH
                is_large = memory > LEAST_KILOBYTES and memory * 1024 > reader.most_memory * reader.copies * last
                if is_slow or is_large or ending == "did not end":
                    told += 1
                    ratio = memory * 1024 / last / reader.copies
                    print(f"{name}, {shape}: {most:.2f} s, growth {growth:.1f}, memory {ratio:.0f} times, {ending}")
    print(f"{count} readings, of which {told} are above")


if __name__ == "__main__":
    main()
