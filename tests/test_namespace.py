"""The namespaces: their contents, and the devices they create on."""

import importlib
import inspect
import pickle
import textwrap
import types
from pathlib import Path

import numpy as np
import pytest
from running import module_from, output_of
from strategies import DTYPE_NAMES, assert_same

import corepy
import corepy.array_api as api
from corepy import Tensor

SCHEMA = module_from(Path(corepy.__file__).parent / "_cython" / "schema" / "records.py")

# The functions of the standard, revision 2025.12.
STANDARD = """
abs acos acosh add all any arange argmax argmin argsort asarray asin asinh astype atan atan2 atanh
bitwise_and bitwise_invert bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor
broadcast_arrays broadcast_shapes broadcast_to can_cast ceil clip concat conj copysign cos cosh
count_nonzero cumulative_prod cumulative_sum diff divide empty empty_like equal exp expand_dims
expm1 eye finfo flip floor floor_divide from_dlpack full full_like greater greater_equal hypot
iinfo imag isdtype isfinite isin isinf isnan less less_equal linspace log log10 log1p log2
logaddexp logical_and logical_not logical_or logical_xor matmul matrix_transpose max maximum mean
meshgrid min minimum moveaxis multiply negative nextafter nonzero not_equal ones ones_like
permute_dims positive pow prod real reciprocal remainder repeat reshape result_type roll round
searchsorted sign signbit sin sinh sort sqrt square squeeze stack std subtract sum take
take_along_axis tan tanh tensordot tile tril triu trunc unique_all unique_counts unique_inverse
unique_values unstack var vecdot where zeros zeros_like __array_namespace_info__
""".split()
LINALG = """
cholesky cross det diagonal eig eigh eigvals eigvalsh inv matmul matrix_norm matrix_power
matrix_rank matrix_transpose outer pinv qr slogdet solve svd svdvals tensordot trace vecdot
vector_norm
""".split()
FFT = """
fft fftfreq fftn fftshift hfft ifft ifftn ifftshift ihfft irfft irfftn rfft rfftfreq rfftn
""".split()
CREATION = {
    "arange": (3,), "asarray": ([1.0],), "empty": (3,), "eye": (2,), "full": (2, 1.0),
    "linspace": (0, 1, 5), "ones": (2,), "zeros": ((2, 3),),
}  # fmt: skip


def test_everything_of_the_standard_is_there(xp):
    for module, names in ((xp, STANDARD), (xp.linalg, LINALG), (xp.fft, FFT)):
        for name in names:
            assert callable(getattr(module, name)), name
    for name in DTYPE_NAMES:
        assert getattr(xp, name) == np.dtype(name)
    assert (xp.pi, xp.e, xp.inf, xp.newaxis) == (np.pi, np.e, np.inf, None)
    assert xp.nan != xp.nan
    assert xp.__array_api_version__ == "2025.12"


def test_numpy_names_are_named(xp):
    for name, own in (("array", "asarray"), ("concatenate", "concat"), ("power", "pow")):
        with pytest.raises(AttributeError, match=rf"{name}.*the standard's name is '{own}'"):
            getattr(xp, name)
    with pytest.raises(AttributeError, match="'vstack'; `import corepy as np` has NumPy's names"):
        xp.vstack
    with pytest.raises(AttributeError, match=r"has no attribute 'spam'$"):
        xp.spam
    with pytest.raises(AttributeError, match=r"has no attribute '__spam__'$"):
        xp.__spam__


def test_all_is_the_standard_and_nothing_else():
    constants = {"e", "inf", "nan", "newaxis", "pi"}
    extra = {"Tensor", "__array_api_version__", "fft", "linalg"}
    assert set(api.__all__) == {*STANDARD, *DTYPE_NAMES, *constants, *extra}
    assert set(api.linalg.__all__) >= set(LINALG)
    assert set(api.fft.__all__) == set(FFT)
    assert len(api.__all__) == len(set(api.__all__))


