"""The Python array API standard, revision 2025.12.

    import corepy.array_api as xp

One module for each page of the specification; everything in it is here. Arrays are `Tensor` objects
and may be on any device: functions run where their operands are, and creation functions take
``device=``. `corepy.namespace` returns this namespace with another default device.

Beyond the standard, for programs that ask a namespace for it, there are NumPy's functions
`bincount`, `einsum`, `gradient`, `median`, `pad`, `percentile`, `quantile`, those that ignore NaN
(`nanmax`, `nanmean` ...), and `random`, and the dtypes float16 and bfloat16; they are not in
``__all__``. `mean` has a ``dtype``.
"""

# ruff: noqa: F403
from typing import TYPE_CHECKING, Any

from corepy._cython.core import Tensor
from corepy.array_api import (
    constants,
    creation_functions,
    data_type_functions,
    data_types,
    elementwise_functions,
    fft,
    indexing_functions,
    info,
    linalg,
    linear_algebra_functions,
    manipulation_functions,
    searching_functions,
    set_functions,
    sorting_functions,
    statistical_functions,
    utility_functions,
)
from corepy.array_api.constants import *
from corepy.array_api.creation_functions import *
from corepy.array_api.data_type_functions import *
from corepy.array_api.data_types import *
from corepy.array_api.data_types import float16
from corepy.array_api.elementwise_functions import *
from corepy.array_api.indexing_functions import *
from corepy.array_api.info import *
from corepy.array_api.linear_algebra_functions import *
from corepy.array_api.manipulation_functions import *
from corepy.array_api.searching_functions import *
from corepy.array_api.set_functions import *
from corepy.array_api.sorting_functions import *
from corepy.array_api.statistical_functions import *
from corepy.array_api.utility_functions import *

if TYPE_CHECKING:  # set below, and by the drop-in
    bfloat16: Any
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

#: The revision of the standard that this namespace implements.
__array_api_version__ = "2025.12"

__all__ = ["Tensor", "__array_api_version__", "fft", "linalg"]
__all__ += constants.__all__
__all__ += creation_functions.__all__
__all__ += data_type_functions.__all__
__all__ += data_types.__all__
__all__ += elementwise_functions.__all__
__all__ += indexing_functions.__all__
__all__ += info.__all__
__all__ += linear_algebra_functions.__all__
__all__ += manipulation_functions.__all__
__all__ += searching_functions.__all__
__all__ += set_functions.__all__
__all__ += sorting_functions.__all__
__all__ += statistical_functions.__all__
__all__ += utility_functions.__all__

#: Names of NumPy's that array-agnostic programs look for in a namespace, as the drop-in has them,
#: which sets them; results are Tensors, unless the first argument is an array of the drop-in.
_BEYOND = (
    "bincount",
    "einsum",
    "gradient",
    "median",
    "nanargmax",
    "nanargmin",
    "nanmax",
    "nanmean",
    "nanmedian",
    "nanmin",
    "nanpercentile",
    "nanprod",
    "nanquantile",
    "nanstd",
    "nansum",
    "nanvar",
    "pad",
    "percentile",
    "quantile",
    "random",
)

if not TYPE_CHECKING and hasattr(data_types, "bfloat16"):
    bfloat16 = data_types.bfloat16


def __dir__() -> list[str]:
    return sorted(__all__)
