"""What is known of a device of the machine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DeviceProperties:
    """One device of the machine.

    Attributes
    ----------
    index : int
        Its number among the devices of its backend, as in ``"cuda:0"``.
    name : str
        The name that its driver gives.
    total_memory, free_memory : int or None
        Bytes; None where they are unknown.
    compute_capability : tuple of two ints, or None
        Major and minor version of the instruction set of a GPU.
    unified_memory : bool
        Whether the device shares the memory of the CPU.
    backend : str
        The backend of the device: "cpu", "cuda", "rocm", "metal", "opencl" or "webgpu".
    automatic : bool
        Whether it may be chosen without being named: not if its driver computes on the processor.
    """

    index: int
    name: str
    total_memory: int | None
    free_memory: int | None
    compute_capability: tuple[int, int] | None
    unified_memory: bool
    backend: str
    automatic: bool = True
