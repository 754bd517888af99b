"""`corepy.nn` on every device, against loops over NumPy's long doubles, and PyTorch's functions."""

import itertools
import math
import re

import mpmath
import numpy as np
import pytest

import corepy
from corepy import nn

SPECIAL = [0.0, -0.0, 0.4687, 0.47, 1.0, 5.6, 5.7, 9.0, 40.0, 800.0, math.inf, math.nan]
WIDTHS = [1, 2, 7, 8, 33]


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def on(xp, x, dtype="float64"):
    return xp.asarray(np.asarray(x, dtype=dtype), copy=True)


def assert_near(found, expected, eps=None):
    """Of float32, one operation's error in float32 and another factor for their number."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    eps = eps or 40 * np.finfo(found.dtype).eps
    np.testing.assert_allclose(found, expected.astype("float64"), rtol=eps, atol=eps)


# ---- activations


def of_each(function):
    return lambda x: np.array([function(float(each)) for each in x.ravel()]).reshape(x.shape)


def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x > -700 else 0 * x


def gelu(x):
    return -0.0 if x == -math.inf else x * 0.5 * math.erfc(-x * math.sqrt(0.5))


def gelu_tanh(x):
    if math.isinf(x):
        return max(x, -0.0)
    return 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


ACTIVATIONS = {
    "relu": (nn.relu, lambda x: x if math.isnan(x) else max(x, 0.0)),
    "sigmoid": (nn.sigmoid, lambda x: 0.0 if x == -math.inf else sigmoid(x)),
    "silu": (nn.silu, lambda x: -0.0 if x == -math.inf else x * sigmoid(x)),
    "softplus": (nn.softplus, lambda x: x if x > 20 else math.log1p(math.exp(x))),
    "softplus of beta": (
        lambda x: nn.softplus(x, beta=2.0, threshold=10.0),
        lambda x: x if 2 * x > 10 else math.log1p(math.exp(2 * x)) / 2,
    ),
    "gelu": (nn.gelu, gelu),
    "gelu by tanh": (lambda x: nn.gelu(x, approximate="tanh"), gelu_tanh),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(xp, name, dtype):
    function, expected = ACTIVATIONS[name]
    x = np.array([*SPECIAL, *(-each for each in SPECIAL), *np.linspace(-9, 9, 77)]).astype(dtype)
    found = function(on(xp, x, dtype))
    assert np.asarray(found).dtype == dtype
    assert_near(found, of_each(expected)(x))
    assert function(on(xp, np.ones((0, 3)), dtype)).shape == (0, 3)


@pytest.mark.parametrize("name", ["relu", "sigmoid", "silu", "gelu", "softplus"])
def test_activations_write_to_out(xp, name):
    function, x = getattr(nn, name), on(xp, numbers(4, 6))
    expected, out = np.asarray(function(x)).copy(), on(xp, np.zeros((4, 12)))[:, ::2]
    assert function(x, out=out) is out
    assert np.array_equal(np.asarray(out), expected)
    assert np.array_equal(np.asarray(function(x, out=x)), expected)
    with pytest.raises(ValueError, match=rf"^{name}: expected out of shape \(4, 6\)"):
        function(x, out=on(xp, np.zeros((4, 5))))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["sigmoid", "silu", "gelu", "gelu_tanh"])
def test_activations_are_accurate(name, dtype):
    """Within 4 units in the last place, subnormal results as well."""
    exact = {
        "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
        "silu": lambda x: x / (1 + mpmath.exp(-x)),
        "gelu": lambda x: x * mpmath.erfc(-x / mpmath.sqrt(2)) / 2,
        "gelu_tanh": lambda x: x / (1 + mpmath.exp(
            -mpmath.sqrt(8 / mpmath.pi) * (x + mpmath.mpf("0.044715") * x**3))),
    }[name]  # fmt: skip
    info = np.finfo(dtype)
    rng = np.random.default_rng(0)
    x = np.concatenate([
        rng.normal(size=300) * 3, rng.uniform(-1, 1, 100) * 10.0 ** rng.uniform(-9, 0, 100),
        -np.linspace(0, 760 if dtype == "float64" else 111, 500), -np.linspace(0, 40, 300),
    ]).astype(dtype)  # fmt: skip
    approximate = {"approximate": "tanh"} if name == "gelu_tanh" else {}
    found = np.asarray(getattr(nn, name.removesuffix("_tanh"))(
        corepy.array_api.asarray(x, copy=True), **approximate
    ))  # fmt: skip
    with mpmath.workdps(60):
        for each, result in zip(x, found, strict=True):
            right = exact(mpmath.mpf(float(each)))
            unit = max(abs(float(right)) * float(info.eps), float(info.smallest_subnormal))
            assert abs(right - mpmath.mpf(float(result))) <= 4 * unit, (float(each), float(result))


def test_gelu_keeps_small_results():
    """Relative to the result, far from 0, too: as the error function's complement."""
    x = np.linspace(-30, -0.01, 400)
    found = np.asarray(nn.gelu(corepy.array_api.asarray(x, copy=True)))
    np.testing.assert_allclose(found, of_each(gelu)(x), rtol=2e-13)


