"""Sphinx extension: writes the pages of the API reference to ``reference/generated/``.

Each public function and class has a page, which is made of its docstring (numpydoc's sections), its
signature, and what follows from the code: who computes it, on which devices, whether it is
deferred. A section has a page with a table of its names. Nothing is written that did not change, so
that Sphinx reads again only what did.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from numpydoc.docscrape_sphinx import SphinxDocString
from sphinx.application import Sphinx
from sphinx.util.inventory import InventoryFile

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]
import numpy_names  # noqa: E402
import operations  # noqa: E402

import corepy  # noqa: E402
import corepy.nn  # noqa: E402
import corepy.testing  # noqa: E402
from corepy import array_api  # noqa: E402
from corepy.numpy.dispatch import Function, UFunc  # noqa: E402

STANDARD = "https://data-apis.org/array-api/2025.12"
INVENTORY = ROOT / "docs" / "_inventories" / "numpy.inv"

#: Other names of documented objects, for links to them.
ALIASES: dict[str, str] = {}

#: Classes with a page for each of their members.
LARGE = {"Tensor", "ndarray"}

#: Sections of the drop-in by module of `corepy.numpy`: pages of the standard, and others.
TOPICS = {
    "_bits": "elementwise_functions",
    "_calculus": "calculus",
    "_creation": "creation_functions",
    "_einsum": "linear_algebra_functions",
    "_elementwise": "elementwise_functions",
    "_errors": "errors",
    "_files": "files",
    "_grids": "creation_functions",
    "_histograms": "statistical_functions",
    "_joining": "manipulation_functions",
    "_logic": "utility_functions",
    "_nan": "statistical_functions",
    "_padding": "manipulation_functions",
    "_products": "linear_algebra_functions",
    "_quantiles": "statistical_functions",
    "_shapes": "manipulation_functions",
    "_sorting": "sorting_functions",
    "_statistics": "statistical_functions",
    "_ufuncs": "elementwise_functions",
    "_windows": "windows",
    "frequent": "creation_functions",
}
TITLES = {
    "calculus": "Differences, integrals, interpolation and polynomials",
    "errors": "Floating-point errors",
    "files": "Files",
    "host": "Functions of NumPy on host memory",
    "windows": "Window functions",
}
KINDS = {
    "agnostic": "by Corepy's own function over those of the standard, on every device; NumPy "
    "computes calls with arguments that it does not take, over host memory",
    "forwarded": "by NumPy over the tensors' memory, on `cpu` alone; its results are tensors over "
    "NumPy's memory",
}


class Item(NamedTuple):
    """A documented name: its path, as ``"corepy.linalg.svd"``, and the object."""

    path: str
    value: Any

    @property
    def module(self) -> str:
        return self.path.rpartition(".")[0]

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]


class Section(NamedTuple):
    """A page with a table of names, in the order of the sidebar; `sections` are below it."""

    file: str
    title: str
    text: str
    items: list[Item]
    sections: Sequence[Section] = ()
    plain: Sequence[tuple[str, str]] = ()  # names without a page, and what they are


# ---- what there is


def items_of(module: ModuleType, names: list[str] | None = None) -> list[Item]:
    """Return the functions and classes of a module."""
    values = {n: getattr(module, n) for n in names or sorted(module.__all__) if n[:2] != "__"}
    return [
        Item(f"{module.__name__}.{name}", value)
        for name, value in values.items()
        if callable(value) and not isinstance(value, ModuleType)
    ]


def of_the_standard() -> Section:
    """Return the sections of `corepy.array_api`, one for each page of the standard."""
    sections = []
    pages = {row.page for row in operations.ROWS} - {"nn", "numpy"} | {"data_types", "constants"}
    # The extensions last: what is in both is documented in the main namespace.
    for name in sorted(pages, key=lambda name: (name in ("linalg", "fft"), name)):
        page = import_module(f"corepy.array_api.{name}")
        where = page if name in ("linalg", "fft") else array_api
        names = [n for n in page.__all__ if n in vars(where)]
        values = [(n, getattr(page, n)) for n in names]
        plain = [(n, f"``{v!r}``") for n, v in values if not callable(v) or isinstance(v, type)]
        functions = sorted(n for n in names if n not in dict(plain))
        items = items_of(where, functions) if functions else []
        text = inspect.cleandoc(page.__doc__ or "")
        sections.append(Section(f"array_api.{name}", title_of(name), text, items, plain=plain))
    text = f"""
