"""einops: results are those of NumPy's arrays, and arrays of the drop-in."""

import pytest
from running import output_of

import corepy as np
from libraries.beside_numpy import assert_agrees

einops = pytest.importorskip("einops")

BLOCK = np.reshape(np.arange(24.0), (2, 3, 4)).to_numpy()


@pytest.mark.parametrize("order", ["import corepy, einops", "import einops, corepy"])
def test_the_backend_is_registered_when_both_are_imported(order):
    code = f"{order}\nprint(einops.rearrange(corepy.asarray([[1, 2]]), 'a b -> b a'))"
    assert output_of(code) == "[[1]\n [2]]\n"


def test_rearrange():
    for pattern in (
        "a b c -> (b a) c",
        "a b c -> c a b",
        "a b (c d) -> a c b d",
        "a b c -> a b c ()",
    ):
        sizes = {"d": 2} if "d" in pattern else {}
        assert_agrees(lambda x, p=pattern, s=sizes: einops.rearrange(x, p, **s), BLOCK)
        assert_agrees(
            lambda x, p=pattern, s=sizes: einops.rearrange(x, p, **s), BLOCK[::-1, :, ::2]
        )
    assert_agrees(lambda x, y: einops.rearrange([x, y], "n a b c -> (n a) b c"), BLOCK, BLOCK)


def test_reduce():
    for operation in "min max sum mean prod".split():
        assert_agrees(lambda x, o=operation: einops.reduce(x, "a b c -> c a", o), BLOCK)
    for operation in ("any", "all"):
        assert_agrees(lambda x, o=operation: einops.reduce(x, "a b c -> c", o), BLOCK > 3)
    with pytest.raises(NotImplementedError, match="mean"):
        einops.reduce(np.arange(3), "a ->", "mean")


def test_repeat_pack_and_einsum():
    assert_agrees(lambda x: einops.repeat(x, "a b c -> a b c k", k=3), BLOCK)
    assert_agrees(lambda x: einops.repeat(x, "a b c -> (k a) b c", k=2), BLOCK)
    assert_agrees(lambda x: einops.einsum(x, x, "a b c, a d c -> b d"), BLOCK)
    packed, shapes = einops.pack([np.asarray(BLOCK), np.asarray(BLOCK[0])], "* b c")
    assert packed.shape == (3, 3, 4)
    assert [type(x) for x in einops.unpack(packed, shapes, "* b c")] == [np.ndarray, np.ndarray]
    assert einops.parse_shape(np.asarray(BLOCK), "a _ c") == {"a": 2, "c": 4}
    assert einops.asnumpy(np.asarray(BLOCK)).tolist() == BLOCK.tolist()
