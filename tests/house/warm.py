"""Command lines in processes that are forked from a warm one, so that a page of commands does not import for minutes.

A `Warm` starts one server, which imports the package once, and makes a folder with a small program ``probatum`` for the
PATH. That program hands its three streams, its folder, its arguments and its environment to the server; a fork of the
server becomes the command and answers with the exit code. Each command is a process of its own all the same: what it
prints, where, and how it ends is its own. ``probatum-python FILE`` runs a script likewise, ``probatum-session FILE``
checks a session.

Run as a script it is the server: python tests/house/warm.py SOCKET
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import select
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

COMMAND, SCRIPT, SESSION = "probatum", "probatum-python", "probatum-session"
_LONGEST = 1 << 18
_CLIENT = """\
#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
    server.connect({address!r})
    words = [os.path.basename(sys.argv[0]), *sys.argv[1:]]
    request = json.dumps([words, os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(server, [request], [0, 1, 2])
    os.close(0), os.close(1)
    os._exit(int(server.recv(16) or 255))
"""


class Warm:
    """A server, and the folder with the programs that ask it; both are gone after `close`."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.programs = Path(self._folder.name)
        address = str(self.programs / "socket")
        for name in (COMMAND, SCRIPT, SESSION):
            (self.programs / name).write_text(_CLIENT.format(python=sys.executable, address=address))
            (self.programs / name).chmod(0o755)
        self._server = subprocess.Popen(
            [sys.executable, __file__, address],
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._server.stdout is not None
        if not self._server.stdout.readline():
            raise RuntimeError("the warm server did not start")

    def close(self) -> None:
        """End the server, which waits for the end of its standard input."""
        self._server.communicate()
        self._folder.cleanup()


def _serve(address: str) -> None:
    _import_everything()
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(address)
        listener.listen()
        print("ready", flush=True)
        while 0 not in select.select([0, listener.fileno()], [], [])[0]:
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                _become(connection)
            connection.close()
            _reap()


def _import_everything() -> None:
    import probatum

    for found in pkgutil.walk_packages(probatum.__path__, "probatum."):
        if ".inside" not in found.name:
            importlib.import_module(found.name)


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


def _become(connection: socket.socket) -> NoReturn:
    """Be the command that is asked for; answer with its exit code after everything that an interpreter does last."""
    code = 70
    try:
        os.setsid()
        request, streams, _, _ = socket.recv_fds(connection, _LONGEST, 3)
        words, folder, environment = json.loads(request)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        code = _exit_code_of(words)
        connection.send(b"%d" % code)
    finally:
        os._exit(code)


def _exit_code_of(words: list[str]) -> int:
    """Run one command line in this fork, and return the exit code that an interpreter would end with."""
    import atexit
    import threading
    import traceback

    code: object
    try:
        code = _run(words)
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
        code = 1
    if code is not None and not isinstance(code, int):
        print(code, file=sys.stderr)
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]  # what an interpreter does before it ends
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    return (code or 0) & 0xFF


def _run(words: list[str]) -> object:
    sys.argv = words if words[0] == COMMAND else words[1:]
    sys.path[0] = "" if words[0] == SESSION else os.path.dirname(os.path.abspath(sys.argv[0]))
    if words[0] == COMMAND:
        from probatum.__main__ import main

        return main()
    if words[0] == SCRIPT:
        import runpy

        runpy.run_path(words[1], run_name="__main__")
        return 0
    import doctest

    return doctest.testfile(words[1], module_relative=False, optionflags=doctest.ELLIPSIS).failed > 0


if __name__ == "__main__":
    _serve(sys.argv[1])
