"""SciPy's tests ask the namespace for logspace, which the standard does not have.

Shown with array-api-strict, which has what the standard has and nothing else. SciPy skips these
tests for libraries that lack the name by the libraries' own names, so not for others.
"""

import array_api_strict as xp

# scipy.differentiate: TestDerivative.test_initial_step
assert not hasattr(xp, "logspace")
