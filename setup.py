"""Builds the compiled parts of Corepy; everything else is in pyproject.toml.

All modules in Cython and the C++ kernels are one library (corepy/_finder.py). Some of the modules
are pages of the standard's namespace, in pure Python mode. Most of a page is written from the
schema; a wheel has its whole source, for editors.
Generated C++ and objects go to ``build/``; an object is compiled again only when its command or a
file that it was made from has changed, and objects are compiled in parallel. What all SIMD kernels
include, the vector layer and the compiler's intrinsics, is a precompiled header.

``COREPY_TARGETS`` chooses the instruction sets that the SIMD kernels are compiled for: ``all``, or
names separated by commas. Without it a build in place compiles for the best one of this machine,
and a wheel for all. ``COREPY_CXXFLAGS`` are flags that the compiler gets last, as ``-O0``.
"""

import functools
import gc
import os
import platform
import runpy
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.modified import newer_group

CORE = "corepy/_cython"
KERNELS = f"{CORE}/kernels"
SIMD = f"{KERNELS}/simd"
SCHEMA = f"{CORE}/schema"
# What generate.py makes from the schema: Cython files for the core to include, sources of pages.
GENERATED = "build/schema"
# What C++ sees of the operations: a change of their documentation alone compiles no kernel.
OPERATIONS, ROWS = f"{SCHEMA}/operations", f"{GENERATED}/rows.def"

# The names of all modules, without an import of the package.
MODULES = sorted(runpy.run_path("corepy/_finder.py")["NAMES"])
JOBS = int(os.environ.get("COREPY_BUILD_JOBS", 0)) or len(
    os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
)

