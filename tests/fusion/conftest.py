"""Settings of the tests of deferred tensors."""

import pytest

import corepy


@pytest.fixture(autouse=True)
def threshold():
    """Defer regardless of size."""
    with corepy.config(fusion_threshold=0):
        yield
