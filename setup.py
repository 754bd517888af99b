"""Builds the compiled parts of Corepy; everything else is in pyproject.toml.

Two kinds of extension: the core (``core.pyx`` with the C++ kernels), and those pages of the
standard's namespace that Cython compiles from the very ``.py`` files that editors read.
Generated C++ and objects go to ``build/``; an object is compiled again only when a file that it
was made from has changed, and objects are compiled side by side.
"""

import os
import platform
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
from Cython import __version__ as cython_version
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

CORE = "corepy/_cython"
KERNELS = f"{CORE}/kernels"
SIMD = f"{KERNELS}/simd"
# Modules of corepy/array_api/ that are compiled.
PAGES = (
    "_checks",
    "creation_functions",
    "data_type_functions",
    "elementwise_functions",
    "fft",
    "indexing_functions",
    "linalg",
    "linear_algebra_functions",
    "manipulation_functions",
    "searching_functions",
    "set_functions",
    "sorting_functions",
    "statistical_functions",
    "utility_functions",
)

JOBS = int(os.environ.get("COREPY_BUILD_JOBS", 0)) or len(
    os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
)

# Kernels never trap and never read errno; saying so lets loops with a division or a comparison be
# vectorised. Contraction stays off: a result must not depend on which machine has an FMA.
KERNEL_FLAGS = ["-O3", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"]
# The sources of kernels/simd are compiled once for each of these, the lowest first; the name is
# their namespace, and which of them is used is decided at run time (kernels/table.cpp).
X86_TARGETS = {
    "baseline": [],
    "avx2": ["-march=x86-64-v3", "-DCOREPY_AVX2"],
    "avx512": ["-march=x86-64-v4", "-mprefer-vector-width=512", "-DCOREPY_AVX512"],
}
TARGETS = {
    "x86_64": X86_TARGETS,
    "amd64": X86_TARGETS,
    "aarch64": {"neon": ["-DCOREPY_NEON"]},
    "arm64": {"neon": ["-DCOREPY_NEON"]},
}.get(platform.machine().lower(), {"baseline": []})
# COREPY_SANITIZE=address or thread instruments everything (tools/sanitize.py, `make sanitize`).
# Speed does not matter then, but what is optimised away cannot be checked.
SANITIZERS = {
    "address": ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"],
    "thread": ["-fsanitize=thread"],
}
SANITIZE = os.environ.get("COREPY_SANITIZE", "")
SANITIZE_FLAGS = (
    [*SANITIZERS[SANITIZE], "-O1", "-g1", "-fno-omit-frame-pointer"] if SANITIZE else []
)
COMMON_FLAGS = ["-std=c++17", "-g0", "-fvisibility=hidden", "-Wno-unused-function"]
THREAD_FLAGS = ["-pthread"]
# GCC clears a new object of a few cache lines with `rep stos`, and copies an element of a size that
# it does not know with `rep movs`: to start either takes longer than everything else about a small
# tensor.
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
}
# Only the core checks its own bounds; the pages keep the semantics of the Python that they are.
CORE_DIRECTIVES = {
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "nonecheck": True,  # None where a Tensor is expected is an error, not a crash
}


def files(folder, *patterns):
    """Return the sorted files of `folder` that match one of the glob patterns."""
    return sorted(str(path) for pattern in patterns for path in Path(folder).glob(pattern))


def object_is_current(target, depfile):
    """Tell whether `target` is newer than everything the compiler listed in `depfile`."""
    try:
        made = os.path.getmtime(target)
        listed = Path(depfile).read_text().replace("\\\n", " ").split(": ", 1)[1].split()
        return all(os.path.getmtime(path) <= made for path in [*listed, __file__])
    except (OSError, IndexError):
        return False


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


def variants(target, source, core_flags):
    """Return the objects to make of a source, each with the flags to compile it with."""
    if not source.startswith(KERNELS):
        return [(target, ["-O2", *core_flags])]
    if not source.startswith(SIMD):
        return [(target, [*KERNEL_FLAGS, *core_flags])]
    stem, suffix = os.path.splitext(target)
    return [
        (f"{stem}.{name}{suffix}", [*KERNEL_FLAGS, f"-DCOREPY_TARGET={name}", *flags])
        for name, flags in TARGETS.items()
    ]


