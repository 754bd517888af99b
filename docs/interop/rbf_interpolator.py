"""SciPy's RBFInterpolator calls an array's ``view``, which the standard does not have.

Shown with array-api-strict, which has what the standard has and nothing else. SciPy's source says
"not Array API compliant" at the place, and its tests skip array-api-strict by name ("view").
"""

import os

os.environ["SCIPY_ARRAY_API"] = "1"  # read when SciPy is imported

import array_api_strict as xp
from scipy.interpolate import RBFInterpolator

y = xp.asarray([[0.0], [1.0], [2.0]])
d = xp.asarray([0.0, 1.0, 4.0])
try:
    RBFInterpolator(y, d)
except AttributeError as error:
    assert "view" in str(error), error
else:
    raise SystemExit("RBFInterpolator works with nothing but the standard")