def test_the_namespace_has_no_getattr():
    # CPython specialises the attributes of a module without it: calls of one element take 3/4.
    assert "__getattr__" not in vars(api)
    program = """
    import sys, pickle, corepy, corepy.array_api as xp
    assert "numpy.random" not in sys.modules
    random = xp.random
    assert random.default_rng(0).normal(size=2).shape == (2,) and "normal" in dir(random)
    assert pickle.loads(pickle.dumps(random)) is corepy.random
    random.spam = 1
    assert corepy.random.spam == 1
    del random.spam
    assert not hasattr(corepy.random, "spam") and not hasattr(random, "spam")
    """
    output_of(textwrap.dedent(program))


def test_names_beyond_the_standard(xp, device):
    x = xp.asarray([1.0, np.nan, 4.0])
    whole = xp.asarray([[1.0, 2.0], [3.0, 5.0]])
    for result, expected in (
        (xp.nanmean(x), 2.5),
        (xp.nanmax(x), 4.0),
        (xp.nanargmin(x), 0),
        (xp.einsum("ij->j", whole), [4.0, 7.0]),
        (xp.pad(whole, 1)[0], [0.0, 0.0, 0.0, 0.0]),
        (xp.quantile(whole, 0.5), 2.5),
        (xp.median(whole, axis=0), [2.0, 3.5]),
        (xp.gradient(whole[0]), [1.0, 1.0]),
        (xp.bincount(xp.asarray([0, 2, 2])), [1, 0, 2]),
        (xp.mean(xp.asarray([1, 2], dtype=xp.int8), dtype=xp.float32), np.float32(1.5)),
    ):
        assert result.device == device
        assert_same(result.to_device("cpu"), expected)
    assert xp.random.default_rng(0).normal(size=2).shape == (2,)
    assert xp.nanmean.__wrapped__ is corepy.nanmean
    assert inspect.signature(xp.nanmean) == inspect.signature(corepy.nanmean)
    assert pickle.loads(pickle.dumps(api.nanmean)) is api.nanmean
    with pytest.raises(AttributeError, match="has no attribute 'vstack'"):
        xp.vstack


def test_dtype_of_mean():
    x = api.asarray([1 + 1j, 3 - 1j])
    assert api.mean(x, dtype=api.complex64).dtype == np.complex64
    for wrong in (api.int64, api.float32, api.bool):
        with pytest.raises(TypeError, match=r"^mean: dtype must be a floating-point dtype"):
            api.mean(x, dtype=wrong)


def test_one_namespace_for_each_device(device):
    namespace = corepy.namespace(device)
    assert corepy.namespace(device) is namespace
    assert corepy.namespace(Tensor(1, device=device).device) is namespace
    assert isinstance(namespace, types.ModuleType)
    assert set(namespace.__all__) == set(api.__all__)
    assert device == "cpu" or device in repr(namespace)


def test_the_default_namespace():
    assert corepy.namespace() is api
    assert corepy.namespace("cpu") is corepy.zeros(1).__array_namespace__() is not api


@pytest.mark.parametrize("name", CREATION)
def test_creation_on_the_device_of_the_namespace(name, xp, device):
    function, args = getattr(xp, name), CREATION[name]
    assert function(*args).device == device
    assert function(*args, device="cpu").device == "cpu"
    assert function(*args, device=None).device == device
    reference = getattr(api, name)(*args)
    made = function(*args)
    assert made.dtype == reference.dtype
    assert made.shape == reference.shape
    if name != "empty":
        np.testing.assert_allclose(np.asarray(made.to("cpu")), np.asarray(reference))
    assert inspect.signature(function) == inspect.signature(getattr(api, name))


def test_frequencies_are_made_on_the_device_of_the_namespace(xp, device):
    for name in ("fftfreq", "rfftfreq"):
        assert getattr(xp.fft, name)(5).device == device
        assert getattr(xp.fft, name)(5, device="cpu").device == "cpu"


def test_results_stay_on_the_device_of_the_operands(xp, device):
    x = Tensor([[3.0, 1.0], [1.0, 2.0]], device=device)
    for result in (
        xp.sin(x), xp.sum(x), xp.sort(x), xp.concat((x, x)), xp.zeros_like(x),
        xp.where(x > 1, x, 0),
        xp.unique_values(x), xp.take(x, xp.asarray([1]), axis=0), xp.linalg.inv(x), xp.fft.fft(x),
        xp.astype(x, xp.float32), xp.full_like(x, 2), xp.asarray(x), xp.linalg.svd(x).S, x @ x,
        api.cos(x), api.linalg.det(x),
    ):  # fmt: skip
        assert result.device == device