# ---- lines


def lines(function, x, axis):
    return np.apply_along_axis(function, axis, np.asarray(x, dtype="longdouble"))


def softmax(line):
    powers = np.exp(line - line.max())
    return powers / powers.sum()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("width", WIDTHS)
def test_softmax(xp, width, axis, dtype):
    x = 30 * numbers(5, width, 3)
    x[1, 0, 0] = -math.inf
    found = nn.softmax(on(xp, x, dtype), axis=axis)
    with np.errstate(invalid="ignore"):
        expected = lines(softmax, x.astype(dtype), axis)
    assert_near(found, expected)
    logarithm = nn.log_softmax(on(xp, x, dtype), axis=axis)
    with np.errstate(invalid="ignore", divide="ignore"):
        assert_near(np.exp(np.asarray(logarithm)), expected)


def test_softmax_of_special_lines(xp):
    x = on(xp, [[-math.inf, -math.inf], [math.inf, 0.0], [math.nan, 0.0], [1e30, -1e30]])
    for function, last in ((nn.softmax, [1, 0]), (nn.log_softmax, [0, -2e30])):
        found = np.asarray(function(x))
        assert np.isnan(found[0]).all()
        assert np.isnan(found[1:3, 0]).all()
        assert found[3].tolist() == last
        assert function(on(xp, np.ones((3, 0)))).shape == (3, 0)


@pytest.mark.parametrize("width", WIDTHS)
def test_normalisations(xp, width):
    x, weight, bias = numbers(4, 3, width) + 2, numbers(width, seed=1), numbers(width, seed=2)
    wide = x.astype("longdouble")
    centred = wide - wide.mean(-1, keepdims=True)
    by_square = wide / np.sqrt((wide**2).mean(-1, keepdims=True) + 1e-6)
    by_variance = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
    x, w, b = on(xp, x), on(xp, weight), on(xp, bias)
    assert_near(nn.rms_norm(x), by_square)
    assert_near(nn.rms_norm(x, w), by_square * weight)
    assert_near(nn.layer_norm(x), by_variance)
    assert_near(nn.layer_norm(x, w, b), by_variance * weight + bias)
    assert_near(nn.layer_norm(x, bias=b, eps=1.0), by_variance * 0 + bias + centred / np.sqrt(
        (centred**2).mean(-1, keepdims=True) + 1
    ))  # fmt: skip


# ---- sequences


@pytest.mark.parametrize("shape", [(5,), (3, 5), (2, 3, 5), (0, 5)])
def test_linear(xp, shape):
    x, weight, bias = numbers(*shape), numbers(4, 5, seed=1), numbers(4, seed=2)
    expected = np.einsum("...k,nk->...n", x, weight)
    assert_near(nn.linear(on(xp, x), on(xp, weight)), expected)
    assert_near(nn.linear(on(xp, x), on(xp, weight), on(xp, bias)), expected + bias)
    turned = on(xp, np.asarray(weight.T)).T  # another layout
    assert_near(nn.linear(on(xp, x), turned), expected)


def test_embedding(xp):
    weight, indices = numbers(6, 3), np.array([[5, 0], [2, 2]])
    found = nn.embedding(on(xp, indices, "int64"), on(xp, weight))
    assert np.array_equal(np.asarray(found), weight[indices])
    assert nn.embedding(on(xp, 3, "int64"), on(xp, weight)).shape == (3,)