The functions, constants and dtypes of the `array API standard 2025.12 <{STANDARD}>`__, in the
namespace ``corepy.array_api``; its page for each is linked. Arrays are `corepy.Tensor`."""
    return Section("array_api", "The standard: corepy.array_api", text, [], sections)


def of_numpy() -> Section:
    """Return the sections of ``import corepy as np``."""
    sections: dict[str, Section] = {}

    def section(file: str, title: str) -> Section:
        found = Section(f"numpy.{file}", title, "", [])
        return sections.setdefault(file, found)

    # In this order.
    pages = sorted({row.page for row in operations.ROWS} - {"linalg", "fft", "nn"})
    for page in [*pages, *sorted(TITLES)]:
        section(page, title_of(page))
    objects: list[tuple[str, str]] = []
    for group, paths in numpy_names.groups().items():
        if group == "ndarray":
            continue
        for path in paths:
            kind = numpy_names.kind_of(path)
            if kind == "not offered":
                continue
            value = numpy_names._at(corepy, path)
            if not callable(value) or kind == "NumPy's":
                objects.append((f"corepy.{path}", link_to_numpy(path)))
            elif group == "top level":
                section(topic_of(value), "").items.append(Item(f"corepy.{path}", value))
            else:
                module = path.rpartition(".")[0]
                section(module, f"corepy.{module}").items.append(Item(f"corepy.{path}", value))
    text = """
NumPy's interface on every device: ``import corepy as np``. :doc:`/numpy_users` says what differs
from NumPy, :doc:`/numpy` has all names in one table. Arrays are `corepy.ndarray`."""
    theirs = (
        "Names of ``import corepy as np`` that are NumPy's own objects: dtypes, scalar types, "
        "constants, and classes and functions that only these need."
    )
    last = Section("numpy.objects", "Objects of NumPy", theirs, [], plain=objects)
    found = [section for section in sections.values() if section.items]
    return Section("numpy", "NumPy's interface: import corepy as np", text, [], [*found, last])


def topic_of(value: Any) -> str:
    """Return the section of a function of the drop-in's top level."""
    if not isinstance(value, Function):
        return "host" if not value.__module__.startswith("corepy") else "utility_functions"
    if value.standard is not None:
        return value.standard.__module__.rpartition(".")[2]
    if isinstance(value, UFunc):
        return "elementwise_functions"
    modules = [function.__module__.rpartition(".")[2] for function in value.implementations]
    return TOPICS[modules[0]] if modules else "host"


def sections() -> list[Section]:
    """Return all sections of the reference."""
    beside = [name for name in corepy.__all__ if name not in corepy.numpy.NAMES]
    settings = {"config", "set_config", "show_config"}
    lazy = {*corepy.lazy.__all__}
    backend = [n for n in corepy.backend.__all__ if n not in beside and n != "tensor"]
    rest = [n for n in beside if n not in settings | lazy and "threads" not in n]
    return [
        Section(
            "arrays", "Arrays", "The class of all arrays, and that of ``import corepy as np``.",
            [Item("corepy.Tensor", corepy.Tensor), Item("corepy.ndarray", corepy.ndarray)],
        ),
        of_the_standard(),
        of_numpy(),
        Section(
            "devices", "Devices", "Devices, the namespace of one, and the backends in use.",
            items_of(corepy, sorted(rest)),
        ),
        Section(
            "settings", "Settings, threads and memory", "",
            [*items_of(corepy, sorted(settings & {*dir(corepy)})),
             *items_of(corepy, ["get_num_threads", "set_num_threads"]),
             *items_of(corepy.memory)],
        ),
        Section(
            "lazy", "Fusion: corepy.lazy", text_of(corepy.lazy),
            [*items_of(corepy, sorted(lazy & {*beside})),
             *items_of(corepy.lazy, sorted(lazy - {*beside}))],
        ),
        Section("nn", "Neural networks: corepy.nn", text_of(corepy.nn), items_of(corepy.nn)),
        Section(
            "backend", "Backends: corepy.backend", text_of(corepy.backend),
            items_of(corepy.backend, sorted(backend)),
        ),
        Section(
            "testing", "Tests: corepy.testing", text_of(corepy.testing), items_of(corepy.testing)
        ),
        Section(
            "integrations", "Other libraries: corepy.integrations", text_of(corepy.integrations),
            items_of(corepy.integrations),
        ),
    ]  # fmt: skip