# Kernels never trap and never read errno; these flags let compilers vectorise loops with a division
# or a comparison. Contraction is off: a result must not depend on whether the machine has an FMA.
KERNEL_FLAGS = ["-O3", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"]
# The intrinsics of AVX-512 in GCC's headers use a variable that is never set.
SIMD_FLAGS = [*KERNEL_FLAGS, "-Wno-maybe-uninitialized", "-Wno-uninitialized"]
# Precompiled for each of the targets below.
SIMD_HEADER = "simd/vec.hpp"
# Precompiled for what Cython generates: what all of it includes takes a third of a second.
GENERATED_HEADERS = """
    Python.h structmember.h frameobject.h pythread.h algorithm atomic cmath complex cstdlib new
    type_traits numpy/arrayobject.h numpy/arrayscalars.h numpy/ufuncobject.h
""".split()
# Cython's output is long and has few loops. It is compiled with the optimisations of -O2 that speed
# up small calls: these take the same time, and the core is compiled in 3/4 of it. GCC reports some
# of Cython's temporaries as never set, and follows branches for types that an object does not have.
GENERATED_FLAGS = [
    "-O1",
    *(
        f"-f{name}"
        for name in (
            "align-functions align-jumps align-labels align-loops caller-saves cse-follow-jumps "
            "devirtualize expensive-optimizations hoist-adjacent-loads indirect-inlining "
            "inline-functions inline-small-functions ipa-cp ipa-ra ipa-sra "
            "optimize-sibling-calls partial-inlining peephole2 reorder-blocks-and-partition "
            "reorder-functions rerun-cse-after-loop store-merging strict-aliasing"
        ).split()
    ),
    "-Wno-maybe-uninitialized",
    "-Wno-stringop-overread",
]
# What is built for, which is another machine than this one in a cross-compilation.
MACHINE = sysconfig.get_platform().rpartition("-")[2].lower()
if MACHINE == "universal2":  # of macOS: one machine at a time
    MACHINE = platform.machine().lower()
    os.environ.setdefault("ARCHFLAGS", f"-arch {MACHINE}")
# The sources of kernels/simd are compiled once for each of these, the lowest first. The name is the
# namespace; one is selected at run time (kernels/table.cpp).
# The lowest is for comparisons alone: no SIMD instructions, and no processor needs it.
SCALAR = ["-DCOREPY_SCALAR", "-fno-tree-vectorize", "-fno-tree-slp-vectorize"]
X86_TARGETS = {
    "scalar": SCALAR,
    "baseline": [],
    "avx2": ["-march=x86-64-v3", "-DCOREPY_AVX2"],
    "avx512": ["-march=x86-64-v4", "-mprefer-vector-width=512", "-DCOREPY_AVX512"],
}
TARGETS = {
    "x86_64": X86_TARGETS,
    "amd64": X86_TARGETS,
    "aarch64": {"scalar": SCALAR, "neon": ["-DCOREPY_NEON"]},
    "arm64": {"scalar": SCALAR, "neon": ["-DCOREPY_NEON"]},
}.get(MACHINE, {"scalar": SCALAR, "baseline": []})
# The file that lists the compiled targets at run time.
TABLE = f"{KERNELS}/table.cpp"
# Macros that the compiler defines if a target's instructions are available.
REQUIRED_MACROS = {
    "avx2": {"__AVX2__", "__FMA__", "__BMI__", "__BMI2__"},
    "avx512": {f"__AVX512{part}__" for part in ("F", "BW", "CD", "DQ", "VL")},
}
# COREPY_SANITIZE=address or thread instruments everything (tools/sanitize.py, `make sanitize`).
# Speed does not matter then, but code that is optimised away cannot be checked.
SANITIZERS = {
    "address": ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"],
    "thread": ["-fsanitize=thread"],
}
SANITIZE = os.environ.get("COREPY_SANITIZE", "")
SANITIZE_FLAGS = (
    [*SANITIZERS[SANITIZE], "-O1", "-g1", "-fno-omit-frame-pointer"] if SANITIZE else []
)
# After all others.
LAST_FLAGS = [*SANITIZE_FLAGS, *os.environ.get("COREPY_CXXFLAGS", "").split()]
COMMON_FLAGS = ["-std=c++17", "-g0", "-fvisibility=hidden", "-Wno-unused-function"]
THREAD_FLAGS = ["-pthread"]
# GCC clears a new object of a few cache lines with `rep stos`, and copies an element of unknown
# size with `rep movs`: the start of either dominates the cost of a small tensor.
STRING_FLAGS = [
    "-mmemset-strategy=unrolled_loop:512:noalign,libcall:-1:noalign",
    "-mmemcpy-strategy=unrolled_loop:64:noalign,libcall:-1:noalign",
]
MACROS = [("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")]

DIRECTIVES = {
    "language_level": 3,
    "embedsignature": False,
    "annotation_typing": False,
    "binding": True,
    "auto_pickle": False,  # a class that can be pickled says so by __reduce__
}
# For the core alone; the pages keep Python's semantics.
CORE_DIRECTIVES = {
    "cdivision": True,
    "nonecheck": True,  # None where a Tensor is expected is an error, not a crash
}


def files(folder, *patterns):
    """Return the sorted files of `folder` that match one of the glob patterns."""
    return sorted(str(path) for pattern in patterns for path in Path(folder).glob(pattern))


def object_is_current(target, depfile, command, needs):
    """Tell whether `command` made `target`, after all that `depfile` lists and it needs."""
    try:
        made = os.path.getmtime(target)
        listed = Path(depfile).read_text().replace("\\\n", " ").split(": ", 1)[1].split()
        paths = map(os.path.normpath, listed)
        needs = [*needs, *(ROWS if path.startswith(OPERATIONS) else path for path in paths)]
        same_command = Path(f"{target}.command").read_text() == command
        return same_command and all(os.path.getmtime(path) <= made for path in needs)
    except (OSError, IndexError):
        return False


def predefined_macros(compiler, *flags):
    """Return the names that the compiler defines by itself."""
    command = [*compiler.compiler_so, *flags, "-dM", "-E", "-x", "c++", os.devnull]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return {line.split()[1] for line in done.stdout.splitlines() if line.count(" ") > 1}


def native_target(compiler):
    """Return the name of the best target whose instructions this machine has."""
    macros = predefined_macros(compiler, "-march=native")
    *_, best = (name for name in TARGETS if REQUIRED_MACROS.get(name, set()) <= macros)
    return best


def chosen_targets(compiler, in_place):
    """Return the names of the targets to compile the SIMD kernels for, the lowest first."""
    names = os.environ.get("COREPY_TARGETS") or ("native" if in_place else "all")
    wanted = set(TARGETS) if names == "all" else set(names.split(","))
    if "native" in wanted:
        wanted = wanted - {"native"} | {native_target(compiler)}
    if wanted - set(TARGETS):
        raise SystemExit(
            f"COREPY_TARGETS={names}: no target {', '.join(sorted(wanted - set(TARGETS)))}; "
            f"allowed: all, native, {', '.join(TARGETS)}"
        )
    return [name for name in TARGETS if name in wanted]


def accepts(compiler, flag):
    """Tell whether the compiler knows a flag."""
    command = getattr(compiler, "compiler_so", None)
    if not command:
        return False
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "empty.cpp")
        source.touch()
        command = [*command, flag, "-c", str(source), "-o", str(source.with_suffix(".o"))]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def target_flags(name):
    """Return the flags to compile SIMD kernels with for a target."""
    return [*SIMD_FLAGS, f"-DCOREPY_TARGET={name}", *TARGETS[name]]