@pytest.mark.parametrize("interleaved", [False, True])
def test_rope(xp, interleaved):
    x, angle = numbers(2, 5, 8), numbers(5, 4, seed=1)
    pairs = x.reshape(2, 5, 4, 2) if interleaved else x.reshape(2, 5, 2, 4).swapaxes(-1, -2)
    turned = (pairs[..., 0] + 1j * pairs[..., 1]) * np.exp(1j * angle)
    expected = np.stack([turned.real, turned.imag], axis=-1 if interleaved else -2)
    cos, sin = on(xp, np.cos(angle)), on(xp, np.sin(angle))
    assert_near(nn.rope(on(xp, x), cos, sin, interleaved=interleaved), expected.reshape(x.shape))


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rope_on_the_cpu_has_the_bits_of_its_parts(dtype, interleaved):
    rng = np.random.default_rng(0)
    for shape, angles in (
        ((3, 5, 8), (5, 4)), ((3, 5, 8), (3, 1, 4)), ((3, 5, 8), (4,)), ((8,), (4,)), ((6,), (1,)),
        ((0, 5, 8), (5, 4)), ((3, 5, 0), (5, 0)), ((70, 9, 600), (9, 300)),
    ):  # fmt: skip
        x = rng.standard_normal((*shape[:-1], 2 * shape[-1])).astype(dtype)[..., ::-2]
        cos, sin = (rng.standard_normal(angles).astype(dtype) for _ in range(2))
        tensors = (corepy.array_api.asarray(each) for each in (x, cos, sin))
        found = np.asarray(nn.rope(*tensors, interleaved=interleaved))
        assert np.array_equal(found, nn.rope(x, cos, sin, interleaved=interleaved))


def attention(query, key, value, allowed, added, scale):
    """One head, query by query."""
    result = np.zeros((len(query), value.shape[1]))
    for i, row in enumerate(query):
        chosen = [j for j in range(len(key)) if allowed[i, j]]
        if chosen:
            weights = softmax(np.array([row @ key[j] * scale + added[i, j] for j in chosen]))
            result[i] = sum(w * value[j] for w, j in zip(weights, chosen, strict=True))
    return result


