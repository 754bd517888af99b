"""statsmodels: arrays of Corepy as data of models, and where other arrays have another meaning.

statsmodels tests for NumPy's class. Models that do not convert their data themselves (those of
`statsmodels.tsa`) refuse other arrays. `StratifiedTable` takes one of shape (2, 2, 2) for a list of
tables, along the first axis instead of the last; ``get_margeff(atexog=)`` ignores them; ``mc2cum``
does not transpose the moments of several samples. These are called with arrays of NumPy's over the
same memory. Tested with statsmodels 0.15.
"""

from __future__ import annotations

from corepy.integrations import preparing

COMPLETE = {
    "statsmodels.base.data": preparing(("handle_data", 0, "endog"), ("handle_data", 1, "exog")),
    "statsmodels.discrete.discrete_margins": preparing(("_get_margeff_exog", 2, "atexog")),
    "statsmodels.stats.contingency_tables": preparing(("StratifiedTable.__init__", 1, "tables")),
    "statsmodels.stats.moment_helpers": preparing(("mc2cum", 0, "mc")),
}
