"""PyTorch, eager, with the threads that it takes by default."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import torch

from ..cases.case import Case
from ..cases.movement import TARGETS
from .library import Library, Unsupported


class PyTorch(Library):
    """Most names are the standard's, and ``axis`` is understood for ``dim``."""

    name = "torch"
    title = "PyTorch"
    xp = torch
    spellings: ClassVar[dict[str, str | None]] = {
        "argsort": "xp.argsort(x, stable=True)",
        "argsort unstable": "xp.argsort(x)",
        "asarray copied": "x.clone()",
        "bitwise_invert": "xp.bitwise_not(x)",
        "broadcast_to copied": "xp.broadcast_to(x, (1000, n // 1000)).contiguous()",
        "conj": "xp.conj_physical(x)",
        "cumulative_prod": "xp.cumprod(x{axis})",
        "cumulative_sum": "xp.cumsum(x{axis})",
        "equal": "xp.eq(x, y)",
        "flip copied": "xp.flip(x, (0,))",
        "max": "xp.amax(x{axis})",
        "min": "xp.amin(x{axis})",
        "meshgrid": "[each.contiguous() for each in xp.meshgrid(x, y, indexing='ij')]",
        "nonzero": "xp.nonzero(x, as_tuple=True)",
        "outer": "xp.outer(x, y)",
        "permute_dims copied": "x.T.reshape(-1)",
        "positive": "x.clone()",
        "repeat": "xp.repeat_interleave(x, 3)",
        "roll of columns": "xp.roll(x, 3, 1)",
        "sort": "xp.sort(x).values",
        "sort descending": "xp.sort(x, descending=True).values",
        "stack in pairs": "xp.stack((x, y), 1)",
        "std": "xp.std(x{axis}, correction=0)",
        "take": "xp.index_select(x, 0, i)",
        "take of rows": "xp.index_select(x, 0, i)",
        "take_along_axis": "xp.take_along_dim(x, i, 1)",
        "tensordot": "xp.tensordot(x, y, 1)",
        "trace": "xp.trace(x)",
        "unique_counts": "xp.unique(x, return_counts=True)",
        "unique_values": "xp.unique(x)",
        "unstack": "xp.unbind(x)",
        "var": "xp.var(x{axis}, correction=0)",
        "vecdot": "xp.linalg.vecdot(x, y)",
        "vector_norm": "xp.linalg.vector_norm(x)",
        **{f"astype to {name}": f"x.to(xp.{name})" for name in TARGETS},
    }

    def serves(self, device: str) -> bool:
        return device == "cpu" or (device.startswith("cuda:") and torch.cuda.is_available())

    def array(self, values: np.ndarray) -> torch.Tensor:
        return torch.tensor(values, device=self.device)

    def to_numpy(self, x) -> np.ndarray:
        return x.resolve_conj().cpu().numpy()

    def synchronize(self) -> None:
        torch.cuda.current_stream(self.device).synchronize()

    def code(self, case: Case) -> str:
        code = super().code(case)
        if case.operation in ("cumulative_sum", "cumulative_prod") and "axis" not in code:
            code = code.replace("(x)", "(x, 0)")  # PyTorch has no default here
        if case.operation == "diff" and "axis=0" in code:
            return "xp.diff(x, dim=0)"
        return code

    def program(self, case, operands):
        if not hasattr(torch, case.dtype):
            raise Unsupported(case.name)
        return super().program(case, operands)
