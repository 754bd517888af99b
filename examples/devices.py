"""One program on every device of the machine: light behind two slits, by the wave equation.

Run it with::

    python examples/devices.py [--steps 350] [--device NAME ...]

The program is written once, in the array API standard. A table says what each device takes for it,
with every operation computed at once and with chains of them computed together (`corepy.fuse`), how
far its result is from the CPU's, and how many operations another backend computed in its place.
"""

import argparse
import math
import sys
import time
import warnings
from functools import partial

import numpy as np

import corepy

ROWS, COLUMNS = 96, 192
WAVELENGTH, SPEED = 8.0, 0.7  # cells, and cells in a step: above 0.707 it is unstable
WALL, SLITS = 40, ((32, 38), (58, 64))
SHADES = " .:-=+*#%@"
KINDS = {"cpu": "SIMD kernels", "reference": "array-api-strict", "torch": "PyTorch"}
KINDS |= {"cuda": "CUDA kernels, CuPy", "rocm": "HIP kernels, CuPy"}
KINDS |= {"opencl": "OpenCL C kernels", "webgpu": "WGSL kernels"}


def program(xp, steps):
    """Return the mean intensity of light in each cell, and the wavelength before the wall."""
    x = xp.arange(COLUMNS, dtype=xp.float32)[None, :]
    y = xp.arange(ROWS, dtype=xp.float32)[:, None]
    to_edge = xp.minimum(xp.minimum(y, ROWS - 1 - y), COLUMNS - 1 - x)
    kept = xp.clip(0.92 + to_edge / 200, max=1.0)  # edges absorb
    is_open = x != WALL
    for first, last in SLITS:
        is_open = is_open | ((y >= first) & (y < last))
    kept = xp.where(is_open, kept, 0.0)[1:-1, 1:-1]

    now, before, intensity = (xp.zeros_like(to_edge) for _ in range(3))
    for step in range(steps):
        middle = now[1:-1, 1:-1]
        around = now[2:, 1:-1] + now[:-2, 1:-1] + now[1:-1, 2:] + now[1:-1, :-2]
        after = 2 * middle - before[1:-1, 1:-1] + SPEED**2 * (around - 4 * middle)
        before[1:-1, 1:-1] = after * kept
        now, before = before, now
        now[:, 0] = math.sin(2 * math.pi * SPEED * step / WAVELENGTH)
        intensity += now * now

    spectrum = xp.abs(xp.fft.rfft(now[ROWS // 2, :WALL]))
    return intensity / steps, WALL / max(int(xp.argmax(spectrum)), 1)


def measured(device, steps, context):
    """Return the results on a device, the intensity in host memory, and the seconds they took."""
    xp = corepy.namespace(device)
    for count in (2, steps):  # kernels are compiled first
        start = time.perf_counter()
        with context():
            intensity, wavelength = program(xp, count)
        intensity = np.asarray(intensity.to_device("cpu"))
    return intensity, wavelength, time.perf_counter() - start


def described(device):
    """Return what computes on a device; drivers of GPUs can be programs for the processor."""
    name = device.backend.name
    is_gpu = name not in ("opencl", "webgpu") or device.backend.chosen_automatically(device)
    return KINDS.get(name, name) + ("" if is_gpu else " on the processor")


def main(arguments=None):
    """Run the program everywhere; return 1 if the result of a device is far from the CPU's."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=350)
    parser.add_argument("--device", nargs="+", metavar="NAME", help="devices (all local ones)")
    options = parser.parse_args(arguments)
    devices = [corepy.Device(name) for name in options.device or ()]
    devices = devices or [each for each in corepy.available_devices() if not each.backend.remote]

    eager = partial(corepy.config, fusion=False)
    expected, wavelength, _ = measured("cpu", options.steps, eager)
    print(f"{'device':<12}{'':<36}{'eager':>9}{'fused':>9}{'difference':>12}  fallback")
    far, fallbacks = False, {}
    for device in devices:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            runs = [measured(device, options.steps, each) for each in (eager, corepy.fuse)]
        error = max(float(np.max(np.abs(run[0] - expected))) for run in runs)
        far |= not error < 1e-4 or any(run[1] != wavelength for run in runs)
        # There is one warning for each operation of a backend, whichever of its devices is first.
        known = fallbacks.setdefault(device.backend.name, [])
        texts = [str(each.message) for each in caught]
        known += [text.partition(":")[0] for text in texts if "computed by backend" in text]
        times = "".join(f"{run[2]:>7.2f} s" for run in runs)
        shown = f"{len(known)} ({', '.join(known)})" if known else "none"
        print(f"{device!s:<12}{described(device):<36}{times}{error:>12.0e}  {shown}", flush=True)

    brightness = np.sqrt(expected.reshape(16, ROWS // 16, 64, COLUMNS // 64).mean(axis=(1, 3)))
    brightness /= brightness[:, 64 * WALL // COLUMNS + 4 :].max() or 1  # behind the wall
    shades = np.array(list(SHADES))[(np.minimum(brightness, 1) * (len(SHADES) - 1)).astype(int)]
    print(f"\nwavelength {wavelength:.1f} cells", *map("".join, shades), sep="\n")
    return int(far)


if __name__ == "__main__":
    sys.exit(main())
