from typing import Any

from corepy._cython.core import Tensor

def attend(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, causal: bool, scale: float
) -> Tensor | None: ...
def rotate(x: Tensor, cos: Tensor, sin: Tensor, interleaved: bool) -> Tensor | None: ...
def correlate(
    x: Tensor,
    weight: Tensor,
    stride: tuple[int, ...],
    padding: tuple[int, ...],
    dilation: tuple[int, ...],
    groups: int,
) -> Tensor | None: ...
def quantized_product(
    matrix: Any, bits: int, half: bool, columns: int, x: Any
) -> Tensor | None: ...
