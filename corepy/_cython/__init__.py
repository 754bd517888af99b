"""The Tensor and the CPU backend."""