def title_of(page: str) -> str:
    """Return the title of a page of the standard."""
    known = {"linalg": "corepy.array_api.linalg", "fft": "corepy.array_api.fft"}
    return TITLES.get(page) or known.get(page) or page.replace("_", " ").capitalize()


def text_of(module: ModuleType) -> str:
    """Return a module's docstring, of which indented parts are literal."""
    text = inspect.cleandoc(module.__doc__ or "")
    return re.sub(r"(?<=\n\n)(?=    \S)", "::\n\n", text)


# ---- docstrings


def own_text(value: Any, native: Any = None) -> str:
    """Return the docstring of an object; empty if it is that of NumPy's object, or a part of it."""
    text = inspect.cleandoc(getattr(value, "__doc__", None) or "")
    theirs = " ".join((getattr(native, "__doc__", None) or "").split())
    return "" if native is not None and theirs.startswith(" ".join(text.split())) else text


def native_of(path: str) -> Any:
    """Return NumPy's object of the same path, or None."""
    try:
        return numpy_names.original(path.removeprefix("corepy."))
    except AttributeError:
        return None


def summary(value: Any, native: Any = None) -> str:
    """Return the first sentence of a docstring that is Corepy's."""
    return " ".join(own_text(value, native).split("\n\n")[0].split())


def docstring(value: Any, native: Any = None) -> str:
    """Return the docstring of an object as numpydoc renders it; empty if it is NumPy's text."""
    text = own_text(value, native)
    if not text:
        return ""
    parsed = SphinxDocString(text, config={"use_plots": False})
    lines = []
    for line in parsed["References"]:
        found = re.fullmatch(r"array API 2025\.12, (\w+)\.([\w.]+)", line.strip())
        lines.append(f"- Standard: {link_to_standard(*found.groups())}" if found else line)
    parsed["References"] = []
    parsed["Signature"] = ""
    references = "\n.. rubric:: References\n\n" + "\n".join(lines) + "\n" if lines else ""
    return re.sub(r"\n{3,}", "\n\n", str(parsed)) + references


def link_to_standard(page: str, name: str) -> str:
    """Return a link to the standard's page of a name."""
    folder, prefix = "API_specification", ""
    if page in ("linalg", "fft"):
        folder, prefix = "extensions", f"{page}."
    if page == "array_object":
        prefix = "array."
    url = f"{STANDARD}/{folder}/generated/array_api.{prefix}{name}.html"
    return f"`array API 2025.12, {name} <{url}>`__"


_inventory: set[str] = set()


def link_to_numpy(path: str) -> str:
    """Return a link to NumPy's documentation of a name, or the name if it has none."""
    if not _inventory:
        with INVENTORY.open("rb") as file:
            found = InventoryFile.load(file, "", lambda base, uri: uri)
        _inventory.update(n for kind, names in found.items() if kind[:3] == "py:" for n in names)
    name = f"numpy.{path}"
    return f":external+numpy:py:obj:`{name}`" if name in _inventory else f"``{name}``"


