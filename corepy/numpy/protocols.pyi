"""What type checkers see of `protocols`: NumPy calls its functions as attributes of Tensor."""
