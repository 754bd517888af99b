# The (dtype, shape) of an operation's result, or a tuple of those, without computing it.
cpdef object infer(str operation, tuple inputs, dict params=*)
