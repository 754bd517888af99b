"""statsmodels' models and tests of tensors, which they read as NumPy's arrays."""

import numpy
import pytest

import corepy as np
from libraries.beside_numpy import assert_like

sm = pytest.importorskip("statsmodels.api")
stats = pytest.importorskip("statsmodels.stats.api")
tsa = pytest.importorskip("statsmodels.tsa.api")
moment_helpers = pytest.importorskip("statsmodels.stats.moment_helpers")

_RNG = numpy.random.default_rng(1)
FEATURES = _RNG.normal(size=(60, 2))
TARGET = FEATURES @ [1.0, 2.0] + _RNG.normal(size=60)


def make_columns(y, x):
    return y[:, None] * [1.0, 2.0, 3.0] + x.repeat(2, axis=1)[:, :3] ** 2


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
    "exogenous": lambda y, x: tsa.ARIMA(endog=y, exog=x, order=(1, 0, 0)).fit().params,
    "appended": lambda y, x: tsa.ARIMA(y[:40], order=(1, 0, 0)).fit().append(y[40:]).params,
    "SARIMAX": lambda y, x: tsa.SARIMAX(y, order=(1, 0, 0)).fit(disp=0).params,
    "regression": lambda y, x: tsa.AutoReg(y, lags=2, exog=x).fit().params,
    "smoothing": lambda y, x: tsa.ExponentialSmoothing(y, trend="add").fit().forecast(2),
    "ETS": lambda y, x: tsa.ETSModel(y).fit(disp=0).params,
    "components of a series": lambda y, x: (
        tsa.UnobservedComponents(y, "local level").smooth([1.0, 2.0]).smoothed_state
    ),
    "VAR": lambda y, x: tsa.VAR(x).fit(1).params,
    "VECM": lambda y, x: tsa.VECM(x.cumsum(axis=0), k_ar_diff=1).fit().alpha,
    "factors": lambda y, x: sm.multivariate.Factor(make_columns(y, x), 1).fit().loadings,
    "margins": lambda y, x: (
        sm.Logit((y > 0) * 1.0, x).fit(disp=0).get_margeff(atexog=0 * x + 0.2).margeff
    ),
    "tables": lambda y, x: (
        stats.StratifiedTable((x[:4].reshape(2, 2, 2) * 100 // 1) ** 2).logodds_pooled
    ),
    "cumulants": lambda y, x: moment_helpers.mc2cum(abs(x[:4])),
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