def variants(target, source, flags, simd_targets):
    """Return the objects to make of a source, each with its flags, and the SIMD target that it is
    of, "generated" or None: what is precompiled for it.

    ``flags`` are those of generated code and of kernels that are not SIMD.
    """
    generated_flags, core_flags = flags
    if not source.startswith(KERNELS):
        return [(target, [*generated_flags, *core_flags], "generated")]
    if not source.startswith(SIMD):
        compiled = " ".join(f"X({name})" for name in simd_targets)
        more = [f"-DCOREPY_COMPILED_TARGETS={compiled}"] if source == TABLE else []
        return [(target, [*KERNEL_FLAGS, *core_flags, *more], None)]
    stem, suffix = os.path.splitext(target)
    return [(f"{stem}.{name}{suffix}", target_flags(name), name) for name in simd_targets]


class Progress:
    """Prints at each tenth of all files how many are compiled, and for how long it has taken."""

    COST = 2.0  # seconds of one processor for a file, in the mean

    def __init__(self, total, simd_targets):
        self.total, self.done, self.compiled = total, 0, 0
        self.begin = time.monotonic()
        self.lock = threading.Lock()
        minutes = max(round(total * self.COST / JOBS / 60), 1)
        self.first = f"compiling {total} files for {', '.join(simd_targets)}, {JOBS} at once: "
        self.first += f"about {minutes} min where all are new"
        if len(simd_targets) > 1:
            self.first += "; COREPY_TARGETS=native, for this machine alone, takes less"

    def announce(self):
        """Say before the first file how long it will take."""
        with self.lock:
            if self.first:
                print(self.first, flush=True)
            self.first = ""

    def add(self, compiled):
        """Count a file, which was compiled or was current."""
        with self.lock:
            self.done += 1
            self.compiled += compiled
            if self.compiled and self.done * 10 // self.total > (self.done - 1) * 10 // self.total:
                seconds = time.monotonic() - self.begin
                print(f"compiled {self.done} of {self.total} files, {seconds:.0f} s", flush=True)


