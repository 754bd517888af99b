"""Properties of the objects that the build makes."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LEVELS = ("avx2", "avx512")
OBJECTS = [
    pytest.param(path, level, id=path.name)
    for level in LEVELS
    for path in sorted((ROOT / "build").glob(f"objects-*/**/simd/*.{level}.o"))
]


@pytest.mark.skipif(shutil.which("nm") is None, reason="nm is not installed")
@pytest.mark.parametrize(
    ("path", "level"), OBJECTS or [pytest.param(None, "", marks=pytest.mark.skip("not built here"))]
)
def test_kernels_of_a_level_define_nothing_that_others_might_use(path, level):
    # A function that is defined in several objects is linked once. If one that was compiled for
    # AVX-512 were that one, Corepy would crash on processors without it.
    listed = subprocess.run(
        ["nm", "--demangle", "--defined-only", path], capture_output=True, text=True, check=True
    ).stdout
    shared = [
        line.split(maxsplit=2)[2]
        for line in listed.splitlines()
        if len(line.split(maxsplit=2)) == 3 and line.split(maxsplit=2)[1] in "WVuTDBR"
    ]
    assert [name for name in shared if f"corepy::{level}::" not in name] == []
