"""Operations of neural networks beside their peers: ``python -m asv_benchmarks.networks``.

Operations of `corepy.nn` on float32, PyTorch's and ONNX Runtime's where they are installed, in one
process and in turns. Results are checked against PyTorch's or ONNX Runtime's. Ratios are the time
over Corepy's: above 1 Corepy is faster. Deferred results are computed within the time.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from typing import Any

import numpy

import corepy
from corepy import nn

from .documents import PAGES
from .peers import Calls, main

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]
try:
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper
except ImportError:
    onnxruntime = None

ROWS = {"10,000 x 1,000": (10_000, 1_000), "78,125 x 128": (78_125, 128)}
HEADS = {"12 x 128 x 64": (12, 128, 64), "12 x 1,024 x 64": (12, 1024, 64)}
IMAGES = {"1 x 64 x 56 x 56": (1, 64, 56, 56), "8 x 64 x 56 x 56": (8, 64, 56, 56)}


def onnx_operator(
    threads: int,
    operator: str,
    arrays: list[numpy.ndarray],
    constants: tuple[numpy.ndarray, ...] = (),
    **attributes: Any,
) -> Callable[[], Any]:
    """Return a call of one operator of ONNX Runtime's; constants are part of its model."""
    names = [f"x{k}" for k in range(len(arrays))]
    fixed = [f"c{k}" for k in range(len(constants))]
    graph = helper.make_graph(
        [helper.make_node(operator, names + fixed, ["y"], **attributes)],
        operator,
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, x.shape)
            for name, x in zip(names, arrays, strict=True)
        ],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(x, name) for name, x in zip(fixed, constants, strict=True)],
    )
    sets = [helper.make_opsetid("", 23), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=sets)
    model.ir_version = 10
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    given = dict(zip(names, arrays, strict=True))
    return lambda: session.run(None, given)[0]


def silu_into() -> Callable[[Any], Any]:
    """Return PyTorch's silu, which writes to the same memory in each call."""
    kept: list[Any] = []

    def silu(x: Any) -> Any:
        if not kept:
            kept.append(torch.empty_like(x))
        return torch.ops.aten.silu.out(x, out=kept[0])

    return silu


