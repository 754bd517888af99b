"""numpy.testing: assertions that compare arrays of Corepy as they compare NumPy's.

``assert_equal`` and ``assert_almost_equal`` compare what is not an instance of `numpy.ndarray` by
``==`` and ask for the truth of the result. There is no entry point. The module's functions find an
``isinstance`` for which arrays of Corepy are instances; `isinstance` of other modules stays as it
is. Tested with NumPy 2.0 to 2.4.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from corepy._cython.core import Tensor


def _add_to_assertions(utils: ModuleType) -> None:
    def is_instance(x: Any, cls: Any) -> bool:
        return issubclass(np.ndarray, cls) if isinstance(x, Tensor) else isinstance(x, cls)

    vars(utils)["isinstance"] = is_instance


COMPLETE = {"numpy.testing._private.utils": _add_to_assertions}