class BuildExt(build_ext):
    """``build_ext`` that compiles objects in parallel and only those that are out of date."""

    def finalize_options(self):
        super().finalize_options()
        self.parallel = self.parallel or JOBS
        # One place for objects, whether pip or setup.py builds, so that neither repeats the other.
        self.build_temp = os.path.join("build", f"objects-{sys.implementation.cache_tag}")

    def build_extensions(self):
        compiler = self.compiler
        core_flags = [flag for flag in STRING_FLAGS if accepts(compiler, flag)]

        def compile_sources(sources, output_dir=None, macros=None, include_dirs=None, debug=0,
                            extra_preargs=None, extra_postargs=None, depends=None):  # fmt: skip
            macros, objects, postargs, pp_opts, build = compiler._setup_compile(
                output_dir, macros, include_dirs, sources, depends, extra_postargs
            )
            cc_args = compiler._get_cc_args(pp_opts, debug, extra_preargs)

            def compile_object(job):
                target, source, suffix, extra = job
                depfile = target + ".d"
                if not self.force and object_is_current(target, depfile):
                    return
                flags = [*postargs, *extra, *SANITIZE_FLAGS, "-MMD", "-MF", depfile]
                print(f"compiling {target}", flush=True)
                compiler._compile(target, source, suffix, cc_args, flags, pp_opts)

            jobs = [
                (name, *build[target], flags)
                for target in objects
                for name, flags in variants(target, build[target][0], core_flags)
            ]
            list(self.pool.map(compile_object, jobs))
            return [job[0] for job in jobs]

        compiler.compile = compile_sources
        with ThreadPoolExecutor(JOBS) as self.pool:
            super().build_extensions()


def extensions():
    """Return the core and the compiled pages that exist in this tree."""
    options = {
        "language": "c++",
        "define_macros": MACROS,
        "extra_compile_args": COMMON_FLAGS,
        "extra_link_args": [*THREAD_FLAGS, *SANITIZERS.get(SANITIZE, [])],
    }
    core = Extension(
        "corepy._cython.core",
        [f"{CORE}/core.pyx", *files(KERNELS, "*.cpp", "simd/*.cpp")],
        include_dirs=[numpy.get_include(), KERNELS],
        depends=[
            "setup.py",
            *files(CORE, "*.pxd", "*.pxi"),
            *files(KERNELS, "*.hpp", "*.def", "simd/**/*.hpp"),
        ],
        **options,
    )
    pages = [
        Extension(
            f"corepy.array_api.{page}",
            [f"corepy/array_api/{page}.py"],
            include_dirs=[numpy.get_include(), KERNELS],
            depends=[
                "setup.py",
                *files(CORE, "*.pxd"),
                *files("corepy/array_api", "*.pxd"),
                *files(KERNELS, "*.hpp", "*.def"),
            ],
            **options,
        )
        for page in PAGES
        if Path(f"corepy/array_api/{page}.py").exists()
    ]
    gpu = Extension(
        "corepy._gpu.launch",
        ["corepy/_gpu/launch.pyx"],
        include_dirs=[numpy.get_include(), KERNELS, "corepy/_gpu"],
        depends=[
            "setup.py",
            *files(CORE, "*.pxd"),
            *files(KERNELS, "*.hpp", "*.def"),
            *files("corepy/_gpu", "*.hpp", "*.pxi", "kernels/*arguments.cuh"),
        ],
        **options,
    )
    common = {"build_dir": f"build/cython-{cython_version}", "nthreads": JOBS}
    return cythonize(
        [core, gpu], compiler_directives={**DIRECTIVES, **CORE_DIRECTIVES}, **common
    ) + cythonize(pages, compiler_directives=DIRECTIVES, **common)


# `setup.py clean`, `egg_info` and the like need no C++; building and wheels do.
setup(ext_modules=extensions(), cmdclass={"build_ext": BuildExt})
