"""NumPy's functions keep a tensor on its device; an operator does not move an array of NumPy there.

With the dispatch to array namespaces off, scikit-learn calls numpy.unique with the tensor, and
compares its classes with numpy.asarray([0, 1]).
"""

import numpy

import corepy

xp = corepy.namespace("torch:cpu")
classes = numpy.unique(xp.asarray([0, 0, 1, 1]))
assert classes.device == corepy.device("torch:cpu")
# sklearn.metrics: det_curve, precision_recall_curve, roc_curve (_check_pos_label_consistency)
try:
    classes == numpy.asarray([0, 1])  # noqa: B015
except ValueError:
    pass
else:
    raise AssertionError("operands on different devices were taken")
