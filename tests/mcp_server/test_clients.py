"""The life of a client: it goes, gives up, asks for what it may not see, asks for much at once, or never listens."""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from probatum.app.tool_calls import MOST_CALLS
from probatum.readings.notebook import read_notebook
from tests.mcp_server.agents import (
    ENDLESS,
    MODES,
    ROUTES,
    SHOP,
    Bare,
    bare,
    call,
    called,
    child,
    connected,
    run,
    served,
    tool_call,
    until,
)
from tests.workers.outside import all_end, descendants, lives

OUTSIDE = 'WORD = "hidden"\n' + SHOP
UNREAD_BYTES = 64 * 1024 * 1024
MOST_GROWN_KIBIBYTES = 128 * 1024


def below(number: int) -> set[int]:
    """Return the workers of a process, and their sandboxes."""
    return set(descendants(number))


async def giving_up(client: Client, server: Callable[[], int]) -> None:
    """Give up a call once it has begun, and see that nothing of it is left."""
    begun = asyncio.Event()

    async def hear(_number: float, _total: float | None, _message: str | None) -> None:
        begun.set()

    asking = asyncio.ensure_future(client.call_tool("verify", {"paths": ["spin.py"]}, progress_callback=hear))
    await until(begun.is_set)
    await until(lambda: len(below(server())) > 2)
    at_work = below(server())
    asking.cancel()
    await until(lambda: not any(map(lives, at_work)))


@pytest.mark.parametrize(("transport", "mode"), ROUTES)
def test_a_call_that_is_given_up_leaves_nothing_and_the_next_one_works(
    transport: str, mode: str, tmp_path: Path
) -> None:
    (tmp_path / "spin.py").write_text(ENDLESS)
    (tmp_path / "shop.py").write_text(SHOP)

    async def body(client: Client, server: Callable[[], int]) -> None:
        await giving_up(client, server)
        assert "shop.py::fee" in await call(client, "ask", paths=["shop.py"])

    async def by_http() -> None:
        with served(tmp_path) as server:
            async with connected(server, mode) as client:
                await body(client, lambda: server.process.pid)

    async def as_child() -> None:
        before = below(os.getpid())
        async with connected(child(tmp_path), mode) as client:
            [server] = [each for each in below(os.getpid()) - before if _parent(each) == os.getpid()]
            await body(client, lambda: server)
        assert all_end([server])

    run(by_http() if transport == "http" else as_child())
    assert sorted(each.name for each in tmp_path.iterdir() if "store" not in each.name) == ["shop.py", "spin.py"]


def _parent(number: int) -> int:
    return int(Path(f"/proc/{number}/stat").read_bytes().rpartition(b")")[2].split()[1])


def _closes(client: Bare) -> None:
    assert client.process.stdin is not None
    client.process.stdin.close()


def _closes_both(client: Bare) -> None:
    _closes(client)
    assert client.process.stdout is not None
    client.process.stdout.close()


def _asks_to_end(client: Bare) -> None:
    client.process.send_signal(signal.SIGTERM)


GOING: dict[str, tuple[Callable[[Bare], None], int]] = {
    "it closes its end": (_closes, 0),
    "it closes both ends": (_closes_both, 0),
    "it asks the server to end": (_asks_to_end, 0),
    "it kills the server": (lambda client: client.process.kill(), -signal.SIGKILL),
}


@pytest.mark.parametrize(("go", "code"), GOING.values(), ids=GOING)
def test_a_client_that_goes_in_the_middle_of_a_call_leaves_nothing(
    go: Callable[[Bare], None], code: int, tmp_path: Path
) -> None:
    (tmp_path / "spin.py").write_text(ENDLESS)
    with bare(tmp_path) as client:
        client.say(tool_call(1, "verify", {"paths": ["spin.py"]}, _meta={"progressToken": 1}))
        assert client.hear()["method"] == "notifications/progress"
        at_work = below(client.process.pid)
        assert at_work
        go(client)
        assert client.process.wait(60) == code
        assert all_end(list(at_work))
        assert "Traceback" not in client.errors()
    assert [each.name for each in tmp_path.iterdir() if "store" not in each.name] == ["spin.py"]


def test_a_client_that_never_listens_is_not_listened_to_for_ever(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SHOP)
    with bare(tmp_path) as client:
        before = _kibibytes(client)
        written, is_read = _written_until_stopped(client)
        assert not is_read
        assert written < UNREAD_BYTES
        assert _kibibytes(client) - before < MOST_GROWN_KIBIBYTES
        _closes_both(client)
        assert client.process.wait(60) == 0
        assert "Traceback" not in client.errors()


def _kibibytes(client: Bare) -> int:
    lines = Path(f"/proc/{client.process.pid}/status").read_text().splitlines()
    return next(int(each.split()[1]) for each in lines if each.startswith("VmRSS"))


