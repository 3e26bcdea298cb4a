"""The cache file under everything that can happen to a file: nothing crashes, and what is found is what was kept."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from probatum.app.cache import CACHE_FILE, Cache
from tests.full_disk import full_disk

KEY, OTHER = b"k" * 32, b"o" * 32
CONTENT = b"content" * 100

# Writes as long as it is let, and says when it begins.
_WRITES = """
import sys
from pathlib import Path
from probatum.app.cache import Cache
name = sys.argv[2].encode()
with Cache(Path(sys.argv[1])) as cache:
    print("begins", flush=True)
    for number in range(int(sys.argv[3])):
        cache.keep({b"%b %d" % (name, each): b"content %d" % each * 500 for each in range(number, number + 5)})
"""


def writer(folder: Path, name: str, rounds: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", _WRITES, str(folder), name, str(rounds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def kept(folder: Path, content: bytes = CONTENT) -> bytes | None:
    """Keep something in one run, and return what the next one finds."""
    with Cache(folder) as cache:
        cache.keep({KEY: content})
    with Cache(folder) as cache:
        return cache.find(KEY)


def works_without(folder: Path) -> bool:
    """Tell whether nothing is kept in a folder, and nobody notices."""
    with Cache(folder) as cache:
        cache.keep({KEY: CONTENT})
        return cache.find(KEY) is None and not cache.is_open


def test_what_is_kept_is_found_by_the_next_run(tmp_path: Path) -> None:
    assert kept(tmp_path / "a" / "b") == CONTENT


def test_only_the_user_may_look_into_it(tmp_path: Path) -> None:
    kept(tmp_path / "cache")
    modes = [(tmp_path / "cache" / name).stat().st_mode & 0o777 for name in ("", CACHE_FILE)]
    assert modes == [0o700, 0o600]


def test_a_key_that_was_not_kept_is_not_found(tmp_path: Path) -> None:
    kept(tmp_path)
    with Cache(tmp_path) as cache:
        assert cache.find(OTHER) is None


def test_processes_that_are_killed_while_they_write_leave_whole_contents(tmp_path: Path) -> None:
    for _ in range(4):
        process = writer(tmp_path, "killed", 10_000)
        assert process.stdout is not None
        process.stdout.readline()
        with Cache(tmp_path) as cache:
            found = cache.find(b"killed 0")
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert found in {None, b"content 0" * 500}
    with Cache(tmp_path) as cache:
        contents = {each: cache.find(b"killed %d" % each) for each in range(50)}
        assert all(found in {None, b"content %d" % each * 500} for each, found in contents.items())
        cache.keep({KEY: CONTENT})
        assert (cache.is_open, cache.find(KEY)) == (True, CONTENT)


@pytest.mark.parametrize("count", [2, 4])
def test_processes_write_at_once(count: int, tmp_path: Path) -> None:
    processes = [writer(tmp_path, f"writer{number}", 30) for number in range(count)]
    assert [(each.communicate()[1], each.returncode) for each in processes] == [(b"", 0)] * count
    with Cache(tmp_path) as cache:
        found = [cache.find(b"writer%d %d" % (each, number)) for each in range(count) for number in range(30)]
    assert any(found)
    assert all(each is None or each.startswith(b"content") for each in found)


def test_a_file_that_another_process_holds_is_gone_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probatum.app.cache._WAIT_SECONDS", 0.01)
    kept(tmp_path)
    other = sqlite3.connect(tmp_path / CACHE_FILE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with Cache(tmp_path) as cache:
        cache.keep({OTHER: CONTENT})
        assert cache.find(OTHER) is None
    other.execute("ROLLBACK")
    other.close()
    with Cache(tmp_path) as cache:
        assert cache.find(KEY) == CONTENT


@pytest.mark.parametrize("most", [0, 10, 5_000, 20_000, 60_000])
def test_a_full_disk_keeps_nothing_and_damages_nothing(most: int, tmp_path: Path) -> None:
    kept(tmp_path)
    with full_disk(most), Cache(tmp_path) as cache:
        cache.keep({OTHER: os.urandom(200_000)})
        cache.find(OTHER)
    assert kept(tmp_path) == CONTENT


def test_a_disk_that_was_full_from_the_start_is_used_later(tmp_path: Path) -> None:
    with full_disk(), Cache(tmp_path) as cache:
        cache.keep({KEY: CONTENT})
    assert kept(tmp_path) == CONTENT


def _by_others(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)


def _by_the_group(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o770)


def _file_by_others(folder: Path) -> None:
    kept(folder)
    (folder / CACHE_FILE).chmod(0o666)


def _folder_in_its_place(folder: Path) -> None:
    (folder / CACHE_FILE).mkdir(parents=True)


def _file_in_place_of_the_folder(folder: Path) -> None:
    folder.write_text("")


def _link_to_a_database(folder: Path) -> None:
    folder.mkdir()
    sqlite3.connect(folder.with_name("another.sqlite")).close()
    (folder / CACHE_FILE).symlink_to(folder.with_name("another.sqlite"))


def _link_to_nothing(folder: Path) -> None:
    folder.mkdir()
    (folder / CACHE_FILE).symlink_to("missing")


def _pipe(folder: Path) -> None:
    folder.mkdir()
    os.mkfifo(folder / CACHE_FILE)


UNUSABLE = (
    *(_by_others, _by_the_group, _file_by_others, _folder_in_its_place, _file_in_place_of_the_folder),
    *(_link_to_a_database, _link_to_nothing, _pipe),
)


@pytest.mark.parametrize("prepare", UNUSABLE)
def test_what_must_not_be_used_is_gone_without(prepare: Callable[[Path], None], tmp_path: Path) -> None:
    prepare(tmp_path / "cache")
    assert works_without(tmp_path / "cache")
    # Whatever stands there belongs to somebody, and stays.
    assert not (tmp_path / "another.sqlite").exists() or not (tmp_path / "another.sqlite").stat().st_size
    assert not (tmp_path / "cache" / "missing").exists()


def test_a_name_that_no_folder_can_have_is_gone_without() -> None:
    assert works_without(Path("a\0b"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_folder_that_must_not_be_written_is_gone_without(tmp_path: Path) -> None:
    kept(tmp_path)
    tmp_path.chmod(0o500)
    with Cache(tmp_path) as cache:
        cache.keep({OTHER: CONTENT})
        assert cache.find(OTHER) is None
    tmp_path.chmod(0o700)


def _random(content: bytes) -> bytes:
    return os.urandom(len(content))


def _without_end(content: bytes) -> bytes:
    return content[: len(content) // 2]


def _with_damaged_pages(content: bytes) -> bytes:
    return content[:4096] + b"\xff" * (len(content) - 4096)


def _with_a_damaged_table(content: bytes) -> bytes:
    return content[:100] + b"\xff" * 3996 + content[4096:]


@pytest.mark.parametrize("damage", [_random, _without_end, _with_damaged_pages, _with_a_damaged_table])
def test_a_damaged_file_is_begun_anew(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    with Cache(tmp_path) as cache:
        cache.keep({bytes([each]) * 32: os.urandom(3000) for each in range(50)})
    file = tmp_path / CACHE_FILE
    file.write_bytes(damage(file.read_bytes()))
    with Cache(tmp_path) as cache:
        for each in range(50):
            cache.find(bytes([each]) * 32)
        cache.keep({KEY: CONTENT})
    assert kept(tmp_path) == CONTENT


@pytest.mark.parametrize("content", [b"no compressed bytes", zlib.compress(CONTENT)[:-5], "a text", 7])
def test_a_damaged_entry_is_not_found_and_replaced(content: object, tmp_path: Path) -> None:
    kept(tmp_path)
    database = sqlite3.connect(tmp_path / CACHE_FILE)
    with database:
        database.execute("UPDATE answers SET content = ?", (content,))
    database.close()
    with Cache(tmp_path) as cache:
        assert cache.find(KEY) is None
        cache.keep({KEY: CONTENT})
        assert cache.find(KEY) == CONTENT


def test_a_table_of_another_form_is_gone_without(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / CACHE_FILE)
    with database:
        database.execute("CREATE TABLE answers (something TEXT)")
    database.close()
    assert works_without(tmp_path)


def test_of_a_full_cache_what_was_used_last_stays(tmp_path: Path) -> None:
    keys = [bytes([each]) * 32 for each in range(10)]
    with Cache(tmp_path, most_bytes=1_000_000) as cache:
        cache.keep({each: os.urandom(1000) for each in keys})
    database = sqlite3.connect(tmp_path / CACHE_FILE)
    with database:
        database.execute("UPDATE answers SET day = day - 100")
    database.close()
    with Cache(tmp_path, most_bytes=5_000) as cache:
        used = [cache.find(each) for each in keys[7:]]
        cache.keep({KEY: b"new"})
    with Cache(tmp_path) as cache:
        assert [cache.find(each) for each in keys[7:]] == used
        assert cache.find(KEY) == b"new"
        assert sum(cache.find(each) is not None for each in keys) == 3


def test_what_is_more_than_a_cache_may_have_is_not_kept(tmp_path: Path) -> None:
    with Cache(tmp_path, most_bytes=5_000) as cache:
        cache.keep({KEY: os.urandom(50_000)})
    with Cache(tmp_path) as cache:
        assert cache.find(KEY) is None


def test_a_closed_cache_neither_keeps_nor_finds(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.close()
    cache.keep({KEY: CONTENT})
    assert cache.find(KEY) is None
    cache.close()
