"""Settings of the tests of deferred tensors."""

import pytest

import corepy


@pytest.fixture(autouse=True)
def all_sizes(not_deferring):
    """Defer in blocks alone, regardless of size, whatever the environment says."""
    with corepy.config(fusion_threshold=0):
        yield
