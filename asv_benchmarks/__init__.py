"""Corepy's benchmarks.

``compare`` times the grid of ``cases`` beside other ``libraries``, ``fusion`` whole expressions,
``programs`` NumPy programs, ``overhead`` statements on one element, ``neighbour`` operations beside
a busy process; each is a command, ``python -m asv_benchmarks.compare``. `documents` writes their
tables, and `picture` draws them. The asv suite in ``benchmarks/`` has the same cases.

Nothing is deferred but in blocks of `corepy.fuse`: benchmarks call single operations, and drop what
they return.
"""

import os

os.environ["COREPY_FUSION"] = "0"  # read when Corepy is imported
