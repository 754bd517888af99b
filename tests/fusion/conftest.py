"""Settings of the tests of deferred tensors."""

import pytest

import corepy
from corepy import _config


@pytest.fixture(autouse=True)
def defaults():
    """Defer in blocks alone, regardless of size, whatever the environment says."""
    corepy.config(fusion=False, fusion_threshold=32768)
    try:
        with corepy.config(fusion_threshold=0):
            yield
    finally:
        corepy.config(
            fusion=_config._FUSION,
            fusion_threshold=_config._THRESHOLD,
            fusion_codegen=_config._CODEGEN,
        )
