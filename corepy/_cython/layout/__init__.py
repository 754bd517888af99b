"""Axes of operands (axes.hpp) and plans of indices, for the CPU and GPUs."""
