"""How far the elementary functions are from the exact values, in units in the last place.

``python -m tests.accuracy`` measures every function in every floating-point dtype on every
instruction set of the machine, prints the worst points next to NumPy's on the same points, and with
``--update-docs`` writes the table of ``docs/accuracy.md``. ``test_accuracy.py`` asserts the bar,
1 ULP, on fewer points, and ``test_complex_accuracy.py`` that of complex numbers' components.
"""