def in_four_bits(weight: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Return a matrix as MatMulNBits takes it: integers above -8, and a scale for 32 of them."""
    groups = weight.reshape(len(weight), -1, 32)
    scale = abs(groups).max(axis=-1, keepdims=True) / 7
    integers = (numpy.round(groups / scale) + 8).astype(numpy.uint8)
    return integers[..., ::2] | integers[..., 1::2] << 4, scale.reshape(len(weight), -1)


def quantized(threads: int, bits: int, rows: int, side: int) -> Callable[[], Calls]:
    """Return how to make a product of rows with square matrices, one after the other of four."""

    def make() -> Calls:
        rng = numpy.random.default_rng(0)
        weights = [rng.standard_normal((side, side), dtype=numpy.float32) for _ in range(4)]
        x = rng.standard_normal((rows, side), dtype=numpy.float32)
        y = corepy.array_api.asarray(x, copy=True)
        ours = itertools.cycle([nn.quantize(corepy.array_api.asarray(w), bits) for w in weights])
        found = {"corepy": lambda: nn.linear(y, next(ours))}
        if torch is not None and bits == 8:
            layers = []
            for weight in weights:
                layer = torch.nn.Linear(side, side, bias=False)
                layer.weight.data = torch.from_numpy(weight)
                quantize = torch.ao.quantization.quantize_dynamic
                layers.append(quantize(torch.nn.Sequential(layer), {torch.nn.Linear}))
            theirs, other = itertools.cycle(layers), torch.from_numpy(x)
            found["torch"] = torch.inference_mode()(lambda: next(theirs)(other))
        if onnxruntime is not None and bits == 4:
            # Rows are rounded to 8 bits, as Corepy's are.
            facts = {"domain": "com.microsoft", "K": side, "N": side, "bits": 4, "block_size": 32}
            calls = itertools.cycle([
                onnx_operator(
                    threads, "MatMulNBits", [x], in_four_bits(weight), **facts, accuracy_level=4
                )
                for weight in weights
            ])  # fmt: skip
            found["onnxruntime"] = lambda: next(calls)()
        return found

    return make


def cases(threads: int) -> dict[str, Callable[[], Calls]]:
    """Return how to make each case: the call of each library."""
    rng = numpy.random.default_rng(0)
    functional = None if torch is None else torch.nn.functional

    def ways(
        shapes: list[tuple[int, ...]],
        ours: Callable[..., Any],
        theirs: Callable[..., Any],
        operator: str = "",
        **attributes: Any,
    ) -> Callable[[], Calls]:
        def make() -> Calls:
            arrays = [rng.standard_normal(shape, dtype=numpy.float32) for shape in shapes]
            tensors = [corepy.array_api.asarray(x, copy=True) for x in arrays]

            @corepy.config(fusion=True)
            def corepy_call() -> Any:
                return corepy.compute(ours(*tensors))

            found = {"corepy": corepy_call}
            if torch is not None:
                others = [torch.from_numpy(x) for x in arrays]
                found["torch"] = lambda: theirs(*others)
            if operator and onnxruntime is not None:
                found["onnxruntime"] = onnx_operator(threads, operator, arrays, **attributes)
            return found

        return make

    made = {}
    for name, shape in ROWS.items():
        width = shape[-1:]
        made |= {
            f"softmax, {name}": ways(
                [shape], nn.softmax, lambda x: torch.softmax(x, -1), "Softmax", axis=-1
            ),
            f"rms_norm, {name}": ways(
                [shape, width],
                nn.rms_norm,
                lambda x, w: functional.rms_norm(x, w.shape, w, eps=1e-6),
                "RMSNormalization",
                axis=-1,
                epsilon=1e-6,
            ),
            f"layer_norm, {name}": ways(
                [shape, width, width],
                nn.layer_norm,
                lambda x, w, b: functional.layer_norm(x, w.shape, w, b),
                "LayerNormalization",
                axis=-1,
            ),
        }
    every = [(10_000_000,)]
    made |= {
        "silu, 10^7 (PyTorch into kept memory)": ways(every, nn.silu, silu_into()),
        "gelu, 10^7": ways(every, nn.gelu, lambda x: functional.gelu(x), "Gelu"),
        "gelu by tanh, 10^7": ways(
            every,
            lambda x: nn.gelu(x, "tanh"),
            lambda x: functional.gelu(x, approximate="tanh"),
            "Gelu",
            approximate="tanh",
        ),
    }
    for name, shape in HEADS.items():
        made[f"attention, {name}"] = ways(
            [(1, *shape)] * 3,
            nn.scaled_dot_product_attention,
            lambda *x: functional.scaled_dot_product_attention(*x),
            "Attention",
        )
    for bits in (8, 4):
        made[f"product of {bits} bits, 4,096 x 4,096, one row"] = quantized(threads, bits, 1, 4096)
    made["product of 8 bits, 1,024 x 1,024, 1,024 rows"] = quantized(threads, 8, 1024, 1024)
    for name, shape in IMAGES.items():
        made[f"conv2d of 64 kernels 3 x 3, {name}"] = ways(
            [shape, (64, 64, 3, 3)],
            lambda x, w: nn.conv2d(x, w, padding=1),
            lambda x, w: functional.conv2d(x, w, padding=1),
            "Conv",
            pads=[1, 1, 1, 1],
        )
    return made


if __name__ == "__main__":
    sys.exit(
        main(
            sys.argv[1:],
            "networks",
            (__doc__ or "").partition(":")[0],
            cases,
            lambda case: None if "bits" in case else 1e-3,  # integers of 8 bits differ by more
            PAGES / "networks.md",
        )
    )
