"""Backends made by users: from a namespace, and from the required methods."""

import operator

import array_api_compat.numpy as numpy_namespace
import numpy as np
import pytest
from strategies import DTYPES, assert_same

import corepy
import corepy.array_api as xp
from corepy import Tensor
from corepy.backend import (
    Backend,
    Device,
    NamespaceBackend,
    get_backend,
    register_backend,
    registry,
)


class Handmade(Backend):
    """Lists of numbers in C order, computed by NumPy: slow, small, complete."""

    def __init__(self, name):
        super().__init__(name)
        self.device = Device(self)
        self.asked = []  # what `execute` was asked for

    def devices(self):
        return [self.device]

    def from_numpy(self, array, device):
        array = np.asarray(array)
        return self.tensor(array.ravel().tolist(), array.dtype, array.shape, device)

    def to_numpy(self, x):
        return np.asarray(self.unwrap(x), dtype=x.dtype).reshape(x.shape)

    def getitem(self, x, key):
        return self.from_numpy(self.to_numpy(x)[self.numpy(key)], self.device)

    def setitem(self, x, key, value):
        array = self.to_numpy(x)
        array[self.numpy(key)] = self.numpy(value)
        self.unwrap(x)[:] = array.ravel().tolist()

    def execute(self, operation, inputs, params):
        self.asked.append(operation)
        function = operator.attrgetter(operation)(numpy_namespace)
        params = {name: self.numpy(value) for name, value in params.items()}
        result = function(*map(self.numpy, inputs), **params)
        if isinstance(result, (tuple, list)):
            return tuple(self.from_numpy(item, self.device) for item in result)
        return self.from_numpy(result, self.device)

    def numpy(self, value):
        if isinstance(value, Tensor):
            return self.to_numpy(value)
        if isinstance(value, (tuple, list)):
            return type(value)(map(self.numpy, value))
        return value


# One object for each name: devices, and the namespaces made for them, are kept by name.
BACKENDS = {}


def registered(name, make):
    """The backend of that name, made and registered unless another test has."""
    if name not in BACKENDS:
        BACKENDS[name] = make()
    if name not in registry.backend_names():
        register_backend(name, BACKENDS[name])
    return BACKENDS[name]


@pytest.fixture(autouse=True)
def clean_registry():
    """Take the backends of these tests out of the registry, for the sake of other tests."""
    loaded, devices = dict(registry._loaded), dict(registry._devices)
    yield
    for known, before in ((registry._loaded, loaded), (registry._devices, devices)):
        known.clear()
        known.update(before)


def namespace_backend(name, namespace=numpy_namespace, corrections=None):
    return registered(name, lambda: NamespaceBackend(name, lambda: namespace, "numpy", corrections))


@pytest.fixture
def wrapped():
    return namespace_backend("wrapped")


@pytest.fixture
def handmade():
    return registered("handmade", lambda: Handmade("handmade"))


@pytest.fixture(params=["wrapped", "handmade"])
def name(request):
    return request.getfixturevalue(request.param).name


def test_devices_are_found_by_name(name):
    assert name in corepy.available_devices()
    t = Tensor([1.0, 2.0], device=name)
    assert t.device == name
    assert t.to("cpu").device == "cpu"
    assert_same(t, np.asarray([1.0, 2.0]))
    assert repr(t) == f"Tensor([1., 2.], device='{name}')"
    with pytest.raises(ValueError, match=f"'nowhere'.*'{name}'"):
        Tensor([1.0], device="nowhere")


def test_every_shape_of_work(name):
    a = np.arange(1.0, 7.0).reshape(2, 3)
    t = Tensor(a, device=name)
    for result, expected in (
        (xp.sqrt(t), np.sqrt(a)),
        (-t, -a),
        (t + t, a + a),
        (t * 2, a * 2),
        (1 / t, 1 / a),
        (t > 2, a > 2),
        (xp.where(t > 2, t, 0.0), np.where(a > 2, a, 0.0)),
        (xp.sum(t, axis=0), a.sum(axis=0)),
        (xp.max(t), a.max()),
        (xp.mean(t, axis=1, keepdims=True), a.mean(axis=1, keepdims=True)),
        (xp.sort(xp.flip(t), axis=1), np.sort(np.flip(a), axis=1)),
        (xp.concat((t, t)), np.concat((a, a))),
        (xp.reshape(t, (3, 2)), a.reshape(3, 2)),
        (t.T, a.T),
        (t @ t.T, a @ a.T),
        (t[1, 2], a[1, 2]),
        (t[:, 1], a[:, 1]),
        (t[t > 2], a[a > 2]),
        (xp.astype(t, xp.float32), a.astype("float32")),
        (xp.linalg.outer(t[0, ...], t[1, ...]), np.linalg.outer(a[0], a[1])),
    ):
        assert result.device == name
        assert_same(result, expected)


