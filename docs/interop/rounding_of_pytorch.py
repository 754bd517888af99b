"""PyTorch rounds an element by where it is in an array: in a vector, or in the rest after the last.

The tests demand equal results of arrays that have the same elements in other places, or exact zeros
of products that cancel.
"""

import torch

torch.manual_seed(0)
z, w = (torch.randn(64, dtype=torch.complex128) for _ in range(2))
x = torch.rand(500, dtype=torch.float64)
# scipy.signal: zeros and poles are multiplied (test_ba_output), spectra (TestHilbert)
assert not torch.equal(z * w, torch.stack([a * b for a, b in zip(z, w, strict=True)]))
# scipy.stats: bias-corrected bootstrap (BCa) takes powers of 1.5
assert not torch.equal(x**1.5, torch.stack([value**1.5 for value in x]))
