"""Docstrings of the drop-in's functions, made from entries when somebody asks for them.

The files in ``documentation/`` have one entry for each function, in the form of the comments in
``_cython/schema/operations/``::

    [average]
    Compute the weighted mean over axes.

    Differs: ...
    weights (array_like): One weight for each element. None means equal weights.
    Returns (ndarray or scalar): ...
    Raises (ZeroDivisionError): If the weights add up to 0.
    Examples:
        >>> import corepy as np
        >>> np.average([1, 2, 3], weights=[3, 2, 1])
        np.float64(1.6666666666666667)

Lines after the first go on with four spaces; ``\\`` alone ends a paragraph within a field. Of
what an entry does not have, the standard's docstring is taken, if the function is the standard's,
and descriptions of parameters from the entry ``[*]``, or ``[ufunc]`` for the keywords of ufuncs; a
section without text, as ``Raises:``, leaves out the standard's. A method of the array that has the
name of a function has its docstring, too, but for what the entry ``[ndarray.NAME]`` says.
`of` renders all parameters of the signature, as numpydoc.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterable
from functools import cache
from importlib import resources
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

#: The columns of a docstring's line.
WIDTH = 100
SECTIONS = ("Returns", "Yields", "Raises", "See Also", "Notes", "References", "Examples")
#: Modules whose functions differ by the name of the series, and how their functions begin.
SERIES = {
    "chebyshev": ("Chebyshev", "cheb"),
    "hermite": ("Hermite", "herm"),
    "hermite_e": ("HermiteE", "herme"),
    "laguerre": ("Laguerre", "lag"),
    "legendre": ("Legendre", "leg"),
    "polynomial": ("power", "poly"),
}
#: Types that an array_like can have.
NUMBERS = "bool|int|float|complex|Python number|Python scalar"
UFUNC_METHODS = ("accumulate", "at", "outer", "reduce", "reduceat", "resolve_dtypes")
ON_THE_HOST = (
    "NumPy computes it, over the memory of arrays on the CPU; move arrays of other devices with "
    "``to_device`` first."
)


class Field(NamedTuple):
    """What an entry says of a parameter, or a section; `type` is empty if it is not given."""

    type: str
    text: str


class Entry(NamedTuple):
    """The documentation of a function: `fields` by head, which for parameters is their name."""

    summary: str
    text: str
    fields: dict[str, list[Field]]


EMPTY = Entry("", "", {})
#: What the drop-in has where the standard has a Tensor.
KINDS = {"Parameters": "array_like", "Returns": "ndarray", "Raises": "", "Yields": "ndarray"}


def parse(lines: Iterable[str]) -> Entry:
    """Return the entry that lines describe."""
    head: list[str] = []
    fields: dict[str, list[Field]] = {}
    current: list[str] = []
    for line in lines:
        found = re.fullmatch(
            r"(\w+(?:, \w+)*|See Also)(?: \(([^()]*(?:\([^()]*\)[^()]*)*)\))?:(?: (.*))?", line
        )
        if found:
            current = [found[3] or ""]
            for name in found[1].split(", ") if found[1] not in SECTIONS else [found[1]]:
                fields.setdefault(name, []).append(Field(found[2] or "", current))  # type: ignore[arg-type]
        elif fields:
            current.append(line[4:])
        else:
            head.append(line)
    summary, _, text = "\n".join(head).strip().partition("\n\n")
    return Entry(
        " ".join(summary.split()),
        text.strip(),
        {
            name: [Field(kind, "\n".join(text).strip()) for kind, text in each]
            for name, each in fields.items()
        },
    )


@cache
def entries() -> dict[str, Entry]:
    """Return all entries by the functions' paths."""
    found: dict[str, Entry] = {}
    for file in sorted(resources.files(__package__).joinpath("documentation").iterdir(), key=str):
        if not file.name.endswith(".txt"):
            continue
        blocks = re.split(r"^\[(.+)\]$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for names, text in zip(blocks[1::2], blocks[2::2], strict=True):
            for name in names.split(", "):
                found[name] = parse(text.strip("\n").splitlines())
    return found


def find(path: str) -> Entry | None:
    """Return the entry of a function at a path such as ``"linalg.svd"``, or None."""
    if path in entries():
        return entries()[path]
    module, _, name = path.rpartition(".")
    if name in UFUNC_METHODS:
        return entries()[f"ufunc.{name}"]
    if module == "char":
        return find(f"strings.{name}")
    kind = module.removeprefix("polynomial.")
    if kind not in SERIES or kind == module:
        return None
    title, prefix = SERIES[kind]
    entry = entries().get(f"polynomial.*.{name.removeprefix(prefix)}", EMPTY)
    if entry is EMPTY or not name.startswith(prefix):
        return None

    def named(text: str) -> str:
        return text.replace("{series}", title).replace("{module}", kind).replace("{prefix}", prefix)

    fields = {
        head: [Field(named(each.type), named(each.text)) for each in each_head]
        for head, each_head in entry.fields.items()
    }
    return Entry(named(entry.summary), named(entry.text), fields)


def positional(signature: inspect.Signature) -> list[str]:
    """Return the names of the parameters that may be given by position."""
    parameters = signature.parameters.values()
    return [p.name for p in parameters if p.kind not in (p.KEYWORD_ONLY, p.VAR_KEYWORD)]


def of_standard(
    function: Any, own: inspect.Signature, signature: inspect.Signature, of_ufunc: bool
) -> Entry:
    """Return the docstring of a function of the standard, whose signature is `own`, for one with a
    signature of NumPy's.
    """
    names = list(signature.parameters)
    renamed = {
        name: other
        for name, other in zip(positional(own), positional(signature), strict=False)
        if name not in names and other not in own.parameters
    }
    parts = re.split(r"^(.+)\n-{3,}\n", inspect.getdoc(function) or "", flags=re.MULTILINE)
    summary, _, extended = parts[0].strip().partition("\n\n")
    fields: dict[str, list[Field]] = {}

    def for_drop_in(text: str) -> str:
        parts = re.split(r"(``[^`]+``)", text)
        for name, other in renamed.items():
            parts[1::2] = [re.sub(rf"\b{name}\b", other, part) for part in parts[1::2]]
        text = "".join(parts).replace("import corepy.array_api as xp", "import corepy as np")
        text = re.sub(r"(\A|\.\s)``self``", r"\1The array", text).replace("``self``", "the array")
        return re.sub(r"\b0-d (if|for)\b", r"a scalar \1", re.sub(r"\bxp\.", "np.", text))

    def as_array(found: re.Match[str]) -> str:  # its name is shorter by one column
        return found[0].replace("Tensor(", "array(").replace("\n ", "\n")

    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        if title in ("Parameters", "Returns", "Raises", "Yields"):
            for head, kind, description in items(body):
                text = for_drop_in(description)
                kind = re.sub(r"\bTensor\b", KINDS[title], kind.removesuffix(", optional"))
                kind = re.sub(rf"\barray_like(?:,? (?:or )?(?:{NUMBERS}))+", "array_like", kind)
                if title == "Returns" and (
                    of_ufunc or ("a scalar" in text and "or scalar" not in kind)
                ):
                    kind = kind.replace("ndarray", "ndarray or scalar")
                if title != "Parameters" and head:
                    kind = f"{head} : {kind}"
                for name in head.split(", ") if title == "Parameters" else [title]:
                    name = name.lstrip("*")
                    fields.setdefault(renamed.get(name, name), []).append(Field(kind, text))
        else:
            text = for_drop_in(body.strip())
            if title == "Examples":
                text = re.sub(r"^\W*Tensor\(.*(?:\n .*)*", as_array, text, flags=re.MULTILINE)
            fields[title] = [Field("", text)]
    summary = for_drop_in(" ".join(summary.split()))
    return Entry(summary, for_drop_in(extended.strip()), fields)


def items(body: str) -> list[tuple[str, str, str]]:
    """Return name, type and text of each item of a numpydoc section; of results no name."""
    found = []
    for head, text in re.findall(
        r"^(\S.*)\n((?:(?:[ ].*)?\n?)*)", body.strip() + "\n", re.MULTILINE
    ):
        name, separator, kind = head.partition(" : ")
        text = textwrap.dedent(text).strip()
        found.append((name, kind, text) if separator else ("", head, text))
    return found


def parameter_field(
    parameter: inspect.Parameter, own: Entry, standard: Entry, of_ufunc: bool
) -> Field | None:
    """Return what is known of a parameter, or None."""
    name = parameter.name
    sources = [own.fields, standard.fields]
    if of_ufunc:
        sources.append(entries()["ufunc"].fields)
    sources.append(entries()["*"].fields)
    return next((fields[name][0] for fields in sources if name in fields), None)


def described(parameters: list[inspect.Parameter], field: Field | None) -> str:
    """Return parameters with one description as numpydoc has them."""
    first = parameters[0]
    star: dict[Any, str] = {first.VAR_POSITIONAL: "*", first.VAR_KEYWORD: "**"}
    kind, text = field or Field("", "")
    if has_default(first) and not kind.endswith("optional"):
        kind = f"{kind}, optional" if kind else "optional"
    head = ", ".join(star.get(each.kind, "") + each.name for each in parameters)
    return f"{head} : {kind}\n{indented(text)}" if kind else f"{head}\n{indented(text)}"


def has_default(parameter: inspect.Parameter) -> bool:
    """Return whether a parameter may be left out."""
    return parameter.default is not parameter.empty


def indented(text: str) -> str:
    """Return wrapped paragraphs, four columns in; code, lists and tables as they are."""
    return textwrap.indent(wrapped(text, WIDTH - 4), "    ")


def filled(text: str, width: int) -> str:
    """Return a paragraph, wrapped."""
    return textwrap.fill(" ".join(text.split()), width, break_on_hyphens=False)


def wrapped(text: str, width: int = WIDTH) -> str:
    """Return text with its paragraphs wrapped; blocks with indented lines or code as they are."""
    found = []
    for block in re.split(r"\n\\?\n|\n\\\n", text):
        as_it_is = re.search(r"^(?: |>>>|\.\.|[-*] )", block, re.MULTILINE)
        found.append(block if as_it_is else filled(block, width))
    return "\n\n".join(found)


def render(
    entry: Entry, standard: Entry, signature: inspect.Signature, of_ufunc: bool, on_host: bool
) -> str:
    """Return the docstring of a function with these entries, its own and the standard's."""
    parts = [entry.summary or standard.summary]
    differences = [field.text for field in entry.fields.get("Differs", [])]
    if differences:
        parts.append(wrapped("Differences from NumPy: " + "\n\n".join(differences)))
    fields_of = {
        name: parameter_field(each, entry, standard, of_ufunc)
        for name, each in signature.parameters.items()
        if name != "self"
    }
    takes_arrays = any(
        field and name != "like" and "array" in field.type for name, field in fields_of.items()
    )
    text = entry.text or standard.text
    parts += [
        wrapped(each) for each in (text, ON_THE_HOST if on_host and takes_arrays else "") if each
    ]
    together = groupby(
        (signature.parameters[name] for name in fields_of),
        lambda each: (fields_of[each.name] or each.name, has_default(each)),
    )
    groups = [list(group) for _, group in together]
    parameters = [described(group, fields_of[group[0].name]) for group in groups]
    if parameters:
        parts.append(section("Parameters", "\n".join(parameters)))
    for title in SECTIONS:
        fields = entry.fields.get(title) or standard.fields.get(title)
        if not fields or not any(fields[0]):
            continue
        if title in ("Returns", "Yields", "Raises"):
            body = "\n".join(f"{kind or 'ndarray'}\n{indented(text)}" for kind, text in fields)
        elif title == "Examples":
            body = fields[0].text
            if ">>> import corepy as np" not in body:
                body = f">>> import corepy as np\n{body}"
        else:
            body = wrapped(fields[0].text)
        parts.append(section(title, body))
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def section(title: str, body: str) -> str:
    """Return a section of numpydoc's."""
    return f"{title}\n{'-' * len(title)}\n{body}"


def of(
    path: str,
    signature: inspect.Signature,
    standard: Callable[..., Any] | None = None,
    *,
    of_ufunc: bool = False,
    on_host: bool = False,
) -> str | None:
    """Return the docstring of a function of the drop-in.

    Parameters
    ----------
    path : str
        Where it is, as ``"linalg.svd"``.
    signature : inspect.Signature
        NumPy's.
    standard : callable, optional
        The standard's function.
    of_ufunc : bool, optional
        Whether it has the keywords of ufuncs.
    on_host : bool, optional
        Whether NumPy computes every call.

    Returns
    -------
    str or None
        None: there is no entry, and the standard does not have the function.
    """
    entry = find(path)
    if entry is None and standard is None:
        return None
    known = EMPTY
    if standard is not None:
        known = of_standard(standard, inspect.signature(standard), signature, of_ufunc)
    return render(entry or EMPTY, known, signature, of_ufunc, on_host)


def signature_of(function: Any, path: str) -> inspect.Signature:
    """Return the signature of the function at a path; if it has none, the documented parameters."""
    found: inspect.Signature | None = getattr(function, "__signature__", None)
    if found is None:  # of functions written in C that say nothing of it
        fields = (find(path) or EMPTY).fields
        names = ["self"] * path.startswith("ndarray.")
        names += [name for name in fields if name not in (*SECTIONS, "Differs")]
        found = inspect.Signature(
            [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names]
        )
    return found


def of_function(function: Any) -> str | None:
    """Return the docstring of a `corepy.numpy.dispatch.Function`; NumPy's if there is no entry."""
    path = function.path.partition(".")[2]
    of_ufunc = isinstance(function, np.ufunc)
    on_host = not function.implementations
    signature = signature_of(function, path)
    known = of(path, signature, function.standard, of_ufunc=of_ufunc, on_host=on_host)
    return function.native.__doc__ if known is None else known


#: An array in an example: a list, a name, a call or a number.
ARRAY = r"(\[(?:[^][]|\[(?:[^][]|\[[^][]*\])*\])*\]|[\w.]+(?:\((?:[^()]|\([^()]*\))*\))?)"


def of_method(method: Any, function: Any) -> str:
    """Return the docstring of a `corepy.numpy.ndarray.Method`.

    Parameters
    ----------
    method : Method
    function : Function or None
        That of the same name.
    """
    name, path = method.__name__, f"ndarray.{method.__name__}"
    signature, known = signature_of(method, path), EMPTY

    def as_method(call: re.Match[str]) -> str:
        array = f"np.array({call[1]})" if call[1][0] in "[0123456789" else call[1]
        return f"{array}.{name}("

    if function is not None:
        known = of_standard(function, signature_of(function, name), signature, False)
        examples = re.sub(
            rf"np\.{name}\({ARRAY}(?:, |(?=\)))", as_method, known.fields["Examples"][0].text
        )
        known.fields["Examples"] = [Field("", examples)]
        also = [each.text for each in known.fields.get("See Also", [])]
        known.fields["See Also"] = [Field("", ", ".join([f"corepy.{name}", *also]))]
    return render(find(path) or EMPTY, known, signature, False, False)
