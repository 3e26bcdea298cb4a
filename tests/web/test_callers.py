"""Who may ask: tokens of a file, signed tokens, and which layer each of them shows."""

from __future__ import annotations

import base64
import hmac
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey

import probatum
from probatum.core.disclosure import Layer
from probatum.core.errors import UsageError
from probatum.web.callers import Caller, Callers, ForbiddenError, new_token, read_tokens, signed_tokens, token_hash
from tests.web.running import HELD_KIND, Running, offer_held, server

CLAIM = {"engine": "math", "statement": "1 + 1 = 2"}
UNAUTHORIZED = {"error": "Unauthorized", "message": "Bearer token required for validation operations"}
KEY = ECKey.generate_key("P-256", {"kid": "one"})
KEYS = json.dumps({"keys": [KEY.as_dict(private=False)]}).encode()


@pytest.fixture(scope="module")
def tokens() -> dict[str, tuple[str, str]]:
    return {role: new_token(role, f"{role}-1") for role in ("agent", "developer", "auditor")}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, tokens: dict[str, tuple[str, str]]) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("callers")
    (folder / "tokens").write_text("# callers\n\n" + "".join(line for _, line in tokens.values()))
    (folder / "keys.json").write_bytes(KEYS)
    signed = ("--caller-keys", "keys.json", "--caller-issuer", "https://issuer", "--caller-audience", "probatum")
    with server(folder, "--tokens", "tokens", *signed) as found:
        yield found


def b64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def signed(key: ECKey = KEY, **claims: object) -> str:
    told = {"iss": "https://issuer", "aud": "probatum", "sub": "alice", "exp": int(time.time()) + 600, "scope": "agent"}
    header = {"alg": "ES256", "kid": "one"}
    return jwt.encode(header, {key: value for key, value in {**told, **claims}.items() if value is not None}, key)


HEADERS = {
    "none": None,
    "blank": "",
    "no scheme": "abc",
    "another scheme": "Basic YWxpY2U6Ym9i",
    "no token": "Bearer",
    "a wrong token": "Bearer " + "x" * 43,
    "two words": "Bearer a b",
    "a huge token": "Bearer " + "x" * 9000,
    "not base64": "Bearer é",
}


@pytest.mark.parametrize("case", HEADERS)
@pytest.mark.parametrize("path", ["/validate", "/v1/claim", "/v1/verdicts/x"])
def test_without_a_known_token_nothing_is_answered(running: Running, case: str, path: str) -> None:
    header = HEADERS[case]
    headers = {} if header is None else {"Authorization": header.encode("latin-1")}
    method = "GET" if "verdicts" in path else "POST"
    answer = httpx.request(method, running.url + path, headers=headers)
    told = answer.json()
    assert answer.status_code == 401
    assert told.pop("request_id") == answer.headers["x-request-id"]
    assert told == UNAUTHORIZED
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("path", ["/health", "/ready", "/metrics", "/capabilities", "/.well-known/jwks.json"])
def test_what_is_open_needs_no_token(running: Running, path: str) -> None:
    assert httpx.get(running.url + path, headers={"Authorization": "Bearer wrong"}).status_code == 200


MEMBERS = {
    "agent": {"status", "agent_message"},
    "developer": {"status", "agent_message", "developer_fields"},
    "auditor": {"status", "agent_message", "developer_fields", "proof_ref", "is_authoritative"},
}


@pytest.mark.parametrize("role", MEMBERS)
def test_each_role_sees_its_layer(running: Running, tokens: dict[str, tuple[str, str]], role: str) -> None:
    with running.client(tokens[role][0]) as client:
        answer = client.post("/v1/claim", json=CLAIM).json()
        again = client.get(f"/v1/verdicts/{answer['id']}").json()
    assert set(answer["verdict"]) == MEMBERS[role]
    assert ("result" in answer) is (role != "agent")
    assert again == {"verdict": answer["verdict"]}


def test_a_deeper_layer_than_the_own_is_forbidden_and_a_lesser_one_is_given(
    running: Running, tokens: dict[str, tuple[str, str]]
) -> None:
    with running.client(tokens["developer"][0]) as client:
        assert client.post("/v1/claim?layer=proof", json=CLAIM).json()["error"] == "Forbidden"
        assert client.post("/v1/claim?token_for=b", json=CLAIM).status_code == 403
        assert set(client.post("/v1/claim?layer=agent", json=CLAIM).json()["verdict"]) == MEMBERS["agent"]
        assert client.post("/v1/claim?layer=all", json=CLAIM).status_code == 400


