"""Which of the backends by kernels work here, and what installs them."""

import os

import pytest

from corepy.backend import get_backend

os.environ.setdefault("XDG_RUNTIME_DIR", "/tmp")  # Vulkan's loader warns without it

INSTALL = {
    "opencl": "pip install 'corepy[opencl]'; apt-get install pocl-opencl-icd",
    "webgpu": "pip install 'corepy[webgpu]'; apt-get install mesa-vulkan-drivers",
}
REASONS = {name: get_backend(name).missing() for name in INSTALL}
AVAILABLE = [name for name, reason in REASONS.items() if not reason]


def skip_without():
    """Skip a module if none of them works."""
    if not AVAILABLE:
        pytest.skip(f"{'; '.join([*REASONS.values(), *INSTALL.values()])}", allow_module_level=True)
