"""Slycot: arrays of Corepy as arguments of Fortran's functions.

f2py copies arguments that Fortran writes to only if they are NumPy's arrays, see `scipy`; others
lost their elements, and results were wrong. It has no entry point for this. The functions of
``slycot._wrapper`` are called with arrays of NumPy's. Tested with Slycot 0.7 and python-control.
"""

from __future__ import annotations

from corepy.integrations.scipy import add_to_fortran

COMPLETE = {"slycot._wrapper": add_to_fortran}