def test_a_verdict_without_proof_is_given_again_to_its_caller_and_auditors_alone(
    running: Running, tokens: dict[str, tuple[str, str]]
) -> None:
    own = "11111111-1111-4111-8111-111111111111"
    wrong = {"engine": "math", "statement": "1 + 1 = 3"}
    with running.client(tokens["agent"][0]) as agent, running.client(tokens["developer"][0]) as developer:
        first = agent.post("/v1/claim", json=wrong, headers={"X-Request-ID": own}).json()
        assert first["id"] == own
        # Another caller's request under the same id takes nothing away.
        developer.post("/v1/claim", json=CLAIM, headers={"X-Request-ID": own})
        assert agent.get(f"/v1/verdicts/{own}").json()["verdict"]["status"] == "UNVERIFIABLE"
        assert developer.get(f"/v1/verdicts/{own}").status_code == 404
    with running.client(tokens["auditor"][0]) as auditor:
        assert auditor.get(f"/v1/verdicts/{own}").json()["verdict"]["status"] == "UNVERIFIABLE"


SIGNED = {
    "a good one": ({}, 200),
    "with several scopes": ({"scope": "openid developer agent"}, 200),
    "for several audiences": ({"aud": ["other", "probatum"]}, 200),
    "of another issuer": ({"iss": "https://other"}, 401),
    "for another audience": ({"aud": "other"}, 401),
    "expired": ({"exp": 1_700_000_000}, 401),
    "without an end": ({"exp": None}, 401),
    "without a subject": ({"sub": None}, 401),
    "not yet valid": ({"nbf": 4_000_000_000}, 401),
    "without a scope": ({"scope": None}, 403),
    "with a foreign scope": ({"scope": "admin auditors"}, 403),
}


@pytest.mark.parametrize("case", SIGNED)
def test_signed_tokens(running: Running, case: str) -> None:
    claims, status = SIGNED[case]
    with running.client(signed(**claims)) as client:
        assert client.post("/v1/claim", json=CLAIM).status_code == status


def test_a_token_that_the_reader_of_the_key_could_sign_is_none() -> None:
    read = signed_tokens(KEYS, "https://issuer", "probatum")
    assert read(signed()) == Caller("alice", Layer.AGENT)
    assert read(signed(scope="agent auditor")) == Caller("alice", Layer.PROOF)
    other = ECKey.generate_key("P-256", {"kid": "one"})
    head, payload, _ = signed().split(".")
    confused = b64(b'{"alg":"HS256","kid":"one"}') + "." + payload
    mac = hmac.digest(KEY.as_pem(private=False), confused.encode(), "sha256")
    assert read(signed(other)) is None
    assert read(f"{confused}.{b64(mac)}") is None
    assert read(f"{head}.{payload}.") is None
    assert read("eyJhbGciOiJub25lIn0." + payload + ".") is None
    assert read("a.b.c") is None
    with pytest.raises(ForbiddenError):
        read(signed(scope="x"))


KEY_SETS = {
    "nothing": b"",
    "no keys": b"{}",
    "an empty set": b'{"keys": []}',
    "a list": b"[]",
    "an unknown sort": b'{"keys": [{"kty": "x"}]}',
    "a private key": json.dumps({"keys": [KEY.as_dict(private=True)]}).encode(),
    "a shared key": json.dumps({"keys": [OctKey.generate_key(256).as_dict()]}).encode(),
}


@pytest.mark.parametrize("case", KEY_SETS)
def test_a_key_set_holds_public_keys_alone(case: str) -> None:
    with pytest.raises(UsageError):
        signed_tokens(KEY_SETS[case], "a", "b")


def test_only_hashes_stand_in_a_file_of_tokens() -> None:
    token, line = new_token("agent", "ci")
    assert token not in line
    callers = Callers(read_tokens(line.encode(), "file"))
    assert callers.of(f"Bearer {token}") == Caller("ci", Layer.AGENT)
    assert callers.of(f"bearer  {token} ") == Caller("ci", Layer.AGENT)
    assert callers.of(f"Bearer {token_hash(token)}") is None


@pytest.mark.parametrize(
    "content",
    [b"ci agent abc", b"ci agent sha256:" + b"0" * 63, b"ci admin sha256:" + b"0" * 64, b"\xff\xfe", b"token"],
)
def test_a_line_that_is_no_token_is_refused_by_its_number(content: bytes) -> None:
    with pytest.raises(UsageError, match="line 2"):
        read_tokens(b"# tokens\n" + content, "file")