def test_promotion_and_integers(name):
    t = Tensor([1, 2, 3], dtype="int8", device=name)
    assert (t + 1).dtype == "int8"
    assert (t / 2).dtype == "float64"
    assert_same(xp.sin(t), np.sin(np.arange(1.0, 4.0)))
    assert xp.sum(t).dtype == "int64"
    with pytest.raises(TypeError, match=r"^bitwise_and: "):
        t & 1.5


def test_in_place(name):
    t = Tensor([1.0, 2.0, 3.0], device=name)
    alias = t
    t += 1
    t[0] = 10
    t *= Tensor([1.0, 2.0, 3.0], device=name)
    assert t is alias
    assert_same(t, np.asarray([10.0, 6.0, 12.0]))
    with pytest.raises(ValueError, match=r"broadcast"):
        t += Tensor([1.0, 2.0], device=name)


def test_its_namespace_creates_on_it(name):
    namespace = corepy.namespace(name)
    for made in (namespace.zeros((2, 2)), namespace.arange(3), namespace.full(2, 5),
                 namespace.asarray([1.0])):  # fmt: skip
        assert made.device == name
        assert made.__array_namespace__() is namespace


def test_devices_are_not_mixed_unless_wanted(name):
    here, there = Tensor([1.0]), Tensor([2.0], device=name)
    with pytest.raises(ValueError, match=f"cpu and {name}"):
        here + there
    with corepy.config(cross_device="convert"):
        assert (here + there).device == "cpu"
        assert (there + here).device == name
        assert_same(there + here, np.asarray([3.0]))
        assert xp.concat((there, here)).device == name
    with pytest.raises(ValueError, match=f"{name} and cpu"):
        there + here


def test_execute_is_enough(handmade):
    handmade.asked.clear()
    t = Tensor([4.0, 9.0], device="handmade")
    xp.sqrt(t)
    t + t
    xp.sum(t)
    xp.flip(t)
    assert handmade.asked == ["sqrt", "add", "sum", "flip"]


def test_storage_is_the_namespaces_own(wrapped):
    array = np.arange(3.0)
    t = wrapped.wrap(array)
    assert wrapped.unwrap(t) is array
    assert t.device == "wrapped"
    t[0] = 7
    assert array[0] == 7
    with pytest.raises(TypeError, match=r"^wrap: dtype object of backend 'wrapped'"):
        wrapped.wrap(np.zeros(1, dtype=object))


def test_corrections_come_first():
    corrections = {"sin": lambda namespace, x: namespace.cos(x)}
    namespace_backend("corrected", corrections=lambda: corrections)
    t = Tensor([0.0], device="corrected")
    assert_same(xp.sin(t), np.asarray([1.0]))
    assert_same(xp.cos(t), np.asarray([1.0]))


def test_what_a_namespace_lacks_is_said():
    class Little:
        asarray = staticmethod(np.asarray)
        add = staticmethod(np.add)

    for dtype in DTYPES:
        setattr(Little, dtype.name, dtype)
    namespace_backend("little", Little)
    t = Tensor([1.0], device="little")
    assert_same(t + t, np.asarray([2.0]))
    with (
        corepy.config(fallback="error"),
        pytest.raises(NotImplementedError, match=r"sin: .*little"),
    ):
        xp.sin(t)


def test_errors_carry_the_name_of_the_operation(wrapped):
    t = Tensor(np.ones((2, 3)), device="wrapped")
    with pytest.raises(ValueError, match=r"^concat: "):
        xp.concat((t, Tensor(np.ones((2, 2)), device="wrapped")))


def test_host_memory_is_told_by_dlpack():
    class Far(Handmade):
        def dlpack_device(self, x):
            return (2, 0)  # kDLCUDA

    registered("far", lambda: Far("far"))
    t = Tensor([1.0], device="far")
    assert t.__dlpack_device__() == (2, 0)
    with pytest.raises(TypeError, match=r"on far.*to_device\('cpu'\)"):
        np.asarray(t)


def test_tensors_of_another_backend_are_refused(wrapped, handmade):
    with pytest.raises(ValueError, match=r"^tensor: "):
        wrapped.tensor([1.0], np.dtype("float64"), (1,), handmade.device)
    with pytest.raises(TypeError, match=r"^tensor: dtype"):
        wrapped.tensor([1.0], np.dtype(object), (1,), wrapped.devices()[0])


def test_reshape_without_a_copy_names_the_function():
    x = xp.permute_dims(xp.reshape(xp.arange(6, device="reference"), (2, 3)), (1, 0))
    with pytest.raises(ValueError, match=r"reshape: .*copy=False"):
        xp.reshape(x, (6,), copy=False)
    assert xp.reshape(x, (3, 2, 1), copy=False).shape == (3, 2, 1)


def test_parameters_may_be_left_out():
    for name in ("reference", "cpu"):
        backend = get_backend(name)
        x = corepy.Tensor([1.0, 2.0], device=name)
        assert_same(backend.execute("add", (x, x)), np.asarray([2.0, 4.0]))
        assert_same(backend.execute("sqrt", [x], None), np.sqrt([1.0, 2.0]))
