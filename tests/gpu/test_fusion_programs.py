"""Random programs on a GPU give the same results, layouts and errors fused as eagerly.

COREPY_FUSION_PROGRAMS_GPU is the number of programs.
"""

import os

import pytest
from fusion.programs import difference, fuse_all, run, shrink
from fusion.writer import generate

PROGRAMS = int(os.environ.get("COREPY_FUSION_PROGRAMS_GPU", "8"))


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_fused_programs_agree_with_eager_ones(gpu, seed):
    def differs(program):
        return difference(run(program, namespace=gpu), run(program, fuse_all, namespace=gpu))

    program, _ = generate(seed)
    text = differs(program)
    if text:
        shorter = shrink(program, differs)
        lines = "\n".join(shorter)
        pytest.fail(f"program {seed}\n{lines}\n\n{differs(shorter) or text}")
