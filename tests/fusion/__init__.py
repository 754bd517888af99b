"""Deferred and fused computation, compared with the eager way."""