def test_asarray_leaves_tensors_where_they_are(xp, device):
    here = Tensor([1.0])
    assert xp.asarray(here).device == "cpu"
    assert xp.asarray(here, device=device).device == device


def test_info(xp, device):
    info = xp.__array_namespace_info__()
    assert info.default_device() == device
    assert set(info.devices()) >= {"cpu", device}
    dtypes = info.default_dtypes()
    assert dtypes["real floating"] == np.float64
    assert dtypes["integral"] == np.int64
    for name, dtype in info.dtypes().items():
        assert xp.zeros(1, dtype=dtype).dtype == name
    assert set(info.dtypes()) == set(DTYPE_NAMES)
    assert set(info.dtypes(kind="real floating")) == {"float32", "float64"}
    capabilities = info.capabilities()
    assert capabilities["boolean indexing"] is True
    assert capabilities["data-dependent shapes"] is True
    deep = (1,) * (capabilities["max dimensions"])
    assert xp.zeros(deep).ndim == len(deep)


def test_the_same_program_on_every_device(xp, device):
    def softmax(x):
        namespace = x.__array_namespace__()
        shifted = namespace.exp(x - namespace.max(x, axis=-1, keepdims=True))
        return shifted / namespace.sum(shifted, axis=-1, keepdims=True)

    array = np.linspace(-2, 3, 12).reshape(3, 4)
    expected = np.exp(array - array.max(-1, keepdims=True))
    result = softmax(xp.asarray(array))
    assert result.device == device
    assert_same(result, expected / expected.sum(-1, keepdims=True), ulp=8)


def test_named_tuples(xp):
    x = xp.asarray([[2.0, 0.0], [0.0, 3.0]])
    for result, fields in (
        (xp.unique_all(x), ("values", "indices", "inverse_indices", "counts")),
        (xp.unique_counts(x), ("values", "counts")),
        (xp.unique_inverse(x), ("values", "inverse_indices")),
        (xp.linalg.eigh(x), ("eigenvalues", "eigenvectors")),
        (xp.linalg.qr(x), ("Q", "R")),
        (xp.linalg.slogdet(x), ("sign", "logabsdet")),
        (xp.linalg.svd(x), ("U", "S", "Vh")),
    ):
        assert result._fields == fields


@pytest.mark.parametrize(
    "row", [row for row in SCHEMA.ROWS if row.page not in SCHEMA.BEYOND], ids=lambda row: row.name
)
def test_functions_have_the_parameters_of_the_schema(row):
    page = importlib.import_module(f"corepy.array_api.{row.page}")
    function = getattr(page, row.name.rpartition(".")[2])
    declared = eval(f"lambda {row.plain_signature[1:-1]}: None")
    found, expected = (
        [
            (each.name, each.kind, repr(each.default))
            for each in signature.parameters.values()
            if (row.name, each.name) != ("mean", "dtype")  # beyond the standard: a cast before
        ]
        for signature in map(inspect.signature, (function, declared))
    )
    assert found == expected


def test_signatures_have_positional_only_arrays():
    for name in ("sin", "add", "sum", "reshape", "where", "matmul", "sort", "take"):
        first = next(iter(inspect.signature(getattr(api, name)).parameters.values()))
        assert first.kind is inspect.Parameter.POSITIONAL_ONLY
    with pytest.raises(TypeError):
        api.sin(x=api.ones(1))
    with pytest.raises(TypeError):
        api.sum(api.ones(1), 0)


@pytest.mark.parametrize("module", [api, api.linalg, api.fft])
def test_dir_lists_what_is_public(module):
    assert set(dir(module)) == set(module.__all__)


@pytest.mark.parametrize("kind", [corepy.Tensor, corepy.Device])
def test_types_are_named_and_pickled_as_users_find_them(kind):
    assert repr(kind) == f"<class 'corepy.{kind.__name__}'>"
    assert pickle.loads(pickle.dumps(kind)) is kind