class BuildExt(build_ext):
    """``build_ext`` that compiles objects in parallel and only those that are out of date."""

    def finalize_options(self):
        if os.name == "nt":
            # MSVC has no vector types; this class runs what CC and CXX name (docs/releasing.md).
            self.compiler = "mingw32"
        super().finalize_options()
        self.here = self.inplace or self.editable_mode  # `run` sets `inplace` to 0
        self.parallel = self.parallel or JOBS
        # One place for objects, whether pip or setup.py builds, so that neither repeats the other.
        self.build_temp = os.path.join("build", f"objects-{sys.implementation.cache_tag}")

    def dependencies(self, simd_targets):
        """Return all files that the library is made from, and one that lists the targets."""
        listed = Path(self.build_temp, "targets")
        listed.parent.mkdir(parents=True, exist_ok=True)
        if not listed.exists() or listed.read_text() != " ".join(simd_targets):
            listed.write_text(" ".join(simd_targets))
        suffixes = ("cpp", "cuh", "def", "hpp", "pxd", "pxi", "pyx")
        pages = files("corepy/array_api", "*.py") + files(SCHEMA, "*.py")
        sources = files("corepy", *(f"**/*.{each}" for each in suffixes))
        return ["setup.py", "corepy/_finder.py", str(listed), *pages, *sources]

    def copy_extensions_to_source(self):
        if not self.current:
            super().copy_extensions_to_source()

    def get_export_symbols(self, ext):
        return [f"PyInit_{name.rpartition('.')[2]}" for name in MODULES]

    def build_extensions(self):
        import numpy

        compiler = self.compiler
        core_flags = [flag for flag in STRING_FLAGS if accepts(compiler, flag)]
        is_gcc = "__clang__" not in predefined_macros(compiler)
        flags = (GENERATED_FLAGS if is_gcc else ["-O2"], core_flags)
        simd_targets = chosen_targets(compiler, self.here)
        (extension,) = self.extensions
        needed = [*extension.sources, *self.dependencies(simd_targets)]
        made = self.get_ext_filename(extension.name)
        self.current = self.here and not self.force and not newer_group(needed, made)
        if self.current:  # pip asks for it after `make` has built it
            return
        extension.include_dirs.append(numpy.get_include())
        extension.sources += generate_sources()
        extension.depends = needed
        total = sum(len(variants("", each, flags, simd_targets)) for each in extension.sources)
        progress = Progress(total, simd_targets)

        def compile_sources(sources, output_dir=None, macros=None, include_dirs=None, debug=0,
                            extra_preargs=None, extra_postargs=None, depends=None):  # fmt: skip
            macros, objects, postargs, pp_opts, build = compiler._setup_compile(
                output_dir, macros, include_dirs, sources, depends, extra_postargs
            )
            cc_args = compiler._get_cc_args(pp_opts, debug, extra_preargs)

            def compile_file(target, source, suffix, extra, needs=()):
                """Compile unless `target` is current; `needs` are files that nothing else lists."""
                depfile = f"{target}.d"
                flags = [*postargs, *extra, *LAST_FLAGS, "-MMD", "-MF", depfile]
                command = " ".join([*compiler.compiler_so, *cc_args, *pp_opts, *flags])
                current = not self.force and object_is_current(target, depfile, command, needs)
                if not current:
                    progress.announce()
                    compiler._compile(target, source, suffix, cc_args, flags, pp_opts)
                    Path(f"{target}.command").write_text(command)
                return current

            def precompile(name):
                """Return the precompiled header of a target and the file to include for it."""
                header = Path(self.build_temp, f"{name}.hpp")
                header.parent.mkdir(parents=True, exist_ok=True)
                generated = name == "generated"
                text = "#define PY_SSIZE_T_CLEAN\n" if generated else ""
                for each in GENERATED_HEADERS if generated else [SIMD_HEADER]:
                    text += f'#include "{each}"\n'
                if not header.exists() or header.read_text() != text:
                    header.write_text(text)
                header_flags = [*flags[0], *flags[1]] if generated else target_flags(name)
                compile_file(f"{header}.gch", str(header), ".hpp", header_flags)
                return f"{header}.gch", str(header)

            def compile_object(job):
                target, source, suffix, extra, header_name = job
                needs = []
                if header_name in headers:
                    precompiled, header = headers[header_name].result()
                    needs, extra = [precompiled], ["-include", header, *extra]
                current = compile_file(target, source, suffix, extra, needs)
                progress.add(not current)

            jobs = [
                (name, *build[target], extra, simd_target)
                for target in objects
                for name, extra, simd_target in variants(
                    target, build[target][0], flags, simd_targets
                )
            ]
            # The largest first, so that no large one is compiled alone at the end.
            jobs.sort(key=lambda job: os.path.getsize(job[1]), reverse=True)
            # Only GCC looks for precompiled headers where it looks for headers.
            used = {job[-1] for job in jobs if is_gcc} - {None}
            headers = {name: self.pool.submit(precompile, name) for name in sorted(used)}
            list(self.pool.map(compile_object, jobs))
            return [job[0] for job in jobs]

        compiler.compile = compile_sources
        with ThreadPoolExecutor(JOBS) as self.pool:
            super().build_extensions()


