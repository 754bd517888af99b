"""The functions of the standard that the namespace has."""

import corepy.array_api as xp


def public_functions():
    """Return the functions of the namespace and its extensions by name, as in ``"linalg.svd"``."""
    return {
        prefix + name: value
        for prefix, module in (("", xp), ("linalg.", xp.linalg), ("fft.", xp.fft))
        for name in module.__all__
        if callable(value := getattr(module, name)) and not isinstance(value, type)
    }


def computing_functions():
    """Return the same without inspection."""
    functions = public_functions()
    del functions["__array_namespace_info__"]
    return functions
