"""SciPy marks functions that compute with NumPy's arrays as CPU-only.

Their tests are skipped for libraries whose data are not in host memory. Where they are in host
memory, but not on the device ``cpu``, an operation on a tensor and such an array is an error.
"""

import os

os.environ["SCIPY_ARRAY_API"] = "1"

from scipy import signal
from scipy._lib._array_api import xp_capabilities_table

# scipy.signal: TestGroupDelay
assert xp_capabilities_table[signal.group_delay]["cpu_only"]
