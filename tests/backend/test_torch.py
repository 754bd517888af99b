"""PyTorch's devices: shared memory, moves, indexing, errors, and agreement with the CPU."""

import operator
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from agreement import Agree, numbers
from hypothesis import given
from hypothesis import strategies as st
from strategies import DTYPES, assert_same, random_array, special_values

import corepy
import corepy.array_api as xp
from corepy import Tensor
from corepy.backend import get_backend

torch = pytest.importorskip("torch")

DEVICE = "torch:cpu"
there = corepy.namespace(DEVICE)
DTYPE_IDS = [str(dtype) for dtype in DTYPES]
every_dtype = pytest.mark.parametrize("dtype", DTYPES, ids=DTYPE_IDS)


@pytest.fixture(autouse=True)
def no_fallback():
    with corepy.config(fallback="error"):
        yield


@pytest.fixture
def agree():
    return Agree(there)


def native(x):
    return get_backend("torch").unwrap(x)


# ---- devices


def test_devices():
    backend = get_backend("torch")
    names = [str(device) for device in backend.devices()]
    assert names[0] == DEVICE
    assert len(names) == 1 + torch.cuda.device_count() + torch.backends.mps.is_available()
    assert backend.devices()[0] is corepy.device(DEVICE)
    assert backend.is_available() and backend.missing() == ""
    capabilities = backend.get_capabilities()
    assert capabilities["threads"] == torch.get_num_threads()
    assert capabilities["simd_level"] in ("AVX-512", "AVX2", None)


def test_metal_is_named_where_it_is_missing(monkeypatch):
    if torch.backends.mps.is_available():
        pytest.skip("Metal is here")
    with pytest.raises(ValueError, match=r"no device 'torch:mps' here \(Metal is a part of macOS"):
        monkeypatch.setattr("sys.platform", "linux")
        corepy.device("metal")
    monkeypatch.setattr("sys.platform", "darwin")
    with pytest.raises(ValueError, match=r"\(PyTorch does not find a device for Metal\)"):
        corepy.device("metal")


def test_torch_is_imported_when_a_device_is_used():
    program = """if True:
        import sys, corepy
        x = corepy.ones(3) + 1
        assert "torch" not in sys.modules
        corepy.namespace("torch:cpu").ones(3)
        assert "torch" in sys.modules
    """
    subprocess.run([sys.executable, "-c", program], check=True)


def test_an_unknown_device_is_an_error():
    with pytest.raises(ValueError, match=r"there is no device 'torch:gpu'.*'torch:cpu'"):
        corepy.device("torch:gpu")


