"""The table has a row for each public function, and each row a function."""

from standard import computing_functions

import corepy

from .table import MODULES, TABLE


def test_every_public_function_is_in_the_table():
    assert sorted(set(computing_functions()) - set(TABLE)) == []


def test_every_row_is_a_public_function():
    assert sorted(set(TABLE) - set(computing_functions())) == []


def test_no_function_has_two_rows():
    names = [case.name for module in MODULES for case in module.CASES]
    assert len(names) == len(set(names))


def test_inspection_is_the_same_on_both_devices():
    one, other = (corepy.namespace(d).__array_namespace_info__() for d in ("cpu", "reference"))
    assert one.dtypes() == other.dtypes()
    for kind in ("bool", "integral", "real floating", "complex floating", ("bool", "numeric")):
        assert one.dtypes(kind=kind) == other.dtypes(kind=kind)
    assert one.default_dtypes() == other.default_dtypes()
    assert [str(info.default_device()) for info in (one, other)] == ["cpu", "reference"]
    assert set(one.capabilities()) == set(other.capabilities())
