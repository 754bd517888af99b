"""The asv suite: one module per page of the standard, one class per operation.

Every class is parametrised over the libraries of `common.LIBRARIES`, so that one table shows
Corepy's devices beside NumPy.
"""
