"""The runtime of the tests: kernels compiled as host C++, memory of the host.

It replaces CuPy and the driver of a machine with a GPU (`corepy._gpu.runtime`), so that
the backend's own code, from dispatch to the records that kernels are given, runs as it is.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from corepy._gpu.runtime import KERNELS, Runtime, digest_of_headers

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
CACHE = ROOT / "build" / "kernels-on-host"
FLAGS = [
    *("-std=c++17", "-O0", "-fPIC", "-ffp-contract=off", "-Wno-psabi"),
    "-fno-gnu-unique",  # shared memory of a kernel is that of its library
]
#: What finds races and reads of unwritten memory (checks.hpp) where COREPY_CHECK_KERNELS is set; it
#: takes GCC, and pytest's -s, for a complaint ends the process.
CHECKED = [
    *("-DCOREPY_CHECKED", "-fsanitize=thread", "-Wno-builtin-declaration-mismatch"),
    "--param=tsan-instrument-func-entry-exit=0",
    "-nodefaultlibs",  # without the sanitizer's
]
LIBRARIES = ["-lstdc++", "-lm", "-lc", "-lgcc_s"]
if os.environ.get("COREPY_CHECK_KERNELS"):
    FLAGS += CHECKED
TOGETHER = 32  # kernels in a library
INCLUDES = '#include "cuda_on_host.hpp"\n#include "shared.cuh"\n'


class Memory:
    """A block of memory, or what an ndarray keeps alive."""

    def __init__(self, owner: np.ndarray) -> None:
        self.owner = owner
        self.ptr = owner.ctypes.data


class _OnDevice(np.ndarray):
    """An array on another device than the first, which is where all others are."""

    device_index: int


class _View:
    """What NumPy makes an array of that keeps `memory` alive."""

    def __init__(self, memory: Any, interface: dict[str, Any]) -> None:
        self.memory = memory
        self.__array_interface__ = interface


class Place(ctypes.Structure):
    """What a kernel is to the launcher (cuda_on_host.hpp)."""

    _fields_ = (
        ("entry", ctypes.c_void_p),
        ("compile", ctypes.c_void_p),
        ("gathering", ctypes.c_void_p),
    )


class HostRuntime(Runtime):
    """Compiles kernels with the host's compiler, and runs them when they are launched."""

    def __init__(self, devices: int = 1) -> None:
        self._devices = devices
        self._folder = CACHE / _digest()
        if not self._folder.exists():
            _forget_old()
        self._places: dict[str, Place] = {}
        self._pending: list[str] = []  # kernels without an entry point
        self._error: Exception | None = None
        self._compiled: dict[str, Path] = {}  # the libraries of kernels
        for listed in self._folder.glob("*.txt"):
            library = listed.with_suffix(".so")
            self._compiled.update(dict.fromkeys(listed.read_text().splitlines(), library))
        _compile_all([(self._folder / "launcher.so", "COREPY_LAUNCHER\n", [])])
        launcher = ctypes.CDLL(str(self._folder / "launcher.so"))
        self.launch_address = ctypes.cast(launcher.corepy_launch, ctypes.c_void_p).value
        self.stream_address = ctypes.cast(launcher.corepy_stream, ctypes.c_void_p).value
        self._gathering = ctypes.c_int(0)
        self._callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self._compile_called)

    # ---- devices

    def count(self) -> int:
        return self._devices

    def blocks(self, device: int) -> int:
        return 4  # few, so that kernels go round their loops

    # ---- memory

    def allocate(self, nbytes: int, device: int) -> Memory:
        block = np.full(nbytes + 64, 0xA5, dtype=np.uint8)  # nothing counts on zeros
        return Memory(block[-block.ctypes.data % 64 :][:nbytes])

    def allocate_mapped(self, nbytes: int) -> Memory:
        return Memory(np.zeros(nbytes, dtype=np.uint8))

    def memory_of(self, native: np.ndarray) -> tuple[Any, int, int]:
        memory = native
        while isinstance(memory.base, np.ndarray):
            memory = memory.base
        if isinstance(memory.base, _View):
            memory = memory.base.memory
        return memory, native.ctypes.data, getattr(native, "device_index", 0)

    def is_own(self, memory: Any) -> bool:
        return isinstance(memory, Memory) or (
            isinstance(memory, np.ndarray) and memory.flags.owndata
        )

    def is_read_only(self, native: np.ndarray) -> bool:
        return not native.flags.writeable

    def array(self, memory: Any, address: int, shape: tuple[int, ...], dtype: np.dtype,
              strides: tuple[int, ...], device: int) -> np.ndarray:  # fmt: skip
        interface = {
            "data": (address, False), "shape": shape, "strides": strides, "typestr": dtype.str,
            "version": 3,
        }  # fmt: skip
        array = np.asarray(_View(memory, interface))
        if device:
            array = array.view(_OnDevice)
            array.device_index = device
        return array

    def synchronize(self) -> None:
        pass

    def total_memory(self, device: int) -> int:
        return 1 << 40

    def empty_cache(self, device: int) -> None:
        pass

    def memory_stats(self, device: int) -> dict[str, int]:
        raise ValueError("memory: the host runtime has no pool")

    def from_dlpack(self, exporter: Any) -> np.ndarray:
        return np.from_dlpack(exporter)

    def clear(self, address: int, nbytes: int, device: int) -> None:
        ctypes.memset(address, 0, nbytes)

    def upload(self, array: np.ndarray, address: int, device: int) -> None:
        ctypes.memmove(address, array.ctypes.data, array.nbytes)

    def download(self, native: np.ndarray, device: int) -> np.ndarray:
        return native.copy()

    def move(self, native: np.ndarray, device: int) -> np.ndarray:
        moved = native.copy().view(_OnDevice)
        moved.device_index = device
        return moved

    # ---- kernels

    def kernel(self, expression: str, device: int) -> int:
        """Return the address of what launches a kernel, by its class."""
        if expression not in self._places:
            compiles = ctypes.cast(self._callback, ctypes.c_void_p)
            self._places[expression] = Place(None, compiles, ctypes.addressof(self._gathering))
            self._pending.append(expression)
        return ctypes.addressof(self._places[expression])

    def prepare(self, expressions: Iterable[str]) -> None:
        """Compile kernels in one go: a few at a time take less than each alone."""
        for expression in expressions:
            self.kernel(expression, 0)
        self._compile_pending()

    @contextlib.contextmanager
    def gathering(self) -> Iterator[None]:
        """Run no kernel, but compile those that would have been run, in one go at the end."""
        self._gathering.value = 1
        try:
            yield
        finally:
            self._gathering.value = 0
        self._compile_pending()

    def fail(self, function: str, status: int) -> None:
        error, self._error = self._error, None
        raise RuntimeError(f"{function}: the launch failed with status {status}") from error

    def namespace(self) -> Any:
        import array_api_compat.numpy

        return array_api_compat.numpy

    def _compile_called(self, place: int) -> None:
        """Compile what is pending, and at least the kernel that is launched."""
        (launched,) = (name for name, at in self._places.items() if ctypes.addressof(at) == place)
        try:
            with contextlib.suppress(RuntimeError):  # of any of them: the others are tried alone
                self._compile_pending()
            if not self._places[launched].entry:
                self._pending.append(launched)
                self._compile_pending()
        except Exception as error:  # the launch has no way to raise it: `fail` does
            self._error = error

    def _compile_pending(self) -> None:
        pending, self._pending = self._pending, []
        new = [expression for expression in pending if expression not in self._compiled]
        groups = [new[i : i + TOGETHER] for i in range(0, len(new), TOGETHER)]
        work = []
        for group in groups:
            source = "".join(f"COREPY_KERNEL({_symbol(each)}, {each})\n" for each in group)
            library = self._folder / f"{_symbol(source)}.so"
            work.append((library, source, group))
        _compile_all(work)
        for library, _, group in work:
            self._compiled.update(dict.fromkeys(group, library))
        for expression in pending:
            library = ctypes.CDLL(str(self._compiled[expression]))
            entry = ctypes.cast(library[_symbol(expression)], ctypes.c_void_p)
            self._places[expression].entry = entry.value


