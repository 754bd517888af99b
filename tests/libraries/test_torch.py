"""PyTorch both ways, over the same memory where the documentation says so."""

import numpy
import pytest
from strategies import assert_same

import corepy as np
from libraries.beside_numpy import INTEGERS, MATRICES, NUMBERS, assert_as_numpys

torch = pytest.importorskip("torch")
xp = np.array_api

VALUES = [*MATRICES, INTEGERS.astype("int8"), NUMBERS.astype("float32"), NUMBERS > 0, NUMBERS * 1j]
TO_TORCH = {
    "from_dlpack": torch.from_dlpack,
    "as_tensor": torch.as_tensor,
    "asarray": torch.asarray,
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


@pytest.mark.parametrize("namespace, cls", [(xp, np.Tensor), (np, np.ndarray)])
@pytest.mark.parametrize("name", ["asarray", "from_dlpack"])
@pytest.mark.parametrize("values", VALUES)
def test_from_pytorch(namespace, cls, name, values):
    function = getattr(namespace, name)
    theirs = torch.tensor(values.copy())
    t = function(theirs)
    assert_same(t, values, cls=cls)
    assert_same(function(theirs.T), values.T, cls=cls)
    if t.size:
        t[0, ...] = t[1, ...]
        assert torch.equal(theirs[0].nan_to_num(), theirs[1].nan_to_num())


def test_tensors_that_need_a_gradient_are_refused():
    with pytest.raises(BufferError, match="detach"):
        np.asarray(torch.ones(3, requires_grad=True))
    assert_as_numpys(
        np.asarray(torch.ones(3, requires_grad=True).detach()), numpy.ones(3, "float32")
    )


def test_pytorch_takes_elements_and_indices():
    theirs, t = torch.arange(4.0), np.asarray([1.5, 2.5])
    assert torch.equal(torch.clamp(theirs, max=t[0]), torch.tensor([0.0, 1.0, 1.5, 1.5]))
    assert torch.equal(t[0] * theirs, 1.5 * theirs)
    index = np.asarray([2, 0])
    assert torch.equal(theirs[index], torch.tensor([2.0, 0.0]))
    assert theirs[index[0]] == 2.0


def test_functions_take_pytorchs_tensors():
    theirs = torch.tensor(NUMBERS)
    assert_as_numpys(np.sum(theirs), NUMBERS.sum(), rtol=2e-15)
    assert_as_numpys(
        np.concatenate([theirs, np.asarray(NUMBERS)]), numpy.vstack([NUMBERS, NUMBERS])
    )