def _written_until_stopped(client: Bare) -> tuple[int, bool]:
    """Ask again and again; return how many bytes the server took, and whether it took all that it might have."""
    assert client.process.stdin is not None
    end, written, number = client.process.stdin.fileno(), 0, 0
    os.set_blocking(end, False)
    waiting, left = select.poll(), b""
    waiting.register(end, select.POLLOUT)
    while written < UNREAD_BYTES:
        # It takes nothing any more; on a busy machine it may have taken less than it would have.
        if not waiting.poll(3_000):
            return written, False
        number += not left
        left = left or json.dumps(tool_call(number, "ask", {"paths": ["x" * 50_000]})).encode() + b"\n"
        count = os.write(end, left)
        left, written = left[count:], written + count
    return written, True


UNREADABLE: dict[str, tuple[str, object]] = {
    # A line, and the id under which it is answered.
    "no JSON": ("{nope", None),
    "a list": ("[]", None),
    "a lone surrogate": ('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"\\ud800"}}', 7),
    "a lone surrogate under a name": ('{"jsonrpc":"2.0","id":"a","method":"ping","params":{"x":"\\udfff"}}', "a"),
    "too deep": ('{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":' + "[" * 10_000 + "]" * 10_000 + "}}", 7),
    "two ids, too deep": ('{"id":7,"x":{"id":8,"y":' + "[" * 10_000 + "]" * 10_000 + "}}", None),
    "too many digits": ('{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":' + "9" * 5_000 + "}}", 7),
    "too long": ('{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"' + "x" * 17_000_000 + '"}}', 7),
}


def test_a_message_that_cannot_be_read_is_answered(tmp_path: Path) -> None:
    with bare(tmp_path) as client:
        for line, number in UNREADABLE.values():
            client.say(line)
            told = client.hear()
            assert (told["id"], told["error"]["code"]) == (number, -32700), line[:80]
        client.say(tool_call(8, "ask", {"paths": "[" * 150 + "]" * 150}))
        assert client.hear()["id"] == 8


def test_eight_calls_at_once_are_all_answered(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"shop{number}.py").write_text(SHOP)

    async def body() -> None:
        async with connected(child(tmp_path), "auto") as client:
            asked = [call(client, "ask", paths=[f"shop{number}.py"]) for number in range(4)]
            claims = [call(client, "claim", engine="math", statement=f"{number} < 2") for number in range(4)]
            cards, told = await asyncio.gather(asyncio.gather(*asked), asyncio.gather(*claims))
            assert [list(each) for each in cards] == [[f"shop{number}.py::fee"] for number in range(4)]
            statuses = [each["verdict"]["status"] for each in told]
            assert statuses == ["VERIFIED", "VERIFIED", "UNVERIFIABLE", "UNVERIFIABLE"]

    run(body())


def test_more_calls_at_once_than_are_taken_are_refused_by_name(tmp_path: Path) -> None:
    with bare(tmp_path) as client:
        for number in range(MOST_CALLS + 1):
            client.say(tool_call(number, "ask", {"paths": ["gone.py"]}))
        texts = [client.hear()["result"]["content"][0]["text"] for _ in range(MOST_CALLS + 1)]
    assert all("path.missing" in each or "calls.too_many" in each for each in texts)


