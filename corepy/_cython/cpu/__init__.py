"""The CPU backend's families of operations that are modules of their own."""
