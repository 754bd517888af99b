# Attaches `__dlpack_c_exchange_api__` to the Tensor when it is imported.
