"""Deferred operations: nodes, their execution in groups, and the device that records them."""
