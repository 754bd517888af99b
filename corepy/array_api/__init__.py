"""The Python array API standard, revision 2025.12.

    import corepy.array_api as xp

One module for each page of the specification; everything in it is here. Arrays are `Tensor` objects
and may be on any device: functions run where their operands are, and creation functions take
``device=``. `corepy.namespace` returns this namespace with another default device.

Beyond the standard, for programs that ask a namespace for it, there are NumPy's functions
`bincount`, `einsum`, `gradient`, `median`, `pad`, `percentile`, `quantile`, those that ignore NaN
(`nanmax`, `nanmean` ...), and `random`; they are not in ``__all__``. `mean` has a ``dtype``.
"""

from typing import TYPE_CHECKING, Any

from corepy._cython.core import Tensor
from corepy.array_api import fft, linalg

if TYPE_CHECKING:  # set by `corepy`; see `_extras`
    bincount: Any
    einsum: Any
    gradient: Any
    median: Any
    nanargmax: Any
    nanargmin: Any
    nanmax: Any
    nanmean: Any
    nanmedian: Any
    nanmin: Any
    nanpercentile: Any
    nanprod: Any
    nanquantile: Any
    nanstd: Any
    nansum: Any
    nanvar: Any
    pad: Any
    percentile: Any
    quantile: Any
    random: Any

# generated: imports (corepy/_cython/schema/generate.py)
from corepy.array_api.constants import (
    e,
    inf,
    nan,
    newaxis,
    pi,
)
from corepy.array_api.creation_functions import (
    arange,
    asarray,
    empty,
    empty_like,
    eye,
    from_dlpack,
    full,
    full_like,
    linspace,
    meshgrid,
    ones,
    ones_like,
    tril,
    triu,
    zeros,
    zeros_like,
)
from corepy.array_api.data_type_functions import (
    astype,
    can_cast,
    finfo,
    iinfo,
    isdtype,
    result_type,
)
from corepy.array_api.data_types import (
    bool,
    complex128,
    complex64,
    float32,
    float64,
    int16,
    int32,
    int64,
    int8,
    uint16,
    uint32,
    uint64,
    uint8,
)
from corepy.array_api.elementwise_functions import (
    abs,
    acos,
    acosh,
    add,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    bitwise_and,
    bitwise_invert,
    bitwise_left_shift,
    bitwise_or,
    bitwise_right_shift,
    bitwise_xor,
    ceil,
    clip,
    conj,
    copysign,
    cos,
    cosh,
    divide,
    equal,
    exp,
    expm1,
    floor,
    floor_divide,
    greater,
    greater_equal,
    hypot,
    imag,
    isfinite,
    isinf,
    isnan,
    less,
    less_equal,
    log,
    log10,
    log1p,
    log2,
    logaddexp,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    multiply,
    negative,
    nextafter,
    not_equal,
    positive,
    pow,
    real,
    reciprocal,
    remainder,
    round,
    sign,
    signbit,
    sin,
    sinh,
    sqrt,
    square,
    subtract,
    tan,
    tanh,
    trunc,
)
from corepy.array_api.indexing_functions import (
    take,
    take_along_axis,
)
from corepy.array_api.info import (
    __array_namespace_info__,
)
from corepy.array_api.linear_algebra_functions import (
    matmul,
    matrix_transpose,
    tensordot,
    vecdot,
)
from corepy.array_api.manipulation_functions import (
    broadcast_arrays,
    broadcast_shapes,
    broadcast_to,
    concat,
    expand_dims,
    flip,
    moveaxis,
    permute_dims,
    repeat,
    reshape,
    roll,
    squeeze,
    stack,
    tile,
    unstack,
)
from corepy.array_api.searching_functions import (
    argmax,
    argmin,
    count_nonzero,
    nonzero,
    searchsorted,
    where,
)
from corepy.array_api.set_functions import (
    isin,
    unique_all,
    unique_counts,
    unique_inverse,
    unique_values,
)
from corepy.array_api.sorting_functions import (
    argsort,
    sort,
)
from corepy.array_api.statistical_functions import (
    cumulative_prod,
    cumulative_sum,
    max,
    mean,
    min,
    prod,
    std,
    sum,
    var,
)
from corepy.array_api.utility_functions import (
    all,
    any,
    diff,
)
# end of generated: imports

#: The revision of the standard that this namespace implements.
__array_api_version__ = "2025.12"

__all__ = [
    "Tensor",
    "__array_api_version__",
    "__array_namespace_info__",
    "abs",
    "acos",
    "acosh",
    "add",
    "all",
    "any",
    "arange",
    "argmax",
    "argmin",
    "argsort",
    "asarray",
    "asin",
    "asinh",
    "astype",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "bool",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "can_cast",
    "ceil",
    "clip",
    "complex64",
    "complex128",
    "concat",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "count_nonzero",
    "cumulative_prod",
    "cumulative_sum",
    "diff",
    "divide",
    "e",
    "empty",
    "empty_like",
    "equal",
    "exp",
    "expand_dims",
    "expm1",
    "eye",
    "fft",
    "finfo",
    "flip",
    "float32",
    "float64",
    "floor",
    "floor_divide",
    "from_dlpack",
    "full",
    "full_like",
    "greater",
    "greater_equal",
    "hypot",
    "iinfo",
    "imag",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "isdtype",
    "isfinite",
    "isin",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "linalg",
    "linspace",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "matmul",
    "matrix_transpose",
    "max",
    "maximum",
    "mean",
    "meshgrid",
    "min",
    "minimum",
    "moveaxis",
    "multiply",
    "nan",
    "negative",
    "newaxis",
    "nextafter",
    "nonzero",
    "not_equal",
    "ones",
    "ones_like",
    "permute_dims",
    "pi",
    "positive",
    "pow",
    "prod",
    "real",
    "reciprocal",
    "remainder",
    "repeat",
    "reshape",
    "result_type",
    "roll",
    "round",
    "searchsorted",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sort",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "std",
    "subtract",
    "sum",
    "take",
    "take_along_axis",
    "tan",
    "tanh",
    "tensordot",
    "tile",
    "tril",
    "triu",
    "trunc",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "unstack",
    "var",
    "vecdot",
    "where",
    "zeros",
    "zeros_like",
]


def __dir__() -> list[str]:
    return sorted(__all__)
