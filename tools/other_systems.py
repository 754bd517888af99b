"""Compile the kernels for macOS on arm64 and Windows on x86-64, on any machine; nothing is run.

usage: python tools/other_systems.py [FILE]...

With Clang and the headers of both systems in the package `ziglang`. The extension modules are not
compiled: they need Python's headers for those systems. FILE is a source in corepy/_cython/kernels.
"""

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNELS = ROOT / "corepy" / "_cython" / "kernels"
GENERATED = ROOT / "build" / "schema"
SYSTEMS = {
    "aarch64-macos.11.0": ("neon", ["-DCOREPY_NEON"]),
    "x86_64-windows-gnu": ("avx2", ["-march=x86_64_v3", "-DCOREPY_AVX2"]),
}


def compile_file(system: str, source: Path) -> bool:
    """Compile one source; print errors."""
    level, flags = SYSTEMS[system]
    command = [sys.executable, "-m", "ziglang", "c++", "-target", system, "-std=c++17", "-O0", "-c"]
    command += [f"-I{KERNELS}", f"-I{KERNELS.parent / 'layout'}", f"-I{GENERATED}", f"-I{ROOT}"]
    if source.parent.name == "simd":
        command += [f"-DCOREPY_TARGET={level}", *flags]
    command += [f"-DCOREPY_COMPILED_TARGETS=X({level})", str(source)]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [*command, "-o", f"{folder}/object.o"], capture_output=True, text=True
        )
    if done.returncode != 0:
        print(done.stderr, file=sys.stderr)
    return done.returncode == 0


def main(names: list[str]) -> int:
    """Compile all kernels, or those named; return 1 if one does not compile."""
    sys.path.insert(0, str(ROOT / "corepy" / "_cython" / "schema"))
    import generate

    generate.write_build(GENERATED)
    sources = [Path(name).resolve() for name in names]
    sources = sources or sorted([*KERNELS.glob("*.cpp"), *KERNELS.glob("simd/*.cpp")])
    failed = 0
    for system in SYSTEMS:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            compiled = list(pool.map(lambda source, to=system: compile_file(to, source), sources))
        failed += compiled.count(False)
        print(f"{system}: {compiled.count(True)} of {len(compiled)} files compile", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
