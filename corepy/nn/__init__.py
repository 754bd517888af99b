"""Operations of neural networks, for inference: functions of arrays, without gradients.

There are no modules, no automatic differentiation and no training here: PyTorch and JAX have them.
Names, layouts and defaults are those of `torch.nn.functional`, with ``axis`` for ``dim``. Each
function is composed of functions of the array API standard, in the namespace of its first array: it
takes tensors of any device, and arrays of other libraries. Devices may have kernels in its place.
"""

from corepy.nn._activations import gelu, log_softmax, relu, sigmoid, silu, softmax, softplus
from corepy.nn._images import avg_pool2d, conv2d, max_pool2d
from corepy.nn._kernel_backend import KernelBackend
from corepy.nn._normalization import layer_norm, rms_norm
from corepy.nn._quantized import QuantizedMatrix, quantize
from corepy.nn._sequences import embedding, linear, rope, scaled_dot_product_attention

__all__ = [
    "KernelBackend",
    "QuantizedMatrix",
    "avg_pool2d",
    "conv2d",
    "embedding",
    "gelu",
    "layer_norm",
    "linear",
    "log_softmax",
    "max_pool2d",
    "quantize",
    "relu",
    "rms_norm",
    "rope",
    "scaled_dot_product_attention",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
]
