"""The table of operations that are computed chunk by chunk; all others gather their operands."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from corepy.backend.dask import (
    creation,
    graphs,
    linalg,
    products,
    reductions,
    shapes,
    sorting,
    transforms,
)


def _elementwise(name: str, results: Any, *inputs: Any, **params: Any) -> Any:
    return graphs.elementwise(name, inputs, params, results[0][0])


#: Operation -> function of (results, *inputs, **params), over arrays of Dask.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "arange": creation.arange,
    "eye": creation.eye,
    "linspace": creation.linspace,
    "fft.fftfreq": creation.fftfreq,
    "fft.rfftfreq": creation.rfftfreq,
    "broadcast_arrays": shapes.broadcast_arrays,
    "broadcast_to": shapes.broadcast_to,
    "concat": shapes.concat,
    "expand_dims": shapes.expand_dims,
    "flip": shapes.flip,
    "linalg.diagonal": shapes.diagonal,
    "linalg.trace": shapes.trace,
    "matrix_transpose": shapes.matrix_transpose,
    "linalg.matrix_transpose": shapes.matrix_transpose,
    "meshgrid": shapes.meshgrid,
    "moveaxis": shapes.moveaxis,
    "permute_dims": shapes.permute_dims,
    "repeat": shapes.repeat,
    "reshape": shapes.reshape,
    "roll": shapes.roll,
    "squeeze": shapes.squeeze,
    "stack": shapes.stack,
    "tile": shapes.tile,
    "tril": partial(shapes.triangle, "tril"),
    "triu": partial(shapes.triangle, "triu"),
    "unstack": shapes.unstack,
    "cumulative_sum": partial(reductions.scan, "cumulative_sum"),
    "cumulative_prod": partial(reductions.scan, "cumulative_prod"),
    **{
        name: partial(reductions.reduce, name)
        for name in (
            "all any argmax argmin count_nonzero linalg.vector_norm max mean min prod std sum var"
        ).split()
    },
    "matmul": products.matmul,
    "linalg.matmul": products.matmul,
    "vecdot": products.vecdot,
    "linalg.vecdot": products.vecdot,
    "tensordot": products.tensordot,
    "linalg.tensordot": products.tensordot,
    "linalg.outer": products.outer,
    "linalg.cross": linalg.cross,
    "linalg.matrix_norm": linalg.matrix_norm,
    "linalg.matrix_power": linalg.matrix_power,
    "linalg.matrix_rank": linalg.matrix_rank,
    "linalg.pinv": linalg.pinv,
    "linalg.qr": linalg.qr,
    "linalg.solve": linalg.solve,
    "linalg.svd": linalg.svd,
    "linalg.svdvals": linalg.svdvals,
    **{
        f"linalg.{name}": partial(linalg.matrices, f"linalg.{name}")
        for name in "cholesky det eig eigh eigvals eigvalsh inv slogdet".split()
    },
    "argsort": partial(sorting.sort, "argsort"),
    "sort": partial(sorting.sort, "sort"),
    "isin": sorting.isin,
    "nonzero": sorting.nonzero,
    "searchsorted": sorting.searchsorted,
    "take": sorting.take,
    "take_along_axis": sorting.take_along_axis,
    "unique_values": sorting.unique_values,
    "unique_counts": sorting.unique_counts,
    "unique_all": partial(sorting.unique_gathered, "unique_all"),
    "unique_inverse": partial(sorting.unique_gathered, "unique_inverse"),
    **{
        f"fft.{name}": partial(transforms.transform, f"fft.{name}")
        for name in "fft ifft rfft irfft hfft ihfft".split()
    },
    **{
        f"fft.{name}": partial(transforms.transforms, f"fft.{name}")
        for name in "fftn ifftn rfftn irfftn".split()
    },
    "fft.fftshift": partial(transforms.shift, "fft.fftshift"),
    "fft.ifftshift": partial(transforms.shift, "fft.ifftshift"),
    **{name: partial(_elementwise, name) for name in ("astype", "clip", "where")},
}
