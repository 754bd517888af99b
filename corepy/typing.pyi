from typing import Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike as DTypeLike
from numpy.typing import NBitBase as NBitBase
from typing_extensions import TypeVar

from corepy._cython.core import _ArrayLike
from corepy.numpy.ndarray import ndarray

_ScalarT = TypeVar("_ScalarT", bound=np.generic)

ArrayLike: TypeAlias = _ArrayLike
NDArray: TypeAlias = ndarray[tuple[Any, ...], np.dtype[_ScalarT]]
