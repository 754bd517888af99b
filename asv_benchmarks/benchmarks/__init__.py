"""The asv suite: the cases of `asv_benchmarks.cases` with Corepy and NumPy."""

import sys
from pathlib import Path

# asv imports this folder alone. Last on the path, so that the Corepy that asv has built for the
# commit under test is found before the one in the checkout.
sys.path.append(str(Path(__file__).resolve().parents[2]))
