"""SciPy's tests ask the namespace for float16 and logspace, which the standard does not have.

Shown with array-api-strict, which has what the standard has and nothing else. SciPy skips these
tests for libraries that lack the names by the libraries' own names, so not for others.
"""

import array_api_strict as xp

# scipy.ndimage: test_gaussian_filter_float16; scipy.optimize: test_dtype, test_dtypes
assert not hasattr(xp, "float16")
# scipy.differentiate: TestDerivative.test_initial_step
assert not hasattr(xp, "logspace")
