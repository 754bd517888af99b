"""Plans of layouts that the CPU and GPUs share."""