def signature(value: Any) -> str:
    """Return the signature without annotations."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):  # as of some classes in C
        return "(...)" if callable(value) else ""
    empty = inspect.Parameter.empty
    parameters = [p.replace(annotation=empty) for p in found.parameters.values()]
    found = found.replace(parameters=parameters, return_annotation=inspect.Signature.empty)
    text = re.sub(r"<(?:class|function) '?([\w.]+)'?(?: at \w+)?>", r"\1", str(found))
    return re.sub(r" at 0x\w+", "", text)


# ---- pages


def computation(item: Item) -> Iterator[str]:
    """Yield the lines of a page that say who computes a function."""
    value, name = item.value, item.path.removeprefix("corepy.").removeprefix("array_api.")
    if isinstance(value, Function):
        standard = value.standard
        operation = name if isinstance(value, UFunc) else ""
        if standard is not None:
            page = standard.__module__.removeprefix("corepy.array_api.")
            operation = f"{page}." * (page in ("linalg", "fft")) + standard.__name__
            beside = " and its own with NumPy's signature" * (len(value.implementations) > 1)
            yield (
                f"- Computed by :py:func:`corepy.array_api.{operation}`{beside}, on every device; "
                "NumPy computes calls with arguments that are not taken, over host memory."
            )
        elif operation in OPERATIONS:
            yield "- Computed by Corepy's kernels and backends, on every device."
        elif (kind := numpy_names.kind_of(name)) in KINDS:
            yield f"- Computed {KINDS[kind]}."
        missing = numpy_names.parameters_of(name)[0] if value.implementations else []
        if missing:
            yield f"- Left to NumPy: {', '.join(f'``{each}``' for each in missing)}."
        yield f"- NumPy's documentation: {link_to_numpy(name)}"
    elif item.path.startswith("corepy.array_api."):
        operation = name
    else:
        operation = name.removeprefix("nn.") if name.startswith("nn.") else ""
    if operation in OPERATIONS:
        yield f"- Devices: {operations.devices(operation)}"
        known = "yes" if operation in operations.deferred() else "no"
        yield f"- Deferred (:doc:`/fusion`): {known}."


OPERATIONS = {row.name for row in operations.ROWS}


def indented(text: str) -> str:
    """Return text as the content of a directive."""
    return "\n".join(f"   {line}".rstrip() for line in text.splitlines())


def head(title: str, mark: str = "=") -> str:
    """Return a title."""
    return f"{title}\n{mark * len(title)}\n"


def function_page(item: Item) -> str:
    """Return the page of a function."""
    text = docstring(item.value, native_of(item.path)) or "NumPy's function, with its arguments.\n"
    facts = "\n".join(computation(item))
    facts = f"\n.. rubric:: Computation\n\n{facts}\n" if facts else ""
    directive = f".. py:function:: {item.name}{signature(item.value)}\n\n{indented(text + facts)}\n"
    return f"{head(item.path)}\n.. py:currentmodule:: {item.module}\n\n{directive}"


def members_of(value: type) -> dict[str, Any]:
    """Return the public members of a class, and of its bases in Corepy."""
    found: dict[str, Any] = {}
    for cls in value.__mro__:
        if cls.__module__.startswith("corepy"):
            found = {n: v for n, v in vars(cls).items() if n[0] != "_"} | found
    # What is not there: an error says what is instead.
    return {n: found[n] for n in sorted(found) if type(found[n]).__name__ != "_Missing"}


def member(cls: Item, name: str, value: Any) -> str:
    """Return the directive of a member of a class."""
    kind = type(value).__name__
    function = getattr(value, "__func__", value)
    native = native_of(f"{cls.path}.{name}")
    text = docstring(function, native)
    if not text and native is not None:
        text = f"As NumPy's: {link_to_numpy(f'{cls.path}.{name}'.removeprefix('corepy.'))}\n"
    if callable(function) and kind not in ("property", "getset_descriptor"):
        shown = re.sub(r"\((?:self|cls)(?:, /)?(?:, )?", "(", signature(function), count=1)
        option = f"   :{kind}:\n" if kind in ("classmethod", "staticmethod") else ""
        line = f".. py:method:: {cls.name}.{name}{shown}\n{option}"
    else:
        line = f".. py:property:: {cls.name}.{name}\n"
    return f"{line}\n{indented(text)}\n"


def class_pages(item: Item) -> dict[str, str]:
    """Return the pages of a class, by path: one, or one more for each member."""
    kind = "exception" if issubclass(item.value, BaseException) else "class"
    line = f".. py:{kind}:: {item.name}{signature(item.value)}"
    start = f".. py:currentmodule:: {item.module}\n\n"
    text = docstring(item.value, native_of(item.path))
    members = members_of(item.value)
    page = f"{head(item.path)}\n{start}{line}\n\n{indented(text)}\n\n"
    if item.name not in LARGE:
        found = "\n".join(member(item, *pair) for pair in members.items())
        return {item.path: page + indented(found) + "\n"}
    if item.value is corepy.ndarray:  # the others are Tensor's
        members = {n: v for n, v in members.items() if n in vars(item.value)}
    rows = [
        (f":py:obj:`{n} <{item.path}.{n}>`", summary(v, native_of(f"{item.path}.{n}")))
        for n, v in members.items()
    ]
    below = [f"{item.path}.{name}" for name in members]
    page += table(rows) + toctree(below)
    return {item.path: page} | {
        path: f"{head(path)}\n{start}{member(item, path.rpartition('.')[2], value)}"
        for path, value in zip(below, members.values(), strict=True)
    }


def table(rows: Sequence[tuple[str, str]]) -> str:
    """Return a table of names and what they are."""
    if not rows:
        return ""
    lines = "\n".join(f"   * - {name}\n     - {text}".rstrip() for name, text in rows)
    return f".. list-table::\n   :class: api\n   :widths: auto\n\n{lines}\n\n"


def toctree(files: list[str]) -> str:
    """Return a hidden toctree."""
    lines = "\n".join(f"   {file.rpartition('.')[2]} <{file}>" for file in files)
    return f".. toctree::\n   :hidden:\n   :maxdepth: 1\n\n{lines}\n\n"


def section_page(section: Section, homes: dict[int, Item]) -> str:
    """Return the page of a section: its text, the tables of its names, the sections below it."""
    items = [homes[id(item.value)] for item in section.items]
    own = [item.path for item in section.items if item in items]
    rows = [
        (f":py:obj:`{item.name} <{item.path}>`", summary(item.value, native_of(item.path)))
        for item in items
    ]
    text = f"{head(section.title)}\n{section.text}\n\n"
    if section.plain:
        text += table([(f"``{name}``", what) for name, what in section.plain])
    text += table(rows) + (toctree(own) if own else "")
    if section.sections:
        lines = "\n".join(f"   section.{each.file}" for each in section.sections)
        text += f".. toctree::\n   :maxdepth: 1\n\n{lines}\n\n"
    return text


def flat(found: Sequence[Section]) -> Iterator[Section]:
    """Yield sections and those below them."""
    for section in found:
        yield section
        yield from flat(section.sections)


def pages() -> dict[str, str]:
    """Return the text of all pages, by the names of the files."""
    found: dict[str, str] = {}
    every = list(flat(sections()))
    homes: dict[int, Item] = {}  # an object with several names is documented at the first
    for section in every:
        for item in section.items:
            home = homes.setdefault(id(item.value), item)
            if home.path != item.path:
                ALIASES[item.path] = home.path
    for item in homes.values():
        if isinstance(item.value, type):
            found |= class_pages(item)
        else:
            found[item.path] = function_page(item)
    for section in every:
        found[f"section.{section.file}"] = section_page(section, homes)
    return found


def write(app: Sphinx) -> None:
    """Write the pages that changed, and remove those of names that are no more."""
    folder = Path(app.srcdir, "reference", "generated")
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {folder / f"{name}.rst": text for name, text in pages().items()}
    for path in {*folder.iterdir()} - {*wanted}:
        path.unlink()
    for path, text in wanted.items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