@pytest.mark.parametrize("kind", ["none", "causal", "bool", "numbers", "scale", "heads"])
def test_attention(xp, kind):
    queries, keys = (4, 6) if kind != "causal" else (6, 4)
    query, key = numbers(2, 4, queries, 8), numbers(2, 4, keys, 8, seed=1)
    value = numbers(2, 4, keys, 3, seed=2)
    allowed, added = np.ones((queries, keys), bool), np.zeros((queries, keys))
    options, scale = {}, 8**-0.5
    if kind == "causal":
        allowed, options = np.tri(queries, keys, dtype=bool), {"is_causal": True}
    elif kind == "bool":
        allowed = numbers(queries, keys, seed=3) > 0
        allowed[1] = False
        options = {"mask": on(xp, allowed, "bool")}
    elif kind == "numbers":
        added = numbers(queries, keys, seed=3)
        options = {"mask": on(xp, added)}
    elif kind == "scale":
        scale, options = 0.3, {"scale": 0.3}
    elif kind == "heads":
        key, value = key[:, :2], value[:, :2]
        options = {"enable_gqa": True}
    found = nn.scaled_dot_product_attention(on(xp, query), on(xp, key), on(xp, value), **options)
    times = query.shape[1] // key.shape[1]
    expected = [
        [attention(query[n, h], key[n, h // times], value[n, h // times], allowed, added, scale)
         for h in range(4)]
        for n in range(2)
    ]  # fmt: skip
    assert_near(found, expected)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("keys", [1, 3, 64, 333, 1025])
@pytest.mark.parametrize("queries", [1, 2, 7, 8, 9, 131])
def test_attention_of_all_sizes(queries, keys, dtype):
    """Blocks of queries, parts of vectors; heads that are columns of a matrix, and broadcast."""
    query, key = numbers(queries, 3, 20, seed=1), numbers(keys, 1, 20, seed=2)
    value, added = numbers(keys, 3, 17, seed=3), numbers(3, 1, keys, seed=4)
    query, key, value, added = (x.astype(dtype) for x in (query, key, value, added))
    tensors = [
        corepy.array_api.permute_dims(on(corepy.array_api, x, dtype), (1, 0, 2))
        for x in (query, key, value)
    ]
    query, key, value = (x.transpose(1, 0, 2).astype("longdouble") for x in (query, key, value))
    mask = on(corepy.array_api, added, dtype)
    scores = query @ key.swapaxes(-1, -2) * query.shape[-1] ** -0.5
    for options, allowed in (
        ({}, scores),
        ({"mask": mask}, scores + added),
        ({"is_causal": True}, np.where(np.tri(queries, keys, dtype=bool), scores, -math.inf)),
    ):
        weights = np.exp(allowed - allowed.max(-1, keepdims=True))
        expected = weights / weights.sum(-1, keepdims=True) @ value
        found = nn.scaled_dot_product_attention(*tensors, **options)
        assert np.asarray(found).dtype == dtype
        assert_near(found, expected)


def test_attention_with_a_mask_of_each_head(xp):
    query, key = numbers(4, 5, 8), numbers(2, 6, 8, seed=1)
    mask = numbers(4, 5, 6, seed=2) > 0
    x, y, allowed = on(xp, query), on(xp, key), on(xp, mask, "bool")
    found = nn.scaled_dot_product_attention(x, y, y, mask=allowed, enable_gqa=True)
    none = np.zeros((5, 6))
    expected = [
        attention(query[h], key[h // 2], key[h // 2], mask[h], none, 8**-0.5) for h in range(4)
    ]
    assert_near(found, expected)
    few = on(xp, np.zeros((4, 0, 8)))
    assert nn.scaled_dot_product_attention(few, y, y, enable_gqa=True).shape == (4, 0, 8)
    none = on(xp, np.zeros((2, 0, 8)))
    found = nn.scaled_dot_product_attention(x, none, none, enable_gqa=True)
    assert np.array_equal(np.asarray(found), np.zeros((4, 5, 8)))


# ---- images

WINDOWS = [(1, 0, 1), (2, 0, 1), (1, 1, 1), (2, 1, 2), ((2, 3), (1, 0), (1, 2))]


def as_pair(value):
    return value if isinstance(value, tuple) else (value, value)


def places(x, size, stride, padding, dilation, value):
    """The windows of padded images, as an array (N, C, rows, columns, KH, KW)."""
    (sh, sw), (ph, pw), (dh, dw) = map(as_pair, (stride, padding, dilation))
    x = np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)), constant_values=value)
    rows = range(0, x.shape[2] - dh * (size[0] - 1), sh)
    columns = range(0, x.shape[3] - dw * (size[1] - 1), sw)
    found = np.empty((*x.shape[:2], len(rows), len(columns), *size))
    for (a, i), (b, j) in itertools.product(enumerate(rows), enumerate(columns)):
        found[:, :, a, b] = x[:, :, i : i + dh * size[0] : dh, j : j + dw * size[1] : dw][
            :, :, : size[0], : size[1]
        ]
    return found


@pytest.mark.parametrize(("stride", "padding", "dilation"), WINDOWS, ids=str)
@pytest.mark.parametrize("groups", [1, 2])
def test_conv2d(xp, stride, padding, dilation, groups):
    x, weight, bias = numbers(2, 4, 7, 9), numbers(6, 4 // groups, 3, 2, seed=1), numbers(6, seed=2)
    windows = places(x, (3, 2), stride, padding, dilation, 0.0)
    expected = np.concatenate(
        [
            np.einsum("ncabij,ocij->noab", part, own)
            for part, own in zip(
                np.split(windows, groups, 1), np.split(weight, groups), strict=True
            )
        ],
        axis=1,
    )
    options = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    assert_near(nn.conv2d(on(xp, x), on(xp, weight), **options), expected)
    found = nn.conv2d(on(xp, x), on(xp, weight), on(xp, bias), **options)
    assert_near(found, expected + bias[:, None, None])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("shape", "kernels", "size", "options"),
    [
        ((1, 40, 13, 56), 6, (3, 3), {"padding": 1}),
        ((2, 3, 30, 21), 5, (1, 1), {}),
        ((1, 2, 40, 40), 4, (19, 18), {"padding": (5, 40)}),
        ((1, 64, 9, 9), 8, (3, 3), {"padding": 3, "dilation": 2}),
        ((3, 12, 17, 33), 12, (3, 3), {"stride": 2, "groups": 12}),
        ((1, 1, 1, 70), 1, (1, 5), {}),
    ],
    ids=str,
)
def test_conv2d_of_all_sizes(shape, kernels, size, options, dtype):
    """Panels of pixels over several rows, and windows of more elements than a panel has terms."""
    groups = options.get("groups", 1)
    x = numbers(*shape).astype(dtype)
    weight = numbers(kernels, shape[1] // groups, *size, seed=1).astype(dtype)
    stride, padding, dilation = (
        options.get(name, least) for name, least in (("stride", 1), ("padding", 0), ("dilation", 1))
    )
    windows = places(x, size, stride, padding, dilation, 0.0)
    parts = zip(np.split(windows, groups, 1), np.split(weight, groups), strict=True)
    expected = np.concatenate(
        [np.einsum("ncabij,ocij->noab", part, own, optimize=True) for part, own in parts], axis=1
    )
    tensors = on(corepy.array_api, x, dtype), on(corepy.array_api, weight, dtype)
    found = nn.conv2d(*tensors, **options)
    size = np.abs(expected).max()
    assert_near(np.asarray(found) / size.astype(dtype), expected / size)
    # The layout of images changes nothing.
    turned = on(corepy.array_api, x.transpose(0, 2, 3, 1), dtype)
    turned = corepy.array_api.permute_dims(turned, (0, 3, 1, 2))
    assert np.array_equal(np.asarray(nn.conv2d(turned, tensors[1], **options)), np.asarray(found))


@pytest.mark.parametrize(("stride", "padding"), [(None, 0), (1, 1), ((2, 1), (0, 1))], ids=str)
def test_pools(xp, stride, padding):
    x = numbers(2, 3, 7, 8)
    x[0, 0, 3, 3] = math.nan
    size = (3, 2)
    for function, combine, value in (
        (nn.max_pool2d, np.max, -math.inf),
        (nn.avg_pool2d, np.mean, 0.0),
    ):
        found = function(on(xp, x), size, stride=stride, padding=padding)
        windows = places(x, size, size if stride is None else stride, padding, 1, value)
        assert_near(found, combine(windows, axis=(-2, -1)))


def test_results_have_the_class_of_their_operands():
    x = corepy.ones((1, 2, 5, 5))
    for result in (
        nn.silu(x), nn.softmax(x), nn.rms_norm(x), nn.max_pool2d(x, 2), nn.linear(x, x[0, 0]),
        nn.scaled_dot_product_attention(x, x, x), nn.conv2d(x, x), nn.rope(x[..., :4], x[..., :2],
        x[..., :2]), nn.conv2d(corepy.ones((0, 2, 5, 5)), x),
    ):  # fmt: skip
        assert type(result) is corepy.ndarray
    x = corepy.array_api.ones((1, 2, 5, 5))
    for result in (nn.scaled_dot_product_attention(x, x, x), nn.conv2d(x, x)):
        assert type(result) is corepy.Tensor


def test_memory_of_numpy_is_read_before_the_call_returns():
    array = np.random.default_rng(3).standard_normal((200, 300))
    shared, own = (corepy.array_api.asarray(array, copy=copy) for copy in (False, True))
    weight, bias = map(corepy.array_api.asarray, array[:2])
    results = [
        (nn.softmax(x), nn.log_softmax(x, axis=0), nn.rms_norm(x, weight=weight),
         nn.layer_norm(x, weight, bias))
        for x in (shared, own)
    ]  # fmt: skip
    for result in results[0]:
        assert not corepy.lazy.is_deferred(result)
    array[...] = 0
    for found, expected in zip(*results, strict=True):
        np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))
    with corepy.config(fusion_threshold=0), corepy.fuse():
        assert corepy.lazy.is_deferred(nn.softmax(own))


