"""Backends by kernels in OpenCL C and WGSL: ``opencl:0``, ``webgpu:0``.

The source of a kernel is written once, in WGSL, and translated to OpenCL C (`dialects`). It is made
of expressions of elements (`table`, `functions`) within loops (`render`). `backend` has the
operations, and `opencl` and `webgpu` the devices, with their memory and launches.
"""
