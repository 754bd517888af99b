"""Tests take a namespace's name for a regular expression, in which brackets are not themselves.

``corepy.namespace("cpu").__name__`` is ``corepy.array_api[cpu]``. The messages are right; the tests
pass their expected message to ``pytest.raises(match=...)`` without ``re.escape``.
"""

import inspect
import re

from scipy.stats.tests import test_resampling
from sklearn.linear_model.tests import test_ridge

message = "When using array library library[device]"
assert re.search(message, message) is None
for test in (
    test_resampling.TestBootstrap.test_bootstrap_iv_other,
    test_ridge.test_array_api_error_and_warnings_for_solver_parameter,
):
    source = inspect.getsource(test)
    assert "{xp.__name__}" in source and "match=" in source and "re.escape" not in source