def _symbol(text: str) -> str:
    return "k" + hashlib.sha256(text.encode()).hexdigest()[:16]


def _compile_all(work: list[tuple[Path, str, list[str]]]) -> None:
    """Compile libraries (path, source, what is in it), as many at a time as there are processors.

    Beside a library lies a list of what is in it.
    """
    left = [each for each in work if not each[0].exists()]
    if left:
        folder = left[0][0].parent
        headers = _headers(folder)
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            list(pool.map(lambda each: _compile(headers, *each), left))


def _compile(headers: Path, library: Path, source: str, contents: list[str]) -> None:
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        path = Path(folder, "kernels.cpp")
        path.write_text(f'#include "all.hpp"\n{source}')
        made, listed = path.with_suffix(".so"), path.with_suffix(".txt")
        _run([*FLAGS, "-shared", f"-I{headers}", str(path), "-o", str(made)])
        listed.write_text("\n".join(contents))
        os.replace(made, library)
        os.replace(listed, library.with_suffix(".txt"))


def _headers(folder: Path) -> Path:
    """Return the folder of all headers, compiled once: kernels are many, and short."""
    headers = folder / "headers"
    if not (headers / "all.hpp.gch").exists():
        headers.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as temporary:
            header = Path(temporary, "all.hpp")
            header.write_text(INCLUDES)
            made = Path(temporary, "all.hpp.gch")
            _run([*FLAGS, f"-I{KERNELS}", f"-I{HERE}", "-x", "c++-header", str(header),
                  "-o", str(made)])  # fmt: skip
            os.replace(header, headers / "all.hpp")
            os.replace(made, headers / "all.hpp.gch")
    return headers


def _digest() -> str:
    text = b"".join(path.read_bytes() for path in sorted(HERE.glob("*.hpp")))
    text += " ".join([digest_of_headers(), *FLAGS]).encode()
    return hashlib.sha256(text).hexdigest()[:16]


def _forget_old() -> None:
    """Remove what was compiled from sources that are no more, a day ago or longer."""
    for folder in CACHE.glob("*"):
        with contextlib.suppress(OSError):  # another process may do the same
            if time.time() - folder.stat().st_mtime > 86400:
                shutil.rmtree(folder)


def _run(arguments: list[str]) -> None:
    compiler = os.environ.get("CXX", "c++").split()[-1]
    libraries = LIBRARIES if "-shared" in arguments else []
    command = [compiler, *arguments, *libraries]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{compiler} {' '.join(arguments)} failed:\n{done.stderr}")
