"""The cache of compiled kernels on disk: its limit, and several processes that use it."""

import os
import subprocess
import sys
import time

import pytest

from corepy._gpu import disk


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setenv("COREPY_KERNEL_CACHE", str(tmp_path))
    monkeypatch.setattr(disk, "_written", None)
    return tmp_path


def size_of(folder):
    return sum(path.stat().st_size for path in folder.iterdir())


def age(key, seconds):
    """Set the time of the last use of a file."""
    then = time.time() - seconds
    os.utime(disk._path_of(key), (then, then))


def test_the_oldest_are_evicted_first(folder, monkeypatch):
    monkeypatch.setenv("COREPY_KERNEL_CACHE_LIMIT", "1000")
    for number in range(9):
        disk.write(f"kernel {number}", bytes(68))  # with its digest 100 bytes
        age(f"kernel {number}", 100_000 - number)
    assert disk.read("kernel 1") == bytes(68)  # it is used
    disk.write("large", bytes(368))
    assert size_of(folder) <= 900
    kept = [number for number in range(9) if disk.read(f"kernel {number}") is not None]
    assert kept == [1, 5, 6, 7, 8]
    assert disk.read("large") == bytes(368)


def test_many_writes_stay_within_the_limit(folder, monkeypatch):
    monkeypatch.setenv("COREPY_KERNEL_CACHE_LIMIT", "10000")
    for number in range(500):
        disk.write(f"kernel {number}", bytes(68))
        assert size_of(folder) <= 10_000 + 10_000 // 16 + 100
    assert disk.read("kernel 499") is not None


def test_the_limit_is_a_gibibyte(folder, monkeypatch):
    monkeypatch.delenv("COREPY_KERNEL_CACHE_LIMIT", raising=False)
    assert disk.limit() == 1 << 30
    monkeypatch.setenv("COREPY_KERNEL_CACHE_LIMIT", "1 GiB")
    with pytest.raises(ValueError, match="COREPY_KERNEL_CACHE_LIMIT must be a number of bytes"):
        disk.limit()
    monkeypatch.setenv("COREPY_KERNEL_CACHE_LIMIT", "0")
    disk.write("kernel", b"1")
    assert list(folder.iterdir()) == []


def test_only_files_of_the_cache_are_removed(folder, monkeypatch):
    (folder / "notes.txt").write_bytes(bytes(5000))
    (folder / "new-abandoned").write_bytes(bytes(10))
    os.utime(folder / "new-abandoned", (1, 1))
    (folder / "new-of-another-process").write_bytes(bytes(10))
    monkeypatch.setenv("COREPY_KERNEL_CACHE_LIMIT", "1000")
    disk.write("kernel", bytes(68))
    names = {path.name for path in folder.iterdir()}
    assert names == {"notes.txt", "new-of-another-process", disk._path_of("kernel").name}


def test_what_another_process_removes_meanwhile(folder, monkeypatch):
    for number in range(20):
        disk.write(f"kernel {number}", bytes(68))
    unlink = os.unlink

    def removed_twice(path):
        unlink(path)
        unlink(path)

    monkeypatch.setattr(disk.os, "unlink", removed_twice)
    disk.evict(folder, 1000)
    assert size_of(folder) <= 1000


WRITER = """
import sys
from corepy._gpu import disk
for number in range(400):
    key = f"kernel {number % 60}"
    image = disk.read(key)
    assert image is None or image == key.encode() * 20, key
    if image is None:
        disk.write(key, key.encode() * 20)
print("done")
"""


def test_several_processes(folder):
    environment = os.environ | {"COREPY_KERNEL_CACHE_LIMIT": "6000"}
    processes = [
        subprocess.Popen([sys.executable, "-c", WRITER], env=environment, stdout=subprocess.PIPE)
        for _ in range(4)
    ]
    assert [process.communicate(timeout=60)[0] for process in processes] == [b"done\n"] * 4
    assert 0 < size_of(folder) <= 6000 + 4 * (6000 // 16 + 300)
    assert all(len(path.name) == 64 for path in folder.iterdir())
