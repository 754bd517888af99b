"""The examples of docs/interop.md, each of which names the library that it needs."""

import re
from importlib import import_module
from pathlib import Path

import pytest

import corepy as np

TEXT = Path(__file__).parents[2].joinpath("docs/interop.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python (\S+)\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
NAMES = {
    "PIL.Image": "Image", "dask.array": "da", "jax.numpy": "jnp", "matplotlib.pyplot": "plt",
    "networkx": "nx", "pandas": "pd", "polars": "pl", "safetensors.numpy": "safetensors",
    "skimage.filters": "filters", "statsmodels.api": "sm", "xarray": "xr",
}  # fmt: skip


@pytest.mark.parametrize("library, code", EXAMPLES, ids=[library for library, _ in EXAMPLES])
def test_examples(library, code):
    pytest.importorskip(library)
    if library == "matplotlib.pyplot":
        import_module("matplotlib").use("Agg")
    exec(code, {"np": np, NAMES.get(library, library): import_module(library)})


def test_every_library_has_an_example():
    assert len(EXAMPLES) == len({library for library, _ in EXAMPLES}) == 20
