"""The functors of kernels/*.cuh are the operations of operations.def."""

import re
from pathlib import Path

from strategies import read_operations

import corepy

KERNELS = Path(corepy.__file__).parent / "_gpu" / "kernels"
#: Functors that are no operation of the list: what moves elements, and casts.
OTHERS = {"copy"}


def functors():
    """The class templates in namespace corepy::op; names of helpers begin with a capital."""
    names = set()
    for path in KERNELS.glob("*.cuh"):
        for part in re.findall(r"^namespace op \{$(.*?)^\}  // namespace op$", path.read_text(),
                               re.MULTILINE | re.DOTALL):  # fmt: skip
            names.update(re.findall(r"^struct ([a-z]\w*)\s*[:{]", part, re.MULTILINE))
            names.update(re.findall(r"^COREPY_\w+\((\w+)", part, re.MULTILINE))
    return names


def test_each_operation_has_a_functor_and_the_reverse():
    assert functors() == {name for name, *_ in read_operations()} | OTHERS