Tree = dict[str, Path]


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Two folders side by side; links in the one lead into the other."""
    inside, outside, deeper = (tmp_path / name for name in ("inside", "outside", "inside/deeper"))
    for each in (inside, outside, deeper):
        each.mkdir()
    (inside / "shop.py").write_text(SHOP)
    (deeper / "deep.py").write_text(SHOP)
    (inside / "linked.py").write_text(SHOP)
    (outside / "other.py").write_text(OUTSIDE)
    (inside / "link.py").symlink_to(outside / "other.py")
    (inside / "folder").symlink_to(outside)
    (outside / "readings.toml").write_text("hidden = '")
    (inside / "linked.readings.toml").symlink_to(outside / "readings.toml")
    return {"inside": inside, "outside": outside, "deeper": deeper}


OUT = ("../outside/other.py", "{outside}/other.py", "link.py", "folder", "folder/other.py", "linked.py", "/etc", "..")


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("mode", MODES)
def test_nothing_outside_of_the_lent_folders_is_read_or_written(mode: str, tree: Tree) -> None:
    before = {each.name: each.read_bytes() for each in tree["outside"].iterdir()}

    async def body() -> None:
        async with connected(child(tree["inside"]), mode, lambda: [tree["inside"].as_uri()]) as client:
            for path in OUT:
                named = path.format(outside=tree["outside"])
                for tool in ("ask", "verify"):
                    told, is_error = await called(client, tool, paths=[named])
                    assert is_error, named
                    assert told["error"] == "path.outside", named
                    assert "hidden" not in str(told)
                answers = {f"{named}::fee": {"s2-0000": "-"}}
                assert "added" not in (await call(client, "answer", answers=answers))[f"{named}::fee"]
            cards = await call(client, "ask", paths=["."])
            assert [name for name, card in cards.items() if "say" in card] == ["deeper/deep.py::fee", "shop.py::fee"]
            assert "hidden" not in str(cards)

    run(body())
    assert {each.name: each.read_bytes() for each in tree["outside"].iterdir()} == before


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("mode", MODES)
def test_the_folders_of_a_client_are_asked_for_at_each_call(mode: str, tree: Tree) -> None:
    lent: list[str] = []
    rows: list[tuple[list[str], str, str]] = [
        # What is lent, what is asked for, and what comes of it.
        ([], "shop.py", "roots.none"),
        ([tree["inside"].as_uri()], "shop.py", ""),
        ([tree["deeper"].as_uri()], "shop.py", "path.missing"),
        ([tree["deeper"].as_uri()], "deep.py", ""),
        ([tree["deeper"].as_uri(), tree["inside"].as_uri()], "../shop.py", ""),
        ([f"{tree['inside'].as_uri()}/gone", tree["inside"].as_uri()], "shop.py", ""),
        ([f"{tree['inside'].as_uri()}/gone"], "shop.py", "roots.none"),
        ([f"{tree['inside'].as_uri()}/shop.py"], "shop.py", "roots.none"),
        ([f"file://example.org{tree['inside']}"], "shop.py", "roots.none"),
        ([f"file://localhost{tree['inside']}"], "shop.py", ""),
        (["file:///%00", "file:///%FF", tree["inside"].as_uri()], "shop.py", ""),
    ]

    async def body() -> None:
        async with connected(child(tree["inside"]), mode, lambda: lent) as client:
            for lent[:], path, error in rows:
                told, _ = await called(client, "ask", paths=[path])
                assert told.get("error", "") == error, (lent, told)

    run(body())


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
def test_addresses_that_are_no_files_lend_nothing(mode: str, tree: Tree) -> None:
    lent: list[str] = []

    async def body() -> None:
        async with connected(child(tree["inside"]), mode, lambda: lent) as client:
            for address in (f"https://example.org{tree['inside']}", f"ftp://{tree['inside']}", str(tree["inside"]), ""):
                lent[:] = [address]
                # The protocol has no other addresses, and says so where it is asked for them with the call.
                with suppress(MCPError):
                    assert (await call(client, "ask", paths=["shop.py"]))["error"] == "roots.none"

    run(body())


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("mode", MODES)
def test_the_operators_folders_bound_those_of_the_client(mode: str, tree: Tree) -> None:
    lent: list[str] = []
    above = tree["inside"].parent

    async def body() -> None:
        place = child(above, "--root", str(tree["inside"]))
        async with connected(place, mode, lambda: lent) as client:
            for lent[:], path, error in [
                ([tree["deeper"].as_uri()], "deep.py", ""),
                ([tree["deeper"].as_uri()], "../shop.py", "path.outside"),
                ([above.as_uri()], "shop.py", ""),
                ([above.as_uri()], "../outside/other.py", "path.outside"),
                ([tree["outside"].as_uri()], "other.py", "roots.none"),
                ([], "shop.py", "roots.none"),
            ]:
                told, _ = await called(client, "ask", paths=[path])
                assert told.get("error", "") == error, (lent, told)
        async with connected(place, mode) as client:
            assert "shop.py::fee" in await call(client, "ask", paths=["shop.py"])
            assert (await call(client, "ask", paths=["../outside/other.py"]))["error"] == "path.outside"
        async with connected(child(tree["outside"]), mode) as client:
            assert "other.py::fee" in await call(client, "ask", paths=["other.py"])

    run(body())


FUNCTIONS = 6


def test_two_agents_answer_cards_of_one_file_at_the_same_time(tmp_path: Path) -> None:
    """Every reading that one of them was told of is in the file in the end, which was one at any time."""
    text = "\n".join(SHOP.replace("def fee", f"def fee{number}") for number in range(2 * FUNCTIONS))
    (tmp_path / "shop.py").write_text(text)
    readings, told, is_over = tmp_path / "shop.readings.toml", [], asyncio.Event()

    async def agent(own: range, name: str) -> None:
        async with connected(child(tmp_path), "auto") as client:
            cards: dict[str, Any] = await call(client, "ask", paths=["shop.py"], all=True)
            for number in own:
                key = f"shop.py::fee{number}"
                for sentence in cards[key]["say"]:
                    answers = {key: {sentence: "-"}}
                    answered = await call(client, "answer", answers=answers, verify=False, reader=name)
                    told.append((f"fee{number}", name, answered[key]))

    async def watch() -> None:
        while not is_over.is_set():
            if readings.exists():
                read_notebook(readings.read_bytes())
            await asyncio.sleep(0)

    async def body() -> None:
        watching = asyncio.ensure_future(watch())
        await asyncio.gather(agent(range(FUNCTIONS), "one"), agent(range(FUNCTIONS, 2 * FUNCTIONS), "other"))
        is_over.set()
        await watching

    run(body())
    found = [
        (record.function, record.reader) for record in read_notebook(readings.read_bytes()) for _ in record.readings
    ]
    assert sorted(found) == sorted((function, name) for function, name, answer in told if answer == {"added": 1})
    assert len(told) == 4 * FUNCTIONS
    assert len(found) == 4 * FUNCTIONS
