"""Every public NumPy function, called through `import corepy as np` as through NumPy.

COREPY_DROPIN_CALLS sets how many calls of each function are tried (80).
"""

import os

import pytest

from . import calls

TRIED = int(os.environ.get("COREPY_DROPIN_CALLS", "80"))
KEPT = max(1, TRIED // 10)  # calls that NumPy accepts, of each function
FUNCTIONS = list(calls.public_functions())


def accepted_calls(path):
    """Some calls of a function that NumPy accepts."""
    kept = 0
    for trial in range(TRIED):
        kind = "tensors" if trial % 2 else calls.FOREIGN[trial // 2 % len(calls.FOREIGN)]
        call = calls.Call(path, f"{path}-{trial}", kind)
        if call.accepted():
            kept += 1
            yield call
            if kept == KEPT:
                return


@pytest.mark.parametrize("path", FUNCTIONS)
def test_the_drop_in_answers_as_numpy_does(path):
    for call in accepted_calls(path):
        assert not call.differences(), str(call)
        if call.takes_out() and call.with_out():
            assert not call.differences(), str(call)


def test_most_functions_are_called():
    # Of each module; the seeds are fixed, so this is about the arguments that are drawn.
    called = [path for path in FUNCTIONS if any(True for _ in accepted_calls(path))]
    assert len(called) > 0.9 * len(FUNCTIONS)
