"""Functions of the namespace are written from the rows of the schema and their comments."""

import ast
import importlib
import sys
from pathlib import Path

import pytest

import corepy

sys.path.insert(0, str(Path(corepy.__file__).parent / "_cython" / "schema"))
from records import Row, read

pages = pytest.importorskip("pages", reason="the generator is in the source tree")

COMMENT = """\
Cubes of the elements.
x: Edges
Returns: The volumes, {rules}; zeros keep their sign.
Notes: One paragraph,
    in two lines.

    Another one.
Examples:
    >>> 2**3
    8""".splitlines()

SOURCE = '''\
def cube(x: Tensor, /) -> Tensor:
    """Cubes of the elements.

    Parameters
    ----------
    x : Tensor
        Edges; bool or real dtype (bool and integers are computed as float64).

    Returns
    -------
    Tensor
        The volumes, of the floating-point dtype of ``x`` (float64 for bool and integers); zeros
        keep their sign.

    Raises
    ------
    TypeError
        If ``x`` has a complex dtype.

    Notes
    -----
    One paragraph, in two lines.

    Another one.

    References
    ----------
    array API 2025.12, elementwise_functions.cube

    Examples
    --------
    >>> import corepy.array_api as xp
    >>> 2**3
    8
    """
    return core.unary(core.OP_cube, x)
'''


def function(comment, signature="(x, /)", work="unary", rules=("bool_or_real", "floating", "same")):
    columns = ((rule,) for rule in rules)
    return pages.Function(
        Row("elementwise_functions", "cube", work, signature, *columns, tuple(comment))
    )


def test_source_of_a_function():
    assert function(COMMENT).source() == SOURCE
    *signatures, last = function(COMMENT).stub().split("@overload\n")
    assert last == "def cube(x: Tensor, /) -> Tensor: ...\n"
    assert signatures == [
        "",
        "def cube(x: Tensor[_ShapeT, np.dtype[_InexactT]], /) "
        "-> Tensor[_ShapeT, np.dtype[_InexactT]]: ...\n",
        "def cube(x: Tensor[_ShapeT, np.dtype[_Integral]], /) "
        "-> Tensor[_ShapeT, np.dtype[np.float64]]: ...\n",
    ]


def test_named_tuples():
    comment = (
        "Roots.",
        "Returns (PairResult.low): One of them.",
        "Returns (PairResult.high): The other one.",
    )
    pair = function(comment, "(x: array, /)", "", ("all", "same", "same"))
    assert pair.result_class(stub=True).startswith("class PairResult(NamedTuple):")
    assert pair.source().endswith(
        '    low, high = core.compute("cube", (x,))\n    return PairResult(low, high)\n'
    )


class WithoutArguments(ast.NodeTransformer):
    """Replaces Tensor of some shape and dtype by Tensor."""

    def visit_Subscript(self, node):
        if ast.unparse(node.value) in ("Tensor", "_TensorOf"):
            return ast.Name("Tensor")
        return self.generic_visit(node)


@pytest.mark.parametrize("page", pages.WRITTEN)
def test_stubs_have_the_annotations_of_the_functions(page):
    module = importlib.import_module(f"corepy.array_api.{page}")
    stub = WithoutArguments().visit(ast.parse(pages.stub(page)))
    # Of several signatures the last one, which is the most general.
    functions = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
    assert {*functions} <= {*module.__all__}
    for node in functions.values():
        found = {each.arg: each.annotation for each in ast.walk(node) if isinstance(each, ast.arg)}
        expected = getattr(module, node.name).__annotations__
        in_stub = {
            name: ast.unparse(each) for name, each in (found | {"return": node.returns}).items()
        }
        assert in_stub == {name: ast.unparse(ast.parse(each)) for name, each in expected.items()}


def test_what_is_said_of_all_pages_parameters():
    text = function(
        ("Sum.", "Returns: The sums"),
        "(x, /, *, axis=None, keepdims: flag = False)",
        "reduce",
        ("all", "same", "reduced"),
    ).source()
    assert "axis : int, tuple of int or None, optional\n" in text
    assert "numpy.exceptions.AxisError\n        If there is no such axis.\n" in text
    assert "of the dtype of ``x``: 0-d if ``axis`` is None, else of the shape" in text


@pytest.mark.parametrize(
    ("comment", "signature", "error"),
    [
        (("Cubes.", "y: None."), "(x, /)", "does not say what it returns"),
        (("Cubes.", "Returns: They.", "y: None."), "(x, /)", "'y: None.' is in no field"),
        (("Cubes.", "Returns: They."), "(x, /, *, y=1)", "cube: y has no annotation"),
        (("Cubes.", "Returns: They.", "y (int):"), "(x, /, *, y=1)", "cube: y is not described"),
    ],
)
def test_incomplete_documentation(comment, signature, error):
    with pytest.raises(SystemExit, match=error):
        function(comment, signature).source()


def test_comments_of_rows(tmp_path):
    (tmp_path / "page.def").write_text("// One.\n// Two.\nNAME(a)\nNAME(b)\n")
    (tmp_path / "all.def").write_text('// Head.\n\n#include "page.def"\nROW(c, (x, y),\n    d)\n')
    assert read(tmp_path / "all.def") == [
        ("NAME", ["a"], ("One.", "Two.")),
        ("NAME", ["b"], ()),
        ("ROW", ["c", "(x, y)", "d"], ()),
    ]
