"""What the attacks reach for, set up outside the sandbox, and the observer that says what became of it."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from probatum.sandbox.environment import own_environment
from probatum.sandbox.tiers import NOBODY

SECRET = "canary-" + uuid.uuid4().hex
_RUNNER = "import json, sys\nexec(sys.argv[1])\nprint('SUCCEEDED' if attack(json.loads(sys.argv[2])) else 'STOPPED')"


@dataclass
class World:
    """Canaries, listeners and a living process; ``damage`` names what has changed since they were set up."""

    folder: Path
    victim: subprocess.Popen[bytes]
    sockets: dict[str, socket.socket]
    values: dict[str, object] = field(default_factory=dict)

    def damage(self) -> list[str]:
        found = []
        key = self.folder / "key"
        if not key.exists() or key.read_text() != "canary key":
            found.append("the key was changed")
        elif (key.stat().st_mode & 0o777, int(key.stat().st_mtime)) != (0o666, 1_000_000_000) or os.listxattr(key):
            found.append("the key's attributes were changed")
        if sorted(path.name for path in self.folder.iterdir()) != ["empty", "key", "test_hidden.py"]:
            found.append("files appeared or vanished")
        if self.victim.poll() is not None:
            found.append("the victim was killed")
        if Path(str(self.values["pth"])).exists():
            found.append("the environment was written to")
        return found + [f"{name} heard something" for name, link in self.sockets.items() if _heard(link)]


def _heard(link: socket.socket) -> bool:
    link.setblocking(False)
    try:
        if link.type == socket.SOCK_DGRAM:
            link.recv(16)
        else:
            link.accept()[0].close()
    except BlockingIOError:
        return False
    return True


@contextmanager
def world() -> Iterator[World]:
    """Set up a world whose files and process belong to the user that the sandbox runs as."""
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="canaries-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        for name, text in (("key", "canary key"), ("test_hidden.py", "canary test")):
            (folder / name).write_text(text)
            (folder / name).chmod(0o666)
        (folder / "empty").mkdir()
        os.utime(folder / "key", (1_000_000_000, 1_000_000_000))
        as_root = os.geteuid() == 0
        if as_root:
            for path in (folder, folder / "key", folder / "test_hidden.py", folder / "empty"):
                os.chown(path, NOBODY, NOBODY)
        folder.chmod(0o777)
        victim = subprocess.Popen(
            ["/bin/sleep", "1000"], user=NOBODY if as_root else None, group=NOBODY if as_root else None
        )
        stack.callback(victim.wait)
        stack.callback(victim.kill)
        sockets = {name: stack.enter_context(link) for name, link in _listeners().items()}
        made = World(folder, victim, sockets)
        pth = Path(own_environment().packages[0]) / f"{folder.name}.pth"
        stack.callback(pth.unlink, missing_ok=True)
        made.values = {
            "folder": str(folder),
            "key": str(folder / "key"),
            "hidden_test": str(folder / "test_hidden.py"),
            "new_file": str(folder / "new"),
            "empty": str(folder / "empty"),
            "pth": str(pth),
            "secret": SECRET,
            "judge": os.getpid(),
            "victim": victim.pid,
            "address": _stack_address(victim.pid),
            "tcp": sockets["tcp"].getsockname()[1],
            "udp": sockets["udp"].getsockname()[1],
            "abstract": sockets["abstract"].getsockname()[1:].decode(),
            "abstract_datagram": sockets["abstract_datagram"].getsockname()[1:].decode(),
        }
        yield made


def _listeners() -> dict[str, socket.socket]:
    made = {
        "tcp": socket.socket(),
        "udp": socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        "abstract": socket.socket(socket.AF_UNIX),
        "abstract_datagram": socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM),
    }
    for name, link in made.items():
        link.bind(("127.0.0.1", 0) if link.family == socket.AF_INET else f"\0canary-{uuid.uuid4().hex}")
        if not name.endswith("datagram") and name != "udp":
            link.listen()
    return made


def _stack_address(number: int) -> int:
    for line in Path(f"/proc/{number}/maps").read_text().splitlines():
        if line.endswith("[stack]"):
            return int(line.split("-")[0], 16)
    return 0


def outside(source: str, values: dict[str, object]) -> bool:
    """Run an attack without any sandbox, in a process of its own; true when it got what it wanted."""
    arguments = json.dumps({**values, "inside": False, "forks": 20})
    done = subprocess.run(
        [sys.executable, "-c", _RUNNER, source, arguments],
        env={**os.environ, "CANARY": SECRET},
        capture_output=True,
        check=False,
        text=True,
        timeout=600,
    )
    return "SUCCEEDED" in done.stdout
