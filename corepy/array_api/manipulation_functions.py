"""Manipulation functions: shape, order and joining of arrays.

Array API 2025.12, manipulation functions. On the CPU, functions that only describe the same
elements differently (`broadcast_to`, `expand_dims`, `flip`, `moveaxis`, `permute_dims`, `reshape`,
`squeeze`, `unstack`) return views.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import movement

if TYPE_CHECKING:
    from corepy._cython.core import Tensor


def broadcast_shapes(*shapes: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Find the shape that several shapes broadcast to.

    Parameters
    ----------
    *shapes : tuple of int
        Any number of shapes. Sizes are matched from the last axis on; a size of 1 stretches.

    Returns
    -------
    tuple of int
        The common shape; ``()`` without arguments.

    Raises
    ------
    ValueError
        If two sizes of one axis differ and neither is 1.

    Notes
    -----
    Standard: array API 2025.12, manipulation_functions.broadcast_shapes.

    Examples
    --------
    >>> import corepy.array_api as xp
    >>> xp.broadcast_shapes((3, 1), (4,))
    (3, 4)
    """
    return core.broadcast_shapes(shapes)


# schema/pages.py writes the other functions, from schema/operations/manipulation_functions.def.
