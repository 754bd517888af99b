"""scikit-learn: estimators that take float16 where the namespace has it."""

import pytest
from running import output_of

pytest.importorskip("sklearn")

# SciPy reads the variable when it is imported.
FITS = """
import numpy, sklearn
from sklearn import preprocessing
import corepy.array_api as xp

rows = numpy.random.default_rng(0).standard_normal((50, 3)).astype("float16")
expected = preprocessing.{name}().fit_transform(rows.astype("float32"))
with sklearn.config_context(array_api_dispatch=True):
    found = preprocessing.{name}().fit_transform(xp.asarray(rows))
error = abs(numpy.asarray(found, "float32") - expected).max()
print(type(found).__name__, found.dtype, bool(error < 0.01))
"""


@pytest.mark.parametrize("name", ["MaxAbsScaler", "MinMaxScaler", "StandardScaler", "Normalizer"])
def test_float16(name):
    done = output_of(FITS.format(name=name), SCIPY_ARRAY_API="1")
    assert done.split() == ["Tensor", "float16", "True"]