# ---- names of inference engines


def test_kernel_backend():
    engine, xp = nn.KernelBackend("cpu"), corepy.array_api
    assert repr(engine) == "KernelBackend('cpu')"
    w, x, weight = numbers(4, 6), numbers(6, seed=1), numbers(6, seed=2)
    angle, more = numbers(3, seed=3), numbers(6, 5, seed=4)

    def single(array):
        return on(xp, array, "float32")

    assert_near(engine.matmul_vec(single(w), single(x)), w @ x)
    rounded = nn.quantize(single(w))
    found = engine.matmul_vec(rounded, single(x))
    assert np.array_equal(np.asarray(found), np.asarray(rounded @ single(x)))
    assert_near(engine.matmul(single(w), single(more)), w @ more)
    assert_near(engine.silu(single(w)), np.asarray(nn.silu(on(xp, w))))
    for call, expected in (
        (lambda out: engine.matmul_vec_into(single(w), single(x), out), w @ x),
        (lambda out: engine.compute_attention_scores(single(x), single(w), out, 0.5), w @ x / 2),
        (lambda out: engine.weighted_sum_rows(single(x), single(more), out), x @ more),
    ):
        out = single(np.zeros(len(expected)))
        assert call(out) is None
        assert_near(out, expected)
    for call, expected in (
        (lambda x: engine.rmsnorm(x, single(weight)), nn.rms_norm(on(xp, x), on(xp, weight))),
        (lambda x: engine.softmax(x), nn.softmax(on(xp, x))),
        (lambda x: engine.apply_rope(x, single(np.cos(angle)), single(np.sin(angle))),
         nn.rope(on(xp, x), on(xp, np.cos(angle)), on(xp, np.sin(angle)))),
    ):  # fmt: skip
        changed = single(x)
        assert call(changed) is None
        assert_near(changed, np.asarray(expected))
    cache = single(np.stack([x, x]))
    engine.softmax_view(cache[1, 1:])
    assert_near(cache[1, 1:], np.asarray(nn.softmax(on(xp, x[1:]))))
    assert_near(cache[1, :1], x[:1])


