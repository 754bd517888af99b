"""Every function gives the same dtype, shape and values on cpu, on a GPU, and on reference."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corepy

from .compare import to_host
from .table import TABLE

# A test for each function and dtype: a few examples each are many for the function.
EXAMPLES = max(4, settings.default.max_examples // 6)

GPUS = [name for name in map(str, corepy.available_devices()) if name in ("cuda:0", "rocm:0")]
DEVICES = ["cpu", *[pytest.param(name, marks=pytest.mark.gpu) for name in GPUS]]

ROWS = [
    pytest.param(case, dtype, id=f"{case.name}-{dtype}")
    for case in TABLE.values()
    for dtype in case.dtypes
]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("case", "dtype"), ROWS)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_devices_agree(case, dtype, device, data):
    call = data.draw(case.calls(dtype), label="call")
    results = []
    for name in (device, "reference"):
        arguments = call.on(name)
        results.append(to_host(case.run(arguments, name)))
        for made, left in zip(call.made, arguments_arrays(arguments), strict=True):
            unchanged = np.asarray(left.to_device("cpu")).tobytes() == made.values.tobytes()
            assert unchanged, f"an argument was written to on {name}"
    case.check(*results, call)


def arguments_arrays(arguments):
    """The tensors among the arguments, in the order of `Call.made`."""
    values = [arguments.args, list(arguments.kwargs.values())]
    return [value for value in flattened(values) if hasattr(value, "to_device")]


def flattened(value):
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in flattened(item)]
    return [value]
