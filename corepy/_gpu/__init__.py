"""The CUDA backend: CuPy's storage, Corepy's kernels."""
