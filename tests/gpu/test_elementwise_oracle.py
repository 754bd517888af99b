"""Elementwise functions on the GPU backend against the CPU, on calls of the oracle tests."""

from hypothesis import given, settings
from hypothesis import strategies as st
from oracle.compare import to_host
from oracle.elementwise_cases import CASES


def is_complex(dtype):
    """Functions of complex numbers have tests of their own (test_complex.py)."""
    return str(dtype).startswith("complex")


@settings(max_examples=3)
@given(data=st.data())
def test_one_call_of_each_function(gpu, gathering, data):
    """Together, so that their kernels are compiled in one go."""
    device = str(gpu.__array_namespace_info__().default_device())
    calls = []
    for case in CASES:
        dtypes = [dtype for dtype in case.dtypes if not is_complex(dtype)]
        if not dtypes:
            continue
        dtype = data.draw(st.sampled_from(dtypes))
        call = data.draw(case.calls(dtype), label=f"{case.name} of {dtype}")
        if case.name == "pow" and dtype.startswith("int"):
            continue  # exponents are read first: test_integer_powers
        if not any(is_complex(made.dtype) for made in call.made):
            calls.append((case, call))
    arguments = [call.on(device) for _, call in calls]
    with gathering():
        for (case, _), given in zip(calls, arguments, strict=True):
            case.run(given, device)
    for (case, call), given in zip(calls, arguments, strict=True):
        result = to_host(case.run(given, device))
        case.check(result, to_host(case.run(call.on("cpu"), "cpu")), call)
