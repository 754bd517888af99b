"""The instruction sets that tests run on."""

import pytest

from corepy._cython import core


def level_parameters():
    """Return the instruction sets of this architecture as parameters of a test.

    Those that this processor lacks, or that this build has no kernels for, are skipped, and say so.
    """
    missing = [
        pytest.param(name, marks=pytest.mark.skip(reason=f"instruction set {name}: {reason}"))
        for name, reason in core.simd_missing().items()
    ]
    return [*core.simd_levels(), *missing]
