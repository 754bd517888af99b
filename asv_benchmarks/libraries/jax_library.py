"""JAX, compiled, in 64 bits where the data are; on the CPU each call is waited for."""

from __future__ import annotations

import os
from typing import ClassVar

# Set before JAX starts: on the CPU no other devices are used (`compare` sets the measured
# platform), and on a GPU JAX must not allocate all memory.
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax
import jax.numpy as jnp
import numpy as np

from ..cases.case import Case, Operand
from .library import Library, Program

jax.config.update("jax_enable_x64", True)


class JAX(Library):
    """Every case is one compiled function of its arrays."""

    name = "jax"
    title = "JAX"
    xp = jnp
    version = jax.__version__
    spellings: ClassVar[dict[str, str | None]] = {
        "add in place": "x + y",
        "argsort": "xp.argsort(x, stable=True)",
        "argsort unstable": "xp.argsort(x, stable=False)",
        "setitem of a mask": "xp.where(m, 0.0, x)",
        "setitem of everything": "x.at[...].set(y)",
        "setitem of one value": "x.at[...].set(2.0)",
        "setitem of positions": "x.at[i].set(y)",
    }
    # The shape of the result depends on the data: JAX cannot compile these.
    eager = ("getitem of a mask", "nonzero", "unique_values", "unique_counts")

    def serves(self, device: str) -> bool:
        try:
            return device == "cpu" or jax.default_backend() in ("gpu", "cuda", "rocm")
        except RuntimeError:  # it is installed without what it needs for GPUs
            return False

    def array(self, values: np.ndarray):
        return jnp.array(values)

    def synchronize(self) -> None:
        # A device works in order: this is done when all before it is.
        jax.block_until_ready(_marker(0))

    def program(self, case: Case, operands: dict[str, Operand]) -> Program:
        arrays = {name: self.operand(operand) for name, operand in operands.items()}
        names = {"xp": jnp, "dtype": getattr(jnp, case.dtype), **case.constants}
        parameters = ", ".join(arrays)
        function = eval(f"lambda {parameters}: {self.code(case)}", names)
        if case.label not in self.eager:
            function = jax.jit(function)
        names = {"function": function, "ready": jax.block_until_ready, **arrays}
        statement = f"ready(function({parameters}))"
        if self.device != "cpu":
            statement = f"function({parameters})"
        return Program(statement, names, lambda: eval(statement, names))


@jax.jit
def _marker(x):
    return x + 1
