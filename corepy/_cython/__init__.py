"""The Tensor and the CPU backend."""

# It imports the core and enters DLPack's functions in C.
import corepy._cython.cpu.exchange  # noqa: F401