def test_kernel_backend_checks_operands():
    xp = corepy.array_api
    w, x = xp.ones((4, 6), dtype=xp.float32), xp.ones(6, dtype=xp.float32)
    engine = nn.KernelBackend("cpu")
    for kind, pattern, call in (
        (ValueError, r"matmul_vec: .*x of shape \(6,\), got \(4,\)",
         lambda: engine.matmul_vec(w, x[:4])),
        (ValueError, r"matmul_vec_into: .*out of shape \(4,\)",
         lambda: engine.matmul_vec_into(w, x, x)),
        (ValueError, r"matmul: expected b of shape \(6, N\)", lambda: engine.matmul(w, w)),
        (ValueError, "softmax: expected x of shape", lambda: engine.softmax(w)),
        (TypeError, "rmsnorm: .*float32 tensor on cpu, got float64",
         lambda: engine.rmsnorm(xp.ones(6), x)),
        (TypeError, "silu: .*got ndarray", lambda: engine.silu(np.ones(6, np.float32))),
        (ValueError, r"apply_rope: expected cos of shape \(3,\)",
         lambda: engine.apply_rope(x, x, x)),
        (ValueError, r"weighted_sum_rows: expected weights of shape \(4,\)",
         lambda: engine.weighted_sum_rows(x, w, x)),
        (ValueError, "there is no preference", lambda: nn.KernelBackend("abacus")),
    ):  # fmt: skip
        with pytest.raises(kind, match=pattern):
            call()


# ---- beside PyTorch


def test_defaults_are_those_of_pytorch():
    torch = pytest.importorskip("torch")
    functional = torch.nn.functional
    xp = corepy.array_api
    x, image = numbers(2, 4, 6, 8), numbers(2, 4, 9, 9, seed=1)
    kernel, weight = numbers(5, 4, 3, 3, seed=2), numbers(3, 8, seed=3)
    for name, *arrays in (
        ("relu", x), ("sigmoid", x), ("silu", x), ("gelu", x), ("softplus", x),
        ("linear", x, weight),
        ("scaled_dot_product_attention", x, x + 1, x - 1), ("conv2d", image, kernel),
    ):  # fmt: skip
        found = getattr(nn, name)(*(on(xp, each) for each in arrays))
        assert_near(found, getattr(functional, name)(*map(torch.asarray, arrays)))
    assert_near(nn.softmax(on(xp, x)), functional.softmax(torch.asarray(x), dim=-1))
    assert_near(nn.log_softmax(on(xp, x)), functional.log_softmax(torch.asarray(x), dim=-1))
    assert_near(nn.layer_norm(on(xp, x)), functional.layer_norm(torch.asarray(x), (8,)))
    assert_near(nn.rms_norm(on(xp, x)), functional.rms_norm(torch.asarray(x), (8,), eps=1e-6))
    assert_near(nn.max_pool2d(on(xp, image), 3), functional.max_pool2d(torch.asarray(image), 3))
    assert_near(nn.avg_pool2d(on(xp, image), 2), functional.avg_pool2d(torch.asarray(image), 2))
    assert_near(nn.gelu(torch.asarray(x).numpy()), functional.gelu(torch.asarray(x)))


