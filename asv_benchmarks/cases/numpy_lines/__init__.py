"""One or two statements as programs have them that were written for ``import numpy as np``."""

from . import arrays, numerics

LINES = [*arrays.LINES, *numerics.LINES]
