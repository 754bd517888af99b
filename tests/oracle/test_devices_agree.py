"""Every function gives the same dtype, shape and values on all devices and on reference."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corepy

from .compare import leaves, to_host
from .table import TABLE

# A test for each function and dtype: a few examples each are many for the function.
EXAMPLES = max(4, settings.default.max_examples // 6)

AVAILABLE = list(map(str, corepy.available_devices()))
GPUS = [name for name in AVAILABLE if name in ("cuda:0", "rocm:0")]
DEVICES = ["cpu", *[pytest.param(name, marks=pytest.mark.gpu) for name in GPUS]]
DEVICES += [name for name in AVAILABLE if name == "torch:cpu"]

VIEWS = {
    *("broadcast_arrays", "broadcast_to", "expand_dims", "flip", "imag", "matrix_transpose"),
    *("moveaxis", "permute_dims", "real", "squeeze", "unstack"),
    *("linalg.diagonal", "linalg.matrix_transpose"),
}
#: Functions whose results share memory with arguments or not, depending on other arguments.
EITHER = {"asarray", "astype", "diff", "from_dlpack", "reshape"}

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
        with corepy.config(fallback="error"):
            results.append(to_host(case.run(arguments, name)))
        if name == "cpu" and case.name not in EITHER:
            check_memory(case, results[0], arguments)
        for made, left in zip(call.made, arguments_arrays(arguments), strict=True):
            unchanged = np.asarray(left.to_device("cpu")).tobytes() == made.values.tobytes()
            assert unchanged, f"an argument was written to on {name}"
    case.check(*results, call)


def check_memory(case, results, arguments):
    """Check that views are views of an argument, and that other results own their memory."""
    arrays = [np.asarray(x) for x in arguments_arrays(arguments)]
    for result in leaves(results):
        if isinstance(result, np.ndarray) and result.size:
            shared = any(np.may_share_memory(result, x) for x in arrays)
            assert shared == (case.name in VIEWS)


def arguments_arrays(arguments):
    """The tensors among the arguments, in the order of `Call.made`."""
    values = [arguments.args, list(arguments.kwargs.values())]
    return [value for value in leaves(values) if hasattr(value, "to_device")]