# ---- errors


def zeros(*shape, dtype="float64"):
    return corepy.array_api.zeros(shape, dtype=getattr(corepy.array_api, dtype))


ERRORS = [
    (TypeError, "relu: expected an array", lambda: nn.relu([1.0])),
    (TypeError, "silu: expected floating-point", lambda: nn.silu(zeros(3, dtype="int32"))),
    (ValueError, "softplus: expected beta above 0, got 0", lambda: nn.softplus(zeros(3), beta=0)),
    (ValueError, "gelu: .*'none' or 'tanh', got 'erf'", lambda: nn.gelu(zeros(3), "erf")),
    (IndexError, r"softmax: expected an axis in \[-1, 1\)", lambda: nn.softmax(zeros(3), axis=1)),
    (ValueError, r"rms_norm: .*shape \(3,\).*got \(2,\)", lambda: nn.rms_norm(zeros(3), zeros(2))),
    (ValueError, "layer_norm: .*one axis", lambda: nn.layer_norm(zeros())),
    (ValueError, r"linear: .*\(2, 3\) and \(4, 5\)", lambda: nn.linear(zeros(2, 3), zeros(4, 5))),
    (ValueError, "linear: expected bias", lambda: nn.linear(zeros(3), zeros(2, 3), zeros(3))),
    (TypeError, "embedding: expected integers", lambda: nn.embedding(zeros(3), zeros(2, 3))),
    (ValueError, "rope: .*E even", lambda: nn.rope(zeros(2, 3), zeros(2, 1), zeros(2, 1))),
    (ValueError, "attention: .*both", lambda: nn.scaled_dot_product_attention(
        zeros(2, 3), zeros(2, 3), zeros(2, 3), mask=zeros(2, 2), is_causal=True)),
    (ValueError, r"attention: .*key \(2, 4\)", lambda: nn.scaled_dot_product_attention(
        zeros(2, 3), zeros(2, 4), zeros(2, 3))),
    (ValueError, "attention: .*divide", lambda: nn.scaled_dot_product_attention(
        zeros(3, 2, 3), zeros(2, 2, 3), zeros(2, 2, 3), enable_gqa=True)),
    (ValueError, r"conv2d: .*\(N, C, H, W\), got \(3,\)", lambda: nn.conv2d(zeros(3), zeros(3))),
    (ValueError, "conv2d: .*groups=3", lambda: nn.conv2d(
        zeros(1, 4, 5, 5), zeros(6, 1, 3, 3), groups=3)),
    (ValueError, "conv2d: .*window, 3 along axis 3, got 2", lambda: nn.conv2d(
        zeros(1, 1, 5, 2), zeros(1, 1, 3, 3))),
    (ValueError, "conv2d: expected stride", lambda: nn.conv2d(
        zeros(1, 1, 5, 5), zeros(1, 1, 3, 3), stride=0)),
    (ValueError, "conv2d: expected dilation", lambda: nn.conv2d(
        zeros(1, 1, 5, 5), zeros(1, 1, 3, 3), dilation=2**40)),
    (TypeError, "silu: expected out", lambda: nn.silu(zeros(3), out=[0.0])),
    (ValueError, "max_pool2d: expected padding", lambda: nn.max_pool2d(
        zeros(1, 1, 5, 5), 2, padding=2)),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "pattern", "call"), ERRORS, ids=[each[1] for each in ERRORS])
def test_errors_name_the_function_and_the_shapes(kind, pattern, call):
    with pytest.raises(kind) as found:
        call()
    assert re.search(pattern, str(found.value))
