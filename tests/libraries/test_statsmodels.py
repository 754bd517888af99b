"""statsmodels' models and tests of tensors, which they read as NumPy's arrays."""

import numpy
import pytest

import corepy as np
from libraries.beside_numpy import assert_like

sm = pytest.importorskip("statsmodels.api")
stats = pytest.importorskip("statsmodels.stats.api")
tsa = pytest.importorskip("statsmodels.tsa.api")

_RNG = numpy.random.default_rng(1)
FEATURES = _RNG.normal(size=(60, 2))
TARGET = FEATURES @ [1.0, 2.0] + _RNG.normal(size=60)
CALLS = {
    "OLS": lambda y, x: sm.OLS(y, sm.add_constant(x)).fit().params,
    "errors": lambda y, x: sm.OLS(y, x).fit().bse,
    "prediction": lambda y, x: sm.OLS(y, x).fit().predict(x[:5]),
    "WLS": lambda y, x: sm.WLS(y, x, weights=abs(y)).fit().params,
    "GLS": lambda y, x: sm.GLS(y, x).fit().params,
    "GLM": lambda y, x: sm.GLM(abs(y), x, family=sm.families.Gaussian()).fit().params,
    "RLM": lambda y, x: sm.RLM(y, x).fit().params,
    "Logit": lambda y, x: sm.Logit((y > 0) * 1.0, x).fit(disp=0).params,
    "quantiles": lambda y, x: sm.QuantReg(y, x).fit().params,
    "lowess": lambda y, x: sm.nonparametric.lowess(y, x[:, 0]),
    "components": lambda y, x: sm.multivariate.PCA(x).factors,
    "autocorrelation": lambda y, x: tsa.acf(y),
    "unit root": lambda y, x: tsa.adfuller(y)[0],
    "ARIMA": lambda y, x: tsa.ARIMA(y, order=(1, 0, 0)).fit().params,
    "seasons": lambda y, x: tsa.seasonal_decompose(y, period=5).seasonal,
    "t test": lambda y, x: stats.ttest_ind(y, x[:, 0]),
    "normality": lambda y, x: stats.jarque_bera(y),
    "Durbin-Watson": lambda y, x: stats.durbin_watson(y),
    "interval": lambda y, x: stats.DescrStatsW(y).tconfint_mean(),
}


@pytest.mark.parametrize("name", CALLS)
def test_results(name):
    expected = CALLS[name](TARGET, FEATURES)
    assert_like(CALLS[name](np.asarray(TARGET), np.asarray(FEATURES)), expected, rtol=1e-7)