def served(folder: Path, *options: str, also: str = "") -> subprocess.CompletedProcess[str]:
    port = () if "--port" in options else ("--port", "0")
    command = [sys.executable, "-m", "probatum", "serve", *port, *options]
    path = os.pathsep.join(filter(None, [also, str(Path(probatum.__file__).parents[1])]))
    environment = {**os.environ, "PYTHONPATH": path, "PROBATUM_STORE": str(folder / "proofs.sqlite")}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False, timeout=60, env=environment)


def test_a_token_is_added_and_told_once(tmp_path: Path) -> None:
    done = served(tmp_path, "--tokens", "tokens", "--add-token", "auditor:ci")
    token = done.stdout.strip()
    assert done.returncode == 0
    assert (tmp_path / "tokens").stat().st_mode & 0o777 == 0o600
    assert served(tmp_path, "--tokens", "tokens", "--add-token", "agent:two").returncode == 0
    callers = Callers(read_tokens((tmp_path / "tokens").read_bytes(), "tokens"))
    assert callers.of(f"Bearer {token}") == Caller("ci", Layer.PROOF)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--host", "0.0.0.0"), "service.open"),
        (("--host", "::"), "service.open"),
        (("--host", "localhost"), "service.host"),
        (("--tokens", "none"), "path.missing"),
        (("--add-token", "agent:a"), "token.file"),
        (("--tokens", "t", "--add-token", "admin:a"), "token.role"),
        (("--tokens", "t", "--add-token", "agent:a b"), "token.name"),
        (("--caller-keys", "k"), "token.keys"),
        (("--allow-source", "ftp://x"), "source.bad_uri"),
        (("--sign", "nokey"), "key.unknown"),
    ],
)
def test_what_does_not_fit_together_ends_before_anything_listens(
    tmp_path: Path, options: tuple[str, ...], code: str
) -> None:
    done = served(tmp_path, *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"error[{code}]" in done.stderr


@pytest.mark.parametrize(("linter", "hint"), [("ruf", "Did you mean 'ruff'?"), ("pylint", "One of bandit, ruff.")])
def test_a_linter_that_is_not_there_ends_the_service_before_it_is_ready(tmp_path: Path, linter: str, hint: str) -> None:
    done = served(tmp_path, "--linter", linter)
    assert (done.returncode, done.stdout) == (4, "")
    assert f"error[judge.linter]: There is no linter {linter!r}. {hint}" in done.stderr


def test_without_authentication_anybody_sees_everything_where_that_was_asked_for(tmp_path: Path) -> None:
    with server(tmp_path, "--unsafe-no-auth") as running:
        answer = httpx.post(f"{running.url}/v1/claim", json=CLAIM).json()
    assert answer["verdict"]["proof_ref"].startswith("sha256:")


@pytest.mark.parametrize("missing", ["fastapi", "uvicorn", "sse_starlette", "prometheus_client", "starlette"])
def test_what_is_not_installed_is_named_with_what_installs_it(tmp_path: Path, missing: str) -> None:
    (tmp_path / f"{missing}.py").write_text(f"raise ModuleNotFoundError('none', name={missing!r})")
    done = served(tmp_path, "--unsafe-no-auth", also=str(tmp_path))
    assert (done.returncode, done.stdout) == (4, "")
    assert missing in done.stderr
    assert "pip install 'probatum[service]'" in done.stderr


def test_where_no_worker_starts_nothing_is_served(tmp_path: Path) -> None:
    offer_held(tmp_path / "site", HELD_KIND.replace("return Bench()", "os._exit(3)"))
    done = served(tmp_path, also=str(tmp_path / "site"))
    assert (done.returncode, done.stdout) == (4, "")
    assert "error[service.worker_failed]" in done.stderr


def test_a_kind_that_cannot_be_opened_takes_only_itself_away(tmp_path: Path) -> None:
    offer_held(tmp_path / "site", HELD_KIND.replace("return Bench()", "raise RuntimeError('no')"))
    with server(tmp_path) as running, running.client() as client:
        assert client.post("/v1/held", json={"quick": True}).json()["verdict"]["status"] == "BLOCKED"
        assert client.post("/v1/claim", json=CLAIM).json()["verdict"]["status"] == "VERIFIED"


def test_an_address_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = served(tmp_path, "--port", str(taken.getsockname()[1]))
    assert done.returncode == 4
    assert "error[service.address]" in done.stderr
