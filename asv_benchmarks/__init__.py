"""Corepy's benchmarks: the asv suite in ``benchmarks/``, and ``overhead`` for small operations."""
