"""Code that must not end the process, each snippet in a process of its own.

A snippet may raise any exception where it says so; it passes if the process terminates normally.
"""

import textwrap

import pytest
from running import output_of

PRELUDE = """
import copy, faulthandler, gc, os, pickle, sys, threading
import numpy as np
import corepy, corepy.array_api as xp
from corepy import Tensor, Device
from corepy._cython import core
from corepy.backend import get_backend
faulthandler.enable()

def tries(function, *errors):
    '''Call a function that may raise, and do something with what it returns.'''
    errors = errors or (TypeError, ValueError, IndexError, OverflowError, MemoryError,
                        RecursionError, BufferError, AttributeError, KeyError, NotImplementedError)
    try:
        result = function()
        if isinstance(result, Tensor):
            result.shape, result.strides, result.size, result.nbytes, result.device
            if 0 <= result.size < 10**7 and result.nbytes < 10**8:
                repr(result), result + result, xp.sum(result), np.asarray(result).sum()
    except errors:
        pass
"""

SNIPPETS = {
    "tensors that were never initialised": """
        t = Tensor.__new__(Tensor)
        for use in (repr, str, bool, float, copy.copy, copy.deepcopy, np.asarray, pickle.dumps,
                    lambda t: t + 1, lambda t: t[()], lambda t: t[...], lambda t: t.T,
                    lambda t: t.to("reference"), lambda t: xp.reshape(t, 1), memoryview,
                    lambda t: t.__dlpack__(), lambda t: xp.sum(t), lambda t: t.__iadd__(True),
                    lambda t: t.__setitem__((), 5), lambda t: t.tolist(), list, len, hash):
            tries(lambda: use(t))
        assert t.shape == ()
        t.__init__([1, 2, 3])
        assert t.tolist() == [1, 2, 3]
    """,
    "initialised twice": """
        for first in ([1.0], np.zeros(100), np.ones((1,) * 20)):
            t = Tensor(first)
            view = t[...]
            tries(lambda: t.__init__(np.ones((1,) * 30)))
            assert view.shape == t.shape == np.shape(first)
    """,
    "failed initialisations": """
        for _ in range(1000):
            t = Tensor.__new__(Tensor)
            tries(lambda: t.__init__(object()))
            tries(lambda: t.__init__([1], dtype="no"))
            tries(lambda: t.__init__([1], device="no"))
            tries(lambda: t + 1)
            del t
    """,
    "huge shapes": """
        for shape in ((2**62,), (2**40, 2**40), (2**32, 2**32), (2**63 - 1,), (2**63,), (2**100,),
                      (-1,), (0, 2**62), (2**62, 0, 2**62), (2**31,) * 4, (2**61, 8)):
            for make in (xp.zeros, xp.empty, xp.ones):
                tries(lambda: make(shape))
            tries(lambda: xp.broadcast_to(xp.asarray(1), shape))
            tries(lambda: xp.broadcast_to(xp.zeros(0), shape))
            tries(lambda: xp.reshape(xp.zeros(4), shape))
            tries(lambda: xp.reshape(xp.zeros(0), shape))
            tries(lambda: xp.broadcast_shapes(shape, (1,)))
        for count in (2**50, 2**62, 2**63, 2**100, -1):
            tries(lambda: xp.tile(xp.ones(3), (count,)))
            tries(lambda: xp.repeat(xp.ones(3), count))
            tries(lambda: xp.roll(xp.ones(3), count))
        tries(lambda: xp.arange(2**62))
        tries(lambda: xp.linspace(0, 1, 2**61))
        tries(lambda: xp.eye(2**40))
    """,
    "sizes whose product wraps around": """
        tries(lambda: xp.reshape(xp.ones(4), (4, 2**62 + 1)))
        tries(lambda: xp.reshape(xp.ones(8), (2**62 + 2, 4)))
        tries(lambda: xp.broadcast_to(xp.asarray(1.0), (2**32, 2**32)))
        tries(lambda: xp.broadcast_to(xp.asarray(1.0), (2**62, 2)))
        tries(lambda: xp.sum(xp.broadcast_to(xp.asarray(1.0), (2**33, 2**31, 3))))
        a, b = (xp.broadcast_to(xp.ones(1), s) for s in ((2**40, 1), (1, 2**40)))
        tries(lambda: a + b)
        tries(lambda: xp.where(a > 0, a, b))
        tries(lambda: xp.ones((2**40, 0)) + xp.ones((1, 0)))
    """,
    "operations on huge views": """
        huge = xp.broadcast_to(xp.asarray(1, dtype=xp.int8), (2**50,))
        for call in (lambda: huge + 1, lambda: -huge, lambda: xp.reshape(huge, (2, -1), copy=True),
                     lambda: copy.copy(huge), lambda: xp.concat((huge, huge)),
                     lambda: huge[huge > 0], lambda: xp.sort(huge),
                     lambda: xp.astype(huge, xp.float64)):
            tries(call)
        assert huge[-1] == 1 and huge[2**49 :].shape == (2**49,)
    """,
    "many axes": """
        for ndim in (8, 9, 31, 32, 33, 63, 64):
            t = xp.ones((1,) * ndim)
            assert (t + t).ndim == ndim and xp.sum(t).ndim == 0 and t.T.ndim == ndim
            assert xp.sum(t, axis=0).ndim == ndim - 1
            assert t[0, ...].ndim == ndim - 1 and np.asarray(t).ndim == ndim
            assert memoryview(t).ndim == ndim and pickle.loads(pickle.dumps(t)).ndim == ndim
            assert xp.permute_dims(t, tuple(range(ndim))[::-1]).ndim == ndim
            t += t
            assert float(xp.max(t)) == 2 and xp.where(t > 0, t, 0).ndim == ndim
        deep = xp.ones((1,) * 64)
        for call in (lambda: deep[None], lambda: xp.expand_dims(deep, axis=0),
                     lambda: xp.ones((1,) * 65), lambda: xp.reshape(deep, (1,) * 65),
                     lambda: xp.broadcast_to(deep, (1,) * 65), lambda: deep[(None,) * 100],
                     lambda: xp.expand_dims(deep, axis=tuple(range(200))),
                     lambda: xp.broadcast_shapes((1,) * 65, (1,)), lambda: xp.stack((deep, deep)),
                     lambda: xp.linalg.outer(deep, deep), lambda: xp.tile(deep, (1,) * 65),
                     lambda: xp.squeeze(deep, axis=tuple(range(65))),
                     lambda: xp.sum(deep, axis=tuple(range(65))),
                     lambda: xp.moveaxis(deep, tuple(range(65)), tuple(range(65)))):
            try:
                call()
            except (ValueError, IndexError):
                pass
            else:
                raise AssertionError
    """,
    "ndarrays of odd strides": """
        from numpy.lib.stride_tricks import as_strided
        base = np.arange(100.0)
        for shape, strides in (((5,), (0,)), ((5, 5), (8, 8)), ((3,), (3,)), ((4, 3), (-8, 16)),
                               ((2, 0, 3), (2**60, 2**60, 8)), ((1, 3), (2**62, 8)),
                               ((3, 1), (8, -(2**62))), ((5, 5), (1, 40))):
            array = as_strided(base[50:], shape, strides)
            t = Tensor(array)
            for call in (lambda: t + 1, lambda: xp.sum(t), lambda: xp.flip(t), lambda: t.T + t,
                         lambda: xp.reshape(t, (-1,)), lambda: t.copy(), lambda: t[..., ::-1],
                         lambda: xp.argmax(t), lambda: t.__iadd__(0), lambda: memoryview(t),
                         lambda: np.from_dlpack(t), lambda: pickle.dumps(t)):
                tries(call)
        packed = np.zeros(5, dtype=[("a", "i1"), ("b", "f8")])["b"]
        assert float(xp.sum(Tensor(packed) + 1)) == 5
    """,
    "lists that contain themselves": """
        loop = []
        loop.append(loop)
        t = Tensor([1.0, 2.0])
        for call in (lambda: Tensor(loop), lambda: xp.asarray(loop), lambda: t + loop,
                     lambda: t[loop], lambda: t[(loop,)], lambda: t.__setitem__(loop, 1),
                     lambda: t.__setitem__(0, loop), lambda: xp.concat((t, loop)),
                     lambda: xp.concat([t, loop]), lambda: xp.sin(loop), lambda: xp.sum(loop),
                     lambda: core.execute("concat", ([t, loop],), {"axis": 0}),
                     lambda: xp.stack(loop), lambda: xp.meshgrid(loop, loop),
                     lambda: xp.zeros(loop), lambda: xp.reshape(t, loop),
                     lambda: xp.sum(t, axis=loop), lambda: xp.sum(t, axis=tuple(loop)),
                     lambda: xp.take(t, loop), lambda: corepy.concatenate(loop)):
            tries(call)
        with corepy.config(cross_device="convert"):
            other = [t, Tensor([1.0], device="reference"), loop]
            tries(lambda: core.execute("concat", (other,), {"axis": 0}))
            loop.extend(other)
            tries(lambda: core.execute("concat", (loop,), {"axis": 0}))
    """,
    "lists nested very deeply": """
        deep = [1]
        for _ in range(200_000):
            deep = [deep]
        t = Tensor([1.0, 2.0])
        for call in (lambda: Tensor(deep), lambda: t[deep], lambda: t + deep,
                     lambda: xp.concat((t, deep)), lambda: t.__setitem__(deep, 0),
                     lambda: core.execute("concat", ((t, deep),), {"axis": 0})):
            tries(call)
    """,
    "indices that change between calls": """
        class Index:
            def __init__(self, *answers):
                self.answers = list(answers)
            def __index__(self):
                answer = self.answers.pop(0) if self.answers else 10**6
                if isinstance(answer, Exception):
                    raise answer
                return answer
        t = Tensor(np.arange(10.0))
        for answers in ((0, 10**9), (10**9, 0), (0,), (ValueError(),), (0, ValueError()),
                        (-1, -(10**9)), (2**62, 2**62), (2**100,)):
            for make in (lambda i: i, lambda i: (i,), lambda i: slice(i, None), lambda i: (..., i),
                         lambda i: slice(None, i), lambda i: slice(None, None, i), lambda i: [i]):
                tries(lambda: t[make(Index(*answers))])
                tries(lambda: t.__setitem__(make(Index(*answers)), 1))
                tries(lambda: t.item(make(Index(*answers))))
            for name in ("sum", "flip", "sort", "squeeze", "expand_dims"):
                tries(lambda: getattr(xp, name)(t, axis=Index(*answers)))
                tries(lambda: getattr(xp, name)(t, axis=(Index(*answers),)))
            tries(lambda: xp.reshape(t, (Index(*answers),)))
            tries(lambda: xp.permute_dims(t, (Index(*answers),)))
            tries(lambda: xp.broadcast_to(t, (Index(*answers), 10)))
    """,
    "unsuitable objects in place of tensors": """
        cpu, t = get_backend("cpu"), Tensor([1.0])
        for other in (None, 3, "x", object()):
            for call in (lambda: cpu.getitem(other, 0), lambda: cpu.setitem(other, 0, 1),
                         lambda: cpu.unary(0, other), lambda: cpu.binary(40, other, other),
                         lambda: cpu.binary(40, t, other), lambda: cpu.binary(40, other, t),
                         lambda: cpu.where(other, t, t), lambda: cpu.where(t, other, t),
                         lambda: cpu.reduce(75, other, None, False, None, 0.0),
                         lambda: cpu.inplace(40, other, t), lambda: cpu.inplace(40, t, other),
                         lambda: cpu.astype(other, np.dtype("int8"), True),
                         lambda: cpu.astype(t, other, True),
                         lambda: cpu.full((2,), 1.0, np.dtype("int8"), other),
                         lambda: cpu.full((2,), other, np.dtype("int8"), None),
                         lambda: cpu.full(other, 1, np.dtype("int8"), None),
                         lambda: cpu.full((-2,), 1, np.dtype("int8"), None),
                         lambda: cpu.full((1,) * 100, 1, np.dtype("int8"), None),
                         lambda: cpu.full((2,), 1j, np.dtype("int8"), None),
                         lambda: cpu.full((2,), 2.5, np.dtype("int8"), None),
                         lambda: cpu.from_numpy(other, other),
                         lambda: cpu.to_numpy(other), lambda: cpu.dlpack(other, {}),
                         lambda: cpu.dlpack(t, None), lambda: cpu.dlpack_device(other),
                         lambda: cpu.unwrap(other), lambda: cpu.wrap(other),
                         lambda: cpu.tensor(None, "float64", (3,), other),
                         lambda: cpu.tensor(None, "float64", other, t.device),
                         lambda: cpu.execute("sin", other, {}),
                         lambda: cpu.execute("sin", (t,), other),
                         lambda: cpu.execute(other, (t,), {}),
                         lambda: core.as_tensor(other, other),
                         lambda: core.as_dtype(other, other),
                         lambda: core.full("full", (2,), other, "int8", None),
                         lambda: core.full("full", other, 1, "int8", None),
                         lambda: core.result_type(other),
                         lambda: core.broadcast_shapes(other),
                         lambda: core.permute_dims(other, other),
                         lambda: core.execute("add", (other, other), other),
                         lambda: Device(other), lambda: Device(cpu, 0, other),
                         lambda: core.from_pickle(other, "cpu")):
                tries(call)
    """,
    "devices that were never initialised": """
        t = Tensor([1.0])
        try:
            device = Device.__new__(Device)
        except TypeError:
            device = None
        for call in (lambda: repr(device), lambda: str(device), lambda: hash(device),
                     lambda: device == "cpu", lambda: Tensor([1.0], device=device),
                     lambda: t.to(device), lambda: xp.zeros(3, device=device),
                     lambda: xp.astype(t, xp.int8, device=device),
                     lambda: corepy.namespace(device), lambda: pickle.dumps(device),
                     lambda: get_backend("cpu").tensor(None, "int8", (), device)):
            tries(call)
        again = Device(get_backend("cpu"))
        for call in (lambda: Tensor([1.0], device=again), lambda: t.to(again),
                     lambda: t + Tensor([1.0], device=again), lambda: xp.zeros(3, device=again)):
            tries(call)
    """,
    "backends that were never initialised": """
        from corepy.backend import Backend, NamespaceBackend
        required = ("execute", "from_numpy", "to_numpy", "getitem", "setitem", "devices")
        plain = type("Plain", (Backend,), {name: lambda self, *args: None for name in required})
        tries(lambda: Backend.__new__(Backend))
        for kind in (plain, NamespaceBackend, type(get_backend("cpu"))):
            backend = kind.__new__(kind)
            t = Tensor([1.0])
            for call in (lambda: repr(backend), lambda: backend.devices(), lambda: backend.name,
                         lambda: backend.is_available(), lambda: backend.execute("sin", (t,), {}),
                         lambda: backend.unwrap(t), lambda: backend.wrap(np.ones(2)),
                         lambda: backend.namespace, lambda: backend.native_dtype(t.dtype),
                         lambda: backend.getitem(t, 0), lambda: backend.to_numpy(t),
                         lambda: Device(backend)):
                tries(call)
            device = Device(backend, 0, "x")
            tries(lambda: Tensor([1.0], device=device))
    """,
    "tensors without the data that they promise": """
        cpu = get_backend("cpu")
        device = cpu.devices()[0]
        for shape in ((), (3,), (-1,), (2**62,), (2, -2), (1,) * 20):
            for storage in (None, np.ones(1), 3):
                def use():
                    t = cpu.tensor(storage, "float64", shape, device)
                    for call in (lambda: t + 1, lambda: repr(t), lambda: t[0], lambda: xp.sum(t),
                                 lambda: np.asarray(t), lambda: memoryview(t), lambda: t.copy(),
                                 lambda: t.T, lambda: t[...], lambda: t.__iadd__(1),
                                 lambda: t.__setitem__(..., 1), lambda: float(t), lambda: list(t)):
                        tries(call)
                tries(use)
    """,
    "operations that do not exist": """
        t = Tensor([1.0, 2.0])
        for number in (-1, 1000, 10**6, -(10**6), 2**31, 2**40, "add", None, 1.5):
            for call in (lambda: core.unary(number, t), lambda: core.binary(number, t, t),
                         lambda: core.binary(number, t, 1.0), lambda: core.reduce(number, t),
                         lambda: get_backend("cpu").unary(number, t),
                         lambda: get_backend("cpu").inplace(number, t, t),
                         lambda: get_backend("reference").unary(number, t.to("reference"))):
                tries(call)
    """,
    "operations of another kind of operation": """
        t = Tensor([1.0, 2.0])
        for number in range(85):
            for x in (t, xp.ones((50, 50)), xp.ones(3, dtype=xp.int8)):
                tries(lambda: core.unary(number, x))
                tries(lambda: core.binary(number, x, x))
                tries(lambda: core.binary(number, x, 1.0))
                tries(lambda: core.reduce(number, x))
                tries(lambda: core.reduce(number, x, 0))
                tries(lambda: get_backend("cpu").inplace(number, copy.copy(x), x))
    """,
    "collected while iterating": """
        t = Tensor(np.arange(100.0))
        it = iter(t)
        next(it)
        del t
        gc.collect()
        garbage = [xp.full(100, -1.0) for _ in range(100)]
        assert [float(x) for x in it] == list(map(float, range(1, 100)))
        t = Tensor(np.arange(12.0).reshape(3, 4))
        for row in t:
            del t
            t = copy.copy(row)
            row += 1
    """,
    "buffers that outlive their tensors": """
        views = [memoryview(Tensor([float(i)] * n)) for n in (1, 8, 9, 500) for i in range(200)]
        views += [memoryview(xp.ones((1,) * 12)) for _ in range(200)]
        gc.collect()
        more = [xp.zeros(500) for _ in range(100)]
        assert all(view.shape and view.tobytes() for view in views)
        while views:
            views.pop(len(views) // 2).release()
    """,
    "chains of views": """
        t = Tensor(np.arange(10.0))
        for _ in range(100_000):
            t = t[::-1]
        assert t.tolist() == list(range(10))
        t = Tensor([1.0])
        for _ in range(100_000):
            t = Tensor(t)[...]
        del t
        nested = Tensor([1.0])
        for _ in range(100_000):
            nested = Tensor(np.asarray(nested))
        del nested
    """,
    "values whose conversions raise": """
        class Hostile:
            __array__ = __dlpack__ = __len__ = __float__ = __index__ = property(
                lambda self: 1 / 0)
        class Liar:
            def __dlpack__(self, **options): return None
            def __dlpack_device__(self): return (1, 0)
            def __array__(self, *args, **kwargs): return "no array"
        class Endless:
            def __len__(self): return 2**40
            def __getitem__(self, i): return self
        t = Tensor([1.0, 2.0])
        class Nowhere(Liar):
            def __dlpack_device__(self): return []
        for value in (Hostile(), Liar(), Endless(), Nowhere()):
            for call in (lambda: Tensor(value), lambda: xp.asarray(value), lambda: t + value,
                         lambda: t[value], lambda: t.__setitem__(0, value), lambda: xp.sin(value),
                         lambda: xp.from_dlpack(value), lambda: xp.zeros(value),
                         lambda: xp.sum(t, axis=value), lambda: t == value):
                tries(call, Exception)
        class Tricky(float):
            def __float__(self): raise RuntimeError
            def __index__(self): raise RuntimeError
        tries(lambda: t + Tricky(2.0), Exception)
        tries(lambda: t.__setitem__(0, Tricky(2.0)), Exception)
    """,
    "casts of what does not fit": """
        for source in ("float32", "float64"):
            x = Tensor(np.array([np.nan, np.inf, -np.inf, 1e300, -1e300, 2.0**63, -1.0, 300.5],
                                dtype="float64").astype(source))
            for target in ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
                           "uint64", "float32", "complex64"):
                tries(lambda: xp.astype(x, np.dtype(target)))
                y = xp.zeros(8, dtype=np.dtype(target))
                tries(lambda: y.__setitem__(..., x))
    """,
    "arithmetic that traps": """
        for dtype in ("int8", "int16", "int32", "int64"):
            least = np.iinfo(dtype).min
            t = Tensor(np.array([least, least, 0, 5], dtype=dtype))
            u = Tensor(np.array([-1, 0, 0, 0], dtype=dtype))
            for name in ("floor_divide", "remainder", "divide", "bitwise_left_shift",
                         "bitwise_right_shift", "multiply", "subtract", "pow"):
                tries(lambda: getattr(xp, name)(t, u))
                tries(lambda: getattr(xp, name)(t, -1))
                tries(lambda: getattr(xp, name)(t, 0))
                tries(lambda: getattr(xp, name)(t, 127))
            xp.abs(t), -t, xp.sign(t), xp.square(t)
            tries(lambda: t.__ifloordiv__(-1))
            tries(lambda: t.__imod__(0))
    """,
    "pickles of other things": """
        t = Tensor([1.0, 2.0])
        for array in (None, [1, 2], "text", np.zeros(2, "float16"), np.zeros((), "O"), t, 5):
            for device in ("cpu", "reference", "nowhere", None, 3):
                tries(lambda: core.from_pickle(array, device))
    """,
    "integers whose conversion changes the shape of the tensor": """
        shapes = [(1,) * 12, (), (36,), (3, 12), (3, 3, 4), (0, 3)]
        uses = [
            lambda x, k: x[k], lambda x, k: x[k, k], lambda x, k: x[k:k], lambda x, k: x[0, ::k],
            lambda x, k: x[[0, k]], lambda x, k: x[k, [0]], lambda x, k: x.__setitem__(k, 1),
            lambda x, k: x.__setitem__((0, k), 1), lambda x, k: x.__setitem__(slice(k, k), 1),
            lambda x, k: x.__setitem__(0, [k]), lambda x, k: x.item(k), lambda x, k: x.item(0, k),
            lambda x, k: setattr(x, "shape", (k, -1)), lambda x, k: xp.reshape(x, (k, -1)),
            lambda x, k: x.reshape(k, -1), lambda x, k: x.transpose(k, 0, 1),
            lambda x, k: xp.permute_dims(x, (2, k, 1)),
            lambda x, k: xp.moveaxis(x, k, -1), lambda x, k: xp.expand_dims(x, axis=(k, 5)),
            lambda x, k: xp.squeeze(x, axis=k), lambda x, k: xp.flip(x, axis=k),
            lambda x, k: xp.broadcast_to(x, (2, 3, 3, k)), lambda x, k: xp.unstack(x, axis=k),
            lambda x, k: xp.take(x, xp.asarray([1]), axis=k),
            lambda x, k: xp.take_along_axis(x, xp.zeros((3, 3, 4), dtype=xp.int64), axis=k),
            lambda x, k: xp.sort(x, axis=k), lambda x, k: xp.argsort(x, axis=k),
            lambda x, k: xp.diff(x, axis=k), lambda x, k: xp.diff(x, n=k),
            lambda x, k: xp.repeat(x, 2, axis=k), lambda x, k: xp.tile(x, (k, 2)),
            lambda x, k: xp.roll(x, k, axis=k), lambda x, k: xp.concat([x, x], axis=k),
            lambda x, k: xp.stack([x, x], axis=k), lambda x, k: xp.sum(x, axis=k),
            lambda x, k: xp.sum(x, axis=(k, 1)), lambda x, k: xp.argmax(x, axis=k),
            lambda x, k: xp.std(x, axis=k), lambda x, k: xp.cumulative_sum(x, axis=k),
            lambda x, k: xp.vecdot(x, x, axis=k - 3), lambda x, k: xp.tensordot(x, x, axes=k),
            lambda x, k: xp.tensordot(x, x, axes=((k,), (k,))), lambda x, k: xp.tril(x, k=k),
            lambda x, k: xp.linalg.trace(x, offset=k), lambda x, k: xp.linalg.diagonal(x, offset=k),
            lambda x, k: xp.linalg.cross(x, x, axis=k),
            lambda x, k: xp.linalg.vector_norm(x, axis=k),
            lambda x, k: xp.linalg.vector_norm(x, axis=0, ord=k),
            lambda x, k: xp.fft.fft(x, axis=k), lambda x, k: xp.fft.rfft(x, n=k),
            lambda x, k: xp.fft.irfft(x, axis=k), lambda x, k: xp.fft.fftn(x, axes=(k, 1)),
            lambda x, k: xp.fft.rfftn(x, s=(k, 3), axes=(0, 1)),
            lambda x, k: xp.fft.fftshift(x, axes=k), lambda x, k: core.execute("flip", (x,), {
                "axis": k}), lambda x, k: core.execute("linalg.diagonal", (x,), {"offset": k}),
        ]
        class Changing:
            def __init__(self, x, shape, value):
                self.x, self.shape, self.value = x, shape, value
            def __index__(self):
                if self.x.size == np.prod(self.shape):
                    self.x.shape = self.shape
                else:
                    self.x.resize(self.shape, refcheck=False)
                return self.value
            def __sub__(self, other):
                return Changing(self.x, self.shape, self.value - other)
            __float__ = __bool__ = lambda self: self.__index__() * 1.0
        for use in uses:
            for shape in shapes:
                for value in (0, 1, 2, -1, -3):
                    x = corepy.array(np.arange(36.0).reshape(3, 3, 4))
                    tries(lambda: use(x, Changing(x, shape, value)))
    """,
    "a tensor loses its axes between two steps of an iterator": """
        x = xp.ones((1, 1))
        rows = iter(x)
        x.shape = ()
        assert list(rows) == [] and rows.__length_hint__() == 0
        x = xp.ones((2, 3))
        rows = iter(x)
        next(rows)
        x.shape = (3, 2)
        assert [row.shape for row in rows] == [(2,), (2,)]
    """,
    "at the end of the interpreter": """
        import atexit
        kept = [Tensor(np.arange(1000.0)), Tensor([1.0]), xp.ones(3, device="reference")]
        kept.append(memoryview(kept[0]))
        class Late:
            def __del__(self):
                tensor + 1
        tensor = Tensor([1.0])
        late = Late()
        atexit.register(lambda: repr(kept[0] + kept[0]))
        thread = threading.Thread(target=lambda: [xp.ones(10**5) + 1 for _ in range(10**6)],
                                  daemon=True)
        thread.start()
    """,
}  # fmt: skip


@pytest.mark.parametrize("name", SNIPPETS)
def test_the_process_lives(name):
    code = PRELUDE + textwrap.dedent(SNIPPETS[name]) + "\nprint('came to its end')\n"
    assert output_of(code).endswith("came to its end\n")
