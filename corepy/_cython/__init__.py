"""The Tensor and the CPU backend."""

# Imports the core and all families of operations, and enters their operations.
import corepy._cython.operations  # noqa: F401
