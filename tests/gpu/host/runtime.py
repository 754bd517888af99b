"""The runtime of the tests: kernels compiled as host C++, memory of the host.

It stands where CuPy and the driver stand on a machine with a GPU (`corepy._gpu.runtime`), so that
the backend's own code, from dispatch to the records that kernels are given, runs as it is.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
KERNELS = ROOT / "corepy" / "_gpu" / "kernels"
CACHE = ROOT / "build" / "kernels-on-host"
FLAGS = ["-std=c++17", "-O1", "-fPIC", "-ffp-contract=off", "-Wno-psabi"]
INCLUDES = '#include "cuda_on_host.hpp"\n#include "all.cuh"\n'


class Memory:
    """A block of memory, or what an ndarray keeps alive."""

    def __init__(self, owner: np.ndarray) -> None:
        self.owner = owner
        self.ptr = owner.ctypes.data


class _View:
    """What NumPy makes an array of that keeps `memory` alive."""

    def __init__(self, memory: Any, interface: dict[str, Any]) -> None:
        self.memory = memory
        self.__array_interface__ = interface


class HostRuntime:
    """Compiles kernels with the host's compiler, and runs them when they are launched."""

    def __init__(self, devices: int = 1) -> None:
        self._devices = devices
        self._functions: dict[str, int] = {}
        self._folder = CACHE / _digest()
        self._libraries: list[ctypes.CDLL] = []
        self.launch_address = self._compile("launcher", "COREPY_LAUNCHER\n", "corepy_launch")

    # ---- devices

    def count(self) -> int:
        return self._devices

    def blocks(self, device: int) -> int:
        return 4  # few, so that kernels go round their loops

    def stream(self, device: int) -> int:
        return 0

    def synchronize(self) -> None:
        pass

    # ---- memory

    def allocate(self, nbytes: int, device: int) -> Memory:
        block = np.full(nbytes + 64, 0xA5, dtype=np.uint8)  # nothing counts on zeros
        return Memory(block[-block.ctypes.data % 64 :][:nbytes])

    def memory_of(self, native: np.ndarray) -> tuple[Any, int, int]:
        return native, native.ctypes.data, 0

    def is_read_only(self, native: np.ndarray) -> bool:
        return not native.flags.writeable

    def array(self, memory: Any, address: int, shape: tuple[int, ...], dtype: np.dtype,
              strides: tuple[int, ...], device: int) -> np.ndarray:  # fmt: skip
        interface = {
            "data": (address, False), "shape": shape, "strides": strides, "typestr": dtype.str,
            "version": 3,
        }  # fmt: skip
        return np.asarray(_View(memory, interface))

    def upload(self, array: np.ndarray, address: int, device: int) -> None:
        ctypes.memmove(address, array.ctypes.data, array.nbytes)

    def download(self, native: np.ndarray, device: int) -> np.ndarray:
        return native.copy()

    # ---- kernels

    def kernel(self, expression: str, device: int) -> int:
        """Return the address of the entry point of a kernel, by its class."""
        if expression not in self._functions:
            name = "k" + hashlib.sha256(expression.encode()).hexdigest()[:16]
            source = f"COREPY_KERNEL(entry, {expression})\n"
            self._functions[expression] = self._compile(name, source, "entry")
        return self._functions[expression]

    def fail(self, function: str, status: int) -> None:
        raise RuntimeError(f"{function}: the launch failed with status {status}")

    def namespace(self) -> Any:
        import array_api_compat.numpy

        return array_api_compat.numpy

    def _compile(self, name: str, source: str, symbol: str) -> int:
        library = self._folder / f"{name}.so"
        if not library.exists():
            headers = self._headers()
            with tempfile.TemporaryDirectory(dir=self._folder) as folder:
                path = Path(folder, f"{name}.cpp")
                path.write_text(f'#include "all.hpp"\n{source}')
                made = path.with_suffix(".so")
                _run([*FLAGS, "-shared", f"-I{headers}", str(path), "-o", str(made)])
                os.replace(made, library)
        loaded = ctypes.CDLL(str(library))
        self._libraries.append(loaded)
        return ctypes.cast(loaded[symbol], ctypes.c_void_p).value

    def _headers(self) -> Path:
        """Return the folder of all headers, compiled once: kernels are many, and short."""
        folder = self._folder / "headers"
        if not (folder / "all.hpp.gch").exists():
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self._folder) as temporary:
                header = Path(temporary, "all.hpp")
                header.write_text(INCLUDES)
                made = Path(temporary, "all.hpp.gch")
                _run([*FLAGS, f"-I{KERNELS}", f"-I{HERE}", "-x", "c++-header", str(header),
                      "-o", str(made)])  # fmt: skip
                os.replace(header, folder / "all.hpp")
                os.replace(made, folder / "all.hpp.gch")
        return folder


def _digest() -> str:
    sources = [*sorted(KERNELS.glob("*.cuh")), HERE / "cuda_on_host.hpp"]
    text = b"".join(path.read_bytes() for path in sources) + " ".join(FLAGS).encode()
    return hashlib.sha256(text).hexdigest()[:16]


def _run(arguments: list[str]) -> None:
    compiler = os.environ.get("CXX", "c++").split()[-1]
    done = subprocess.run([compiler, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{compiler} {' '.join(arguments)} failed:\n{done.stderr}")
