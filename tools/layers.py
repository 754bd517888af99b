"""The layers of the source: which layers each may use, and a picture of its uses.

usage: python tools/layers.py [--draw]

Reports imports, cimports and includes against the direction of the layers, as ``make lint`` does.
``--draw`` writes docs/architecture.svg from the actual ones.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "architecture.svg"

#: The layer of a file or module: the entry of the longest prefix of its path.
PLACES = {
    "corepy/": "drop-in",
    "corepy/_config": "config",
    "corepy/_format": "text",
    "corepy/_environment": "config",
    "corepy/_cython/__init__": "families",
    "corepy/_cython/core": "core",
    "corepy/_cython/cpu": "families",
    **{
        f"corepy/_cython/cpu/{part}.pxi": "core"
        for part in ("backend", "copies", "elementwise", "reductions", "scans")
    },
    "corepy/_cython/drawing": "drop-in",
    "corepy/numpy/dispatch": "drop-in",
    "corepy/_cython/inference": "backend",
    "corepy/_cython/kernels": "kernels",
    "corepy/_cython/layout": "layout",
    "corepy/_cython/layout/plans": "plans",
    "corepy/_cython/lazy": "lazy",
    "corepy/_cython/operations": "families",
    "corepy/_cython/schema": "schema",
    "corepy/_cython/settings": "settings",
    "corepy/_gpu": "gpu",
    "corepy/array_api": "array_api",
    "corepy/backend": "backend",
    "corepy/lazy": "drop-in",
}
#: The layers, from the top: what each is, and those that it may use.
LAYERS = {
    "drop-in": (
        "import corepy as np: threads, memory, NumPy's other names",
        {
            "array_api",
            "backend",
            "config",
            "settings",
            "lazy",
            "families",
            "core",
            "text",
            "schema",
        },
    ),
    "array_api": ("the standard, one module for each page", {"families", "core", "backend"}),
    "gpu": (
        "CUDA: launch path, kernels, CuPy's storage",
        {"lazy", "backend", "settings", "plans", "core", "kernels", "layout", "schema"},
    ),
    "lazy": (
        "deferred operations: nodes, groups, the device that records",
        {"families", "core", "settings", "kernels"},
    ),
    "backend": (
        "registry, choice of devices, backends in Python, corrections, inference",
        {"config", "settings", "lazy", "plans", "core"},
    ),
    "config": (
        "settings, checked, and what the environment says of them",
        {"settings", "lazy", "core"},
    ),
    "families": (
        "cpu/: families of operations; the table of operations",
        {"plans", "core", "kernels", "layout"},
    ),
    "plans": (
        "indices with arrays, arange, linspace, meshgrid, roll: CPU and GPUs",
        {"core", "layout"},
    ),
    "core": (
        "Tensor, Device, Backend, dispatch; the CPU's hot operations",
        {"kernels", "layout", "settings", "text"},
    ),
    "settings": ("of the process and of the current context, predictions", set()),
    "text": ("repr, str and HTML of a tensor", set()),
    "kernels": ("C++ SIMD kernels, threads, memory pool", {"layout", "schema"}),
    "layout": ("broadcasting, axes of operands, progressions: for the CPU and GPUs", set()),
    "schema": ("operations, dtypes, special cases", set()),
}
#: Files that import no library: they are handed what they need.
WITHOUT_LIBRARIES = "corepy/backend/corrections/"
#: Libraries that one layer alone imports.
LIBRARIES = {"cupy": "gpu", "cupyx": "gpu", "cupy_backends": "gpu"} | dict.fromkeys(
    ("torch", "dask", "distributed"), "backend"
)

IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+)?c?import\s+\(?([\w., ]*)", re.M)
INCLUDE = re.compile(r'^\s*#include "([^"]+)"|cdef extern from "([\w./]+)"', re.M)


def layer_of(path: str) -> str:
    """Return the layer of a file, by its path from the root."""
    return PLACES[max((place for place in PLACES if path.startswith(place)), key=len)]


def modules_in(text: str) -> list[str]:
    """Return the modules that Python or Cython source imports, as paths."""
    found = []
    text = re.sub(r"^if TYPE_CHECKING:\n(?:(?: {4}.*)?\n)+", "", text, flags=re.M)
    for package, names in IMPORT.findall(text):
        package = package.replace("cython.cimports.", "").replace(".", "/")
        for name in names.replace(".", "/").split(","):
            path = "/".join(filter(None, (package, name.split()[0] if name.strip() else "")))
            # A name that is no module is an attribute of the package.
            found.append(path if not package or list(ROOT.glob(f"{path}*")) else package)
    return found


def used_by(path: Path) -> list[str]:
    """Return the imports and includes of a file, as paths from the root or names of libraries."""
    text = path.read_text()
    if path.suffix == ".py":
        return modules_in(text)
    found = modules_in(text) if path.suffix in (".pyx", ".pxd", ".pxi") else []
    gpu = [ROOT / "corepy/_gpu"] if layer_of(str(path.relative_to(ROOT))) == "gpu" else []
    for name in [first or second for first, second in INCLUDE.findall(text)]:
        folders = [path.parent, *gpu, ROOT / "corepy/_cython/kernels"]
        paths = [(folder / name).resolve() for folder in folders]
        found += [str(p.relative_to(ROOT)) for p in paths if p.is_file()][:1]
    return found


def uses() -> tuple[Counter[tuple[str, str]], list[str]]:
    """Return the number of files of a layer that use another layer, and the forbidden uses."""
    counts: Counter[tuple[str, str]] = Counter()
    wrong = []
    for path in sorted((ROOT / "corepy").rglob("*")):
        if path.suffix not in (".py", ".pyx", ".pxd", ".pxi", ".cpp", ".hpp", ".cuh"):
            continue
        name = str(path.relative_to(ROOT))
        layer = layer_of(name)
        others = set()
        for target in used_by(path):
            library = target.partition("/")[0]
            if library == "corepy":
                used = layer_of(target + "/" if target == "corepy" else target)
                others |= {used} - {layer}
                allowed = used == layer or used in LAYERS[layer][1]
            else:
                allowed = LIBRARIES.get(library, layer) == layer and (
                    not name.startswith(WITHOUT_LIBRARIES) or library in sys.stdlib_module_names
                )
            if not allowed:
                wrong.append(f"{name}: layer {layer!r} may not use {target}")
        counts.update((layer, used) for used in others)
    return counts, wrong


def picture(counts: Counter[tuple[str, str]]) -> str:
    """Return the picture: a box for each layer, with the numbers of files that use other layers."""
    width, height, gap = 760, 44, 14
    lines = []
    for number, (layer, (what, _)) in enumerate(LAYERS.items()):
        y = gap + number * (height + gap)
        used = [f"{other} {counts[layer, other]}" for other in LAYERS if counts[layer, other]]
        lines += [
            f'<rect x="10" y="{y}" width="{width - 20}" height="{height}" rx="4"/>',
            f'<text x="22" y="{y + 18}" class="name">{layer}</text>',
            f'<text x="120" y="{y + 18}">{what}</text>',
            f'<text x="120" y="{y + 35}" class="uses">uses {", ".join(used) or "nothing"}</text>',
        ]
    style = (
        "rect{fill:#f4f6f8;stroke:#5a6b7b}text{font:13px sans-serif;fill:#1c2833}"
        ".name{font-weight:bold}.uses{fill:#5a6b7b}"
    )
    total = gap + len(LAYERS) * (height + gap)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{total}">\n'
        f"<style>{style}</style>\n" + "\n".join(lines) + "\n</svg>\n"
    )


def main(arguments: list[str]) -> int:
    """Report what is against the direction of the layers, or draw."""
    counts, wrong = uses()
    print(*wrong, sep="\n", end="\n" * bool(wrong))
    if "--draw" in arguments:
        PICTURE.write_text(picture(counts))
    elif PICTURE.read_text() != picture(counts):
        wrong.append("")
        print("docs/architecture.svg is not up to date: run python tools/layers.py --draw")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