class BuildPy(build_py):
    """``build_py`` that copies the whole source of a page, not what it begins with."""

    def build_module(self, module, module_file, package):
        name = f"{package}.{module}"
        return super().build_module(
            module, source(name) if name in MODULES else module_file, package
        )


@functools.cache
def written():
    """Write what is generated from the schema; return the pages that are written from it."""
    sys.path.insert(0, SCHEMA)
    import generate

    generate.write_build(Path(GENERATED))
    return set(generate.pages.WRITTEN)


def source(name):
    """Return the path of the Cython source of a module."""
    path = name.replace(".", "/")
    folder, _, page = path.rpartition("/")
    if folder != "corepy/array_api":
        return f"{path}.pyx"
    return f"{GENERATED if page in written() else 'corepy'}/array_api/{page}.py"


def remove_stale(build_dir):
    """Remove what Cython generated before a declaration file of the core changed.

    It does not know that ``from cython.cimports.corepy._cython import core`` depends on core.pxd.
    """
    newest = max(
        os.path.getmtime(path)
        for path in [*files(CORE, "*.pxd", "*/*.pxd"), *files(GENERATED, "declarations.pxi")]
    )
    for path in Path(build_dir).glob("**/array_api/*.cpp"):
        if path.stat().st_mtime < newest:
            path.unlink()


def generate_sources():
    """Have Cython translate the modules; return the paths of their C++."""
    import Cython
    import numpy
    from Cython.Build import cythonize

    written()
    # What Cython reads of NumPy has no meaning with the headers of another version.
    build_dir = f"build/cython-{Cython.__version__}-numpy-{numpy.__version__}"
    remove_stale(build_dir)

    def translated(names, directives):
        return cythonize(
            [Extension(name, [source(name)], language="c++") for name in names],
            compiler_directives=directives,
            build_dir=build_dir,
            include_path=[GENERATED, "."],  # what is generated cimports from the root
            nthreads=JOBS,
            quiet=True,
        )

    pages = [name for name in MODULES if name.startswith("corepy.array_api.")]
    others = [name for name in MODULES if name not in pages]
    # Cython makes millions of objects; looking for cycles among them takes half of its time.
    gc.disable()
    made = translated(others, {**DIRECTIVES, **CORE_DIRECTIVES}) + translated(pages, DIRECTIVES)
    gc.enable()
    return [each.sources[0] for each in made]


library = Extension(
    "corepy._native",
    [*files(KERNELS, "*.cpp"), *files(SIMD, "*.cpp")],
    include_dirs=[KERNELS, "corepy/_gpu"],
    define_macros=MACROS,
    extra_compile_args=COMMON_FLAGS,
    extra_link_args=[*THREAD_FLAGS, *SANITIZERS.get(SANITIZE, [])],
    language="c++",
)
setup(ext_modules=[library], cmdclass={"build_ext": BuildExt, "build_py": BuildPy})