def test_missing_library_says_what_to_install(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert get_backend("torch").missing() == "torch is not installed: pip install 'corepy[torch]'"


@every_dtype
def test_every_dtype_there_and_back(dtype):
    array = random_array(dtype, (3, 4))
    for made in (array, array.T, array[::-1, ::-2], array[:0], array[1, 2]):
        x = Tensor(made).to_device(DEVICE)
        assert x.device == DEVICE
        assert_same(x, made)
        assert_same(x.to_device("cpu"), made)
        assert_same(pickle.loads(pickle.dumps(x)), made)


# ---- memory


def test_to_device_is_independent():
    x = Tensor([1.0, 2.0])
    y = x.to_device(DEVICE)
    z = y.to_device("cpu")
    y[0] = 5
    z[1] = 7
    assert (x.tolist(), y.tolist(), z.tolist()) == ([1, 2], [5, 2], [1, 7])


@every_dtype
def test_memory_is_shared_without_a_copy(dtype):
    array = random_array(dtype, (4, 3))
    for share in (
        lambda x, device: xp.asarray(x, device=device, copy=False),
        lambda x, device: xp.from_dlpack(x, device=device, copy=False),
        lambda x, device: xp.from_dlpack(x, device=device),
    ):
        x = Tensor(array)
        y = share(x, DEVICE)
        z = share(y[1:], "cpu")
        x[1, 1] = x[0, 0]
        y[2, 2] = y[0, 0]
        z[2, 0] = z[0, 1]
        assert_same(y, np.asarray(x))
        assert_same(z, np.asarray(x)[1:])


def test_memory_of_pytorch_is_shared():
    tensor = torch.arange(6.0).reshape(2, 3)
    x = xp.from_dlpack(tensor, device=DEVICE)
    assert native(x).data_ptr() == tensor.data_ptr()
    x[0, 0] = 9
    assert tensor[0, 0] == 9
    assert torch.from_dlpack(x).data_ptr() == tensor.data_ptr()
    assert np.shares_memory(np.asarray(x), tensor.numpy())


def test_shared_memory_outlives_its_owner():
    x = xp.asarray(xp.arange(1000.0), device=DEVICE, copy=False)
    others = [xp.arange(1000.0) * 0 for _ in range(20)]  # would reuse memory that is free
    assert_same(x, np.arange(1000.0))
    assert len(others) == 20


@pytest.mark.parametrize("make", [lambda x: x[::-1], lambda x: x[:, ::-1]])
def test_negative_strides_are_copied(make):
    x = make(Tensor(np.arange(6.0).reshape(2, 3)))
    assert_same(xp.from_dlpack(x, device=DEVICE), np.asarray(x))
    for call in (xp.asarray, xp.from_dlpack):
        with pytest.raises(ValueError, match=rf"^{call.__name__}: moving .*copy=False"):
            call(x, device=DEVICE, copy=False)


def test_read_only_memory_is_copied():
    array = np.arange(3.0)
    array.flags.writeable = False
    x = xp.asarray(array)
    with pytest.raises(ValueError, match="copy=False"):
        xp.asarray(x, device=DEVICE, copy=False)
    y = xp.from_dlpack(x, device=DEVICE)
    y[0] = 5
    assert array[0] == 0


def test_another_dtype_needs_a_copy():
    with pytest.raises(ValueError, match=r"^asarray: casting float64 to float32 .*copy=False"):
        xp.asarray(Tensor([1.0]), dtype="float32", device=DEVICE, copy=False)


def test_shared_memory_is_foreign_to_fusion():
    x = xp.arange(100000.0)
    shared = xp.asarray(x, device=DEVICE, copy=False)
    with corepy.fuse():
        y = x + 1
        shared[0] = 50
        assert float(y[0]) in (1.0, 51.0)  # read when it was computed, and nothing is torn
        z = x + 1
        assert float(z[0]) == 51.0


def test_gradients_are_not_recorded():
    leaf = torch.ones(3, requires_grad=True)
    x = get_backend("torch").wrap(leaf)
    y = xp.sum(x * 2)
    assert not native(x).requires_grad and not native(y).requires_grad
    x[0] = 3
    assert leaf.detach()[0] == 3


@pytest.mark.parametrize("name", ["positive", "real", "conj", "abs", "floor", "round", "clip"])
@every_dtype
def test_results_own_their_memory(name, dtype):
    x = there.asarray(random_array(dtype, (3,)))
    try:
        y = getattr(xp, name)(x)
    except TypeError:
        return
    assert native(y).untyped_storage().data_ptr() != native(x).untyped_storage().data_ptr()


def test_imaginary_parts_own_their_memory():
    x = there.asarray([1 + 2j, 3 - 4j])
    y = xp.imag(x)
    y[0] = 7
    assert x.tolist() == [1 + 2j, 3 - 4j]


@pytest.mark.parametrize(
    "see",
    [
        lambda x: x.T, lambda x: x[1:], lambda x: x[:, 1], lambda x: xp.reshape(x, (6,)),
        lambda x: xp.expand_dims(x, axis=0), lambda x: xp.moveaxis(x, 0, 1),
    ],
)  # fmt: skip
def test_views_are_views(see):
    x = there.asarray(np.arange(6.0).reshape(2, 3))
    view = see(x)
    view[...] = 0
    array = np.arange(6.0).reshape(2, 3)
    expected = Tensor(array)
    see(expected)[...] = 0
    assert_same(x, np.asarray(expected))


# ---- indexing

KEYS = [
    0, -1, ..., None, True, False, (), slice(None, None, -1), slice(5, 0, -2), slice(4, 4),
    (slice(None), slice(None, None, -2)), (0, slice(None, None, -1)), (..., 0),
    (None, 1, ..., None), [0, 2], [[0, 1], [2, -1]], (slice(None), [0, 1]),
    ([0, 1], slice(None), [1, 0]), (0, slice(None), [1, 0]), ([[0], [1]], [0, 1]),
    ([0, 1], None, [1, 0]), (0, None, [1, 0]),
    ([0, 1], slice(None, None, -1), 1), (slice(None, None, -1), [1, 0], slice(None, None, -1)),
    (slice(1, None), [0, 1, 1], [1, 0, 2]), (..., [0, 1]), ([], 0), (True, 0), (False, 1),
    np.asarray([0, 2], dtype=np.uint8), (np.int16(1), np.asarray([1, 0], dtype=np.uint64)),
]  # fmt: skip


@pytest.mark.parametrize("key", KEYS, ids=repr)
@pytest.mark.parametrize("dtype", ["float64", "uint16", "bool"])
def test_indices_are_as_in_numpy(key, dtype):
    array = numbers(dtype, 3, 4, 5)
    x = there.asarray(array)
    assert_same(x[key], array[key])
    value = numbers(dtype, *array[key].shape, seed=1)
    for written in (value, value.ravel()[:1], 1) if value.size else (value, 1):
        x[key] = there.asarray(written) if isinstance(written, np.ndarray) else written
        array[key] = written
        assert_same(x, array)


@pytest.mark.parametrize("shape", [(3,), (3, 4), (3, 4, 5), (0,), (3, 0), (0, 4)])
def test_masks(shape):
    array = numbers("int32", 3, 4, 5)
    mask = numbers("bool", *shape, seed=3)
    x, m = there.asarray(array), there.asarray(mask)
    assert_same(x[m], array[mask])
    x[m] = 7
    array[mask] = 7
    assert_same(x, array)


@pytest.mark.parametrize(
    "key", [3, -4, (0, 4), [0, 3], [-4], (0, 0, 0), (..., ...), [True, False], [0.5]], ids=repr
)
def test_indices_that_do_not_fit(key):
    x = there.asarray(numbers("float64", 3, 4))
    with pytest.raises(IndexError, match=r"^getitem: "):
        x[key]
    with pytest.raises(IndexError):
        x[key] = 1.0
    assert_same(x, numbers("float64", 3, 4))


def test_values_that_do_not_fit():
    x = there.asarray(numbers("float64", 3, 4))
    for key, value in ((0, [1.0, 2.0]), (slice(None), np.ones((2, 3, 4))), ([0, 1], np.ones(3))):
        with pytest.raises(ValueError, match=r"^setitem: .*shape"):
            x[key] = there.asarray(value)
    x[0] = there.asarray(np.ones((1, 1, 4)))  # NumPy drops axes of size 1 in front
    assert x[0].tolist() == [1, 1, 1, 1]


def test_overlapping_assignment():
    array = np.arange(10)
    x = there.asarray(array)
    x[1:] = x[:-1]
    array[1:] = array[:-1].copy()
    assert_same(x, array)
    x[::-1] = x
    assert_same(x, array[::-1])


# ---- operations


@pytest.mark.parametrize("dtype", ["uint16", "uint32", "uint64"])
def test_unsigned_integers(agree, dtype):
    values = special_values(dtype)
    a, b = (part.ravel() for part in np.meshgrid(values, values))
    for name in (
        "add bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift equal "
        "floor_divide greater greater_equal less less_equal logical_and maximum minimum multiply "
        "not_equal pow remainder subtract"
    ).split():
        agree(name, a, b)
    for name in (
        "abs bitwise_invert negative square sign logical_not nonzero max min argmax argmin sort "
        "argsort sum prod cumulative_sum cumulative_prod unique_values unique_counts any all "
        "flip diff tril count_nonzero positive sqrt mean"
    ).split():
        agree(name, a.reshape(len(values), -1) if name == "tril" else a)
    agree("matmul", a.reshape(-1, 1), b.reshape(1, -1))
    agree("where", a > b, a, b)
    agree("concat", (a, b))
    agree("searchsorted", values, b)
    agree("isin", a, values[::2])
    agree("take", a, numbers("uint64", 4))
    agree("repeat", values, numbers(dtype, len(values), limit=4))
    agree("clip", a, 3, 100)
    agree("roll", a, 3)
    for other in DTYPES:
        if other.kind != "f" and other.kind != "c":
            agree("astype", a, other)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_special_values_of_real_functions(agree, dtype):
    values = special_values(dtype)
    a, b = (part.ravel() for part in np.meshgrid(values, values))
    for name in (
        "abs acos acosh asin asinh atan atanh ceil cos exp expm1 floor isfinite isinf isnan log "
        "log10 log1p log2 negative reciprocal round sign signbit sin sinh sqrt square tanh trunc"
    ).split():
        keep = np.abs(values) < 1e5 if name in ("cos", "sin") else slice(None)
        agree(name, values[keep], ulp=4)
    for name in (
        "add atan2 copysign divide equal floor_divide greater hypot less multiply nextafter "
        "not_equal remainder subtract"
    ).split():
        agree(name, a, b, ulp=4)
    agree("logaddexp", a, b, ulp=16)
    for side in ("left", "right"):  # NaN is the largest number
        agree("searchsorted", np.sort(values), values, side=side)
        agree("searchsorted", np.sort(a), values[:-1], side=side)
    for name in ("maximum", "minimum"):  # of two zeros, either
        agree(name, a, b, signs=False)
    for name in ("max", "min", "argmax", "argmin", "sort", "argsort", "cumulative_sum"):
        agree(name, values)
        agree(name, values[:-1])


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_special_values_of_complex_functions(agree, dtype):
    values = special_values(dtype)
    for name in (
        "acos acosh asin asinh atan atanh conj cos cosh exp expm1 imag isnan log log1p negative "
        "real round sign sin sinh sqrt tan tanh"
    ).split():
        agree(name, values, ulp=8, modulus=True)
    a, b = (part.ravel() for part in np.meshgrid(values, values))
    for name in ("add", "subtract", "equal"):
        agree(name, a, b)
    finite = values[np.isfinite(values)]
    agree("unique_all", np.concatenate([finite, finite]))


def test_integers_divided_by_zero(agree):
    for dtype in ("int8", "int64", "uint8", "uint64"):
        agree("floor_divide", numbers(dtype, 4) + np.ones((), dtype), np.zeros(4, dtype))
        agree("remainder", numbers(dtype, 4), np.zeros(4, dtype))


def test_no_axis_and_no_elements(agree):
    for name in ("sum", "prod", "max", "min", "any", "all", "mean", "var", "count_nonzero"):
        agree(name, numbers("float64", 2, 3), axis=())
        agree(name, numbers("float64", 2, 0, 3), axis=0)
        agree(name, numbers("float64", 2, 0, 3), axis=1)
    for name in ("sort", "argsort", "unique_all", "nonzero", "flip"):
        agree(name, numbers("float64", 0))
    agree("std", numbers("float64", 5, 4), axis=0, correction=0.5, ulp=4)


def test_creation(agree):
    for dtype in DTYPES:
        agree("zeros", (2, 3), dtype=dtype)
        agree("full", (2,), 1, dtype=dtype)
        agree("eye", 3, 4, k=1, dtype=dtype)
        if dtype.kind != "b":
            agree("arange", 1, 10, 3, dtype=dtype)
            agree("linspace", 0, 9, 4, dtype=dtype, ulp=1)
    agree("full", (2,), 2**64 - 1, dtype=np.dtype("uint64"))
    agree("arange", 0, 5, -1)
    agree("fft.fftfreq", 5)


@given(data=st.data())
def test_random_programs_agree_with_the_cpu(data):
    """Chains of indices, views, arithmetic and writes, on both devices."""
    dtype = data.draw(st.sampled_from(DTYPES))
    array = random_array(dtype, (4, 3), seed=data.draw(st.integers(0, 99)))
    pair = [xp.asarray(array.copy()), there.asarray(array)]
    for _ in range(data.draw(st.integers(1, 5))):
        step = data.draw(st.sampled_from(["slice", "take", "flip", "add", "write", "sort", "T"]))
        if pair[0].ndim == 0:
            break
        if step == "slice":
            key = slice(
                *(data.draw(st.none() | st.integers(-5, 5)) for _ in range(2)),
                data.draw(st.sampled_from([None, 1, 2, -1, -2])),
            )
            pair = [x[key] for x in pair]
        elif step == "take" and pair[0].shape[0]:
            index = data.draw(st.lists(st.integers(0, pair[0].shape[0] - 1), max_size=5))
            index = np.asarray(index, dtype=np.int64)
            pair = [x[xp.asarray(index, device=x.device)] for x in pair]
        elif step == "flip":
            pair = [xp.flip(x, axis=0) for x in pair]
        elif step == "add":
            pair = [x + x for x in pair]
        elif step == "write":
            for x in pair:
                x[..., :1] = 1
        elif step == "sort" and dtype.kind != "c":
            pair = [xp.sort(x, axis=0, descending=True) for x in pair]
        elif step == "T":
            pair = [x.mT if x.ndim >= 2 else x for x in pair]
        assert_same(pair[1], np.asarray(pair[0]))


def test_inplace_operators():
    x = there.asarray([1.0, 2.0, 3.0])
    alias = x[1:]
    for operation in (operator.iadd, operator.imul, operator.isub, operator.itruediv):
        assert operation(x, 2.0) is x
    assert alias.tolist() == x.tolist()[1:]


# ---- errors


def test_errors_of_the_library_are_the_standards():
    for error, call in (
        (ValueError, lambda: there.ones((2, 3)) @ there.ones((2, 3))),
        (ValueError, lambda: there.ones(3) + there.ones(4)),
        (MemoryError, lambda: there.ones(2**45)),
        (np.linalg.LinAlgError, lambda: there.linalg.inv(there.zeros((2, 2)))),
        (np.linalg.LinAlgError, lambda: there.linalg.cholesky(-there.eye(2))),
        (TypeError, lambda: there.asarray([1.5]) & there.asarray([2.5])),
        (ValueError, lambda: there.max(there.ones(0))),
    ):
        with pytest.raises(error, match=r"^[\w.]+: "):
            call()
    with pytest.raises(
        MemoryError, match=r"^empty: PyTorch cannot allocate 281,474,976,710,656 bytes$"
    ):
        there.empty(2**45)


def test_operands_on_two_devices():
    with pytest.raises(ValueError, match="torch:cpu"):
        Tensor([1.0]) + there.ones(1)
    with corepy.config(cross_device="convert"):
        assert (there.ones(1) + Tensor([1.0])).device == DEVICE


def test_threads():
    results = []

    def work(seed):
        array = random_array("float64", (50, 50), seed)
        x = there.asarray(array)
        results.append(np.allclose(np.asarray(x @ x + xp.sum(x)), array @ array + array.sum()))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 8


def test_an_ellipsis_of_no_axes_separates_index_arrays():
    array = np.zeros((3, 1, 1, 1))
    key = (slice(None), np.asarray([0, 0]), ..., np.asarray([0, 0]), np.asarray([0, 0]))
    assert there.asarray(array)[key].shape == array[key].shape == (2, 3)
