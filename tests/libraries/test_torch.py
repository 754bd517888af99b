"""PyTorch both ways, over the same memory where the documentation says so."""

import operator

import numpy
import pytest
from strategies import assert_same

import corepy as np
from libraries.beside_numpy import INTEGERS, MATRICES, NUMBERS, assert_as_numpy

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
    assert_as_numpy(
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
    assert_as_numpy(np.sum(theirs), NUMBERS.sum(), rtol=2e-15)
    assert_as_numpy(np.concatenate([theirs, np.asarray(NUMBERS)]), numpy.vstack([NUMBERS, NUMBERS]))


def test_comparisons_with_tensors_are_errors():
    """Neither class compares with the other: Python would say that they differ."""
    theirs, t = torch.arange(3.0), np.arange(3.0)
    for compare in (operator.eq, operator.ne):
        for a, b in ((t, theirs), (theirs, t), (np.array_api.asarray(t), theirs)):
            with pytest.raises(TypeError, match="Tensor compares"):
                compare(a, b)
    assert np.array_equal(t, theirs)
    assert (t == np.asarray(theirs)).all()


def batches(data, **options):
    """What a DataLoader makes of data: tensors, or tuples, lists and dicts of them."""
    return list(torch.utils.data.DataLoader(data, **options))


def assert_same_batches(actual, expected):
    assert type(actual) is type(expected)
    if isinstance(expected, torch.Tensor):
        assert actual.dtype == expected.dtype
        assert torch.equal(actual, expected)
    elif isinstance(expected, dict):
        assert actual.keys() == expected.keys()
        for key in expected:
            assert_same_batches(actual[key], expected[key])
    elif isinstance(expected, list):
        assert len(actual) == len(expected)
        for pair in zip(actual, expected, strict=True):
            assert_same_batches(*pair)
    else:
        assert actual == expected


@pytest.mark.parametrize("values", [NUMBERS, INTEGERS, NUMBERS.astype("float32"), NUMBERS > 0])
@pytest.mark.parametrize("size", [None, 1, 3])
def test_batches(values, size):
    for make in (
        lambda t: t,  # rows
        lambda t: t[:, 0],  # numbers
        lambda t: [(row, row[0], i) for i, row in enumerate(t)],
        lambda t: [{"row": row, "name": "x", "views": [row[::2], t[:2].T]} for row in t],
    ):
        expected = batches(make(values), batch_size=size)
        assert_same_batches(batches(make(np.asarray(values)), batch_size=size), expected)
    assert_same_batches(
        torch.utils.data.default_convert(data=[np.asarray(values), "x"]),
        torch.utils.data.default_convert(data=[values, "x"]),
    )


def test_batches_of_workers():
    rows = [np.asarray(row) for row in NUMBERS]
    expected = batches(list(NUMBERS), batch_size=2)
    assert_same_batches(batches(rows, batch_size=2, num_workers=1), expected)


def test_batches_of_different_shapes_are_refused():
    with pytest.raises(RuntimeError, match="equal size"):
        torch.utils.data.default_collate([np.ones(2), np.ones(3)])
