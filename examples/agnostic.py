"""A short tour: one function for every array, and tensors that move between devices.

Run it with::

    python examples/agnostic.py
"""

import numpy as np

import corepy
import corepy.array_api as xp


def standard_score(x):
    """Scale the columns of any library's array to mean 0 and standard deviation 1."""
    xp = x.__array_namespace__()
    return (x - xp.mean(x, axis=0)) / xp.std(x, axis=0)


def title(text):
    """Print a heading."""
    print(f"\n# {text}")


title("The namespace of the standard: what works here works in any library that follows it")
x = xp.reshape(xp.arange(6.0), (3, 2))
print(x @ x.T, xp.linalg.vector_norm(x), x[x[:, 0] > 1, :], sep="\n")

title("One function, every array")
print(standard_score(np.asarray([[1.0, 2.0], [3.0, 6.0]])))
print(standard_score(xp.asarray([[1.0, 2.0], [3.0, 6.0]])))

title("Devices: every tensor is on one, and to_device moves it")
devices = [str(device) for device in corepy.available_devices()]
print(devices)
for device in devices:
    moved = x.to_device(device)
    print(repr(standard_score(moved)))

title("namespace(device): the same namespace, with another device where tensors are made")
for device in devices:
    there = corepy.namespace(device)
    total = there.sum(there.ones((1000, 3)))
    print(f"{total.device}: {total:.1f}")

title("Tensors on two devices do not mix by accident")
for device in devices[1:]:
    try:
        x + x.to_device(device)
    except ValueError as error:
        print(f"{type(error).__name__}: {error}")

title("NumPy sees the same memory, without a copy")
view = np.asarray(x)
view[0, 0] = 100.0
print(x[0, 0], xp.from_dlpack(view)[0, 0])

title("So does PyTorch, through DLPack, both ways")
try:
    import torch
except ImportError:
    print("PyTorch is not installed: skipped")
else:
    tensor = torch.from_dlpack(x)
    tensor *= 2.0
    print(x[0, 0], xp.from_dlpack(tensor)[0, 0])
