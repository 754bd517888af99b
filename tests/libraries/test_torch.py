"""PyTorch both ways, over the same memory where the documentation says so."""

import numpy
import pytest
from strategies import assert_same

import corepy as np
from libraries.beside_numpy import INTEGERS, MATRICES, NUMBERS

torch = pytest.importorskip("torch")
xp = np.array_api

VALUES = [*MATRICES, INTEGERS.astype("int8"), NUMBERS.astype("float32"), NUMBERS > 0, NUMBERS * 1j]
TO_TORCH = {
    "from_dlpack": torch.from_dlpack,
    "as_tensor": torch.as_tensor,
    "from_numpy": lambda t: torch.from_numpy(t.to_numpy()),
    "tensor": torch.tensor,
}


@pytest.mark.parametrize("name", TO_TORCH)
@pytest.mark.parametrize("values", VALUES)
def test_to_pytorch(name, values):
    t = np.asarray(values.copy(order="C"))
    theirs = TO_TORCH[name](t)
    numpy.testing.assert_array_equal(theirs.numpy(), values, strict=True)
    if t.size:
        theirs[0] = theirs[1]
        assert bool(np.array_equal(t[0], t[1], equal_nan=t.dtype.kind in "fc")) == (
            name != "tensor"
        )


@pytest.mark.parametrize("function", [xp.asarray, xp.from_dlpack, np.asarray, np.from_dlpack])
@pytest.mark.parametrize("values", VALUES)
def test_from_pytorch(function, values):
    theirs = torch.tensor(values.copy())
    t = function(theirs)
    assert_same(t, values)
    assert_same(function(theirs.T), values.T)
    if t.size:
        t[0, ...] = t[1, ...]
        assert torch.equal(theirs[0].nan_to_num(), theirs[1].nan_to_num())


def test_tensors_that_need_a_gradient_are_refused():
    with pytest.raises(BufferError, match="detach"):
        np.asarray(torch.ones(3, requires_grad=True))
    assert_same(np.asarray(torch.ones(3, requires_grad=True).detach()), numpy.ones(3, "float32"))


def test_functions_take_pytorchs_tensors():
    theirs = torch.tensor(NUMBERS)
    assert_same(np.sum(theirs), NUMBERS.sum(), ulp=8)
    assert_same(np.concatenate([theirs, np.asarray(NUMBERS)]), numpy.vstack([NUMBERS, NUMBERS]))
