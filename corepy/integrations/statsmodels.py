"""statsmodels: arrays of Corepy as data of models, and where other arrays have another meaning.

statsmodels tests for NumPy's class. Models that do not convert their data themselves (those of
`statsmodels.tsa`) refuse other arrays. `StratifiedTable` takes one of shape (2, 2, 2) for a list of
tables, along the first axis instead of the last; ``get_margeff(atexog=)`` ignores them; ``mc2cum``
does not transpose the moments of several samples. These are called with arrays of NumPy's over the
same memory. Tested with statsmodels 0.15.
"""

from __future__ import annotations

from types import ModuleType

from corepy.integrations import as_numpy, prepare


def _add_to_models(data: ModuleType) -> None:
    prepare(data, "handle_data", as_numpy, 0, "endog")
    prepare(data, "handle_data", as_numpy, 1, "exog")


def _add_to_margins(margins: ModuleType) -> None:
    prepare(margins, "_get_margeff_exog", as_numpy, 2, "atexog")


def _add_to_tables(tables: ModuleType) -> None:
    prepare(tables.StratifiedTable, "__init__", as_numpy, 1, "tables")


def _add_to_moments(moments: ModuleType) -> None:
    prepare(moments, "mc2cum", as_numpy, 0, "mc")


COMPLETE = {
    "statsmodels.base.data": _add_to_models,
    "statsmodels.discrete.discrete_margins": _add_to_margins,
    "statsmodels.stats.contingency_tables": _add_to_tables,
    "statsmodels.stats.moment_helpers": _add_to_moments,
}
