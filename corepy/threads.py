"""Threads: how many of them compute an operation on the CPU.

Large operations are shared by the threads of one pool; small ones stay on the calling
thread. Results do not depend on the number of threads. It is, by default, the number of processors
that the calling thread may run on, within the quota of its control group. The environment variable
``COREPY_NUM_THREADS`` sets another, and where that is not set ``OMP_NUM_THREADS`` does, so that
workers of joblib, Dask and the like, which set it, do not compete for processors.

threadpoolctl sees the pool and limits it: ``threadpoolctl.threadpool_limits(1)``.
"""

from __future__ import annotations

import operator

from corepy._cython import core
from corepy._environment import MOST_THREADS

__all__ = ["get_num_threads", "set_num_threads"]


def __dir__() -> list[str]:
    return sorted(__all__)


def get_num_threads() -> int:
    """Return how many threads an operation may use, the calling one included.

    Returns
    -------
    int
        What was set, or else the number of processors that the calling thread may run on, within
        the quota of its control group.

    Examples
    --------
    >>> import corepy
    >>> corepy.get_num_threads() >= 1
    True
    """
    return core.get_num_threads()


def set_num_threads(n: int | None) -> None:
    """Set how many threads an operation may use, in the whole process.

    Parameters
    ----------
    n : int or None
        The number of threads, the calling one included; at least 1. None goes back to the number
        of processors.

    Raises
    ------
    TypeError
        `n` is not an integer.
    ValueError
        `n` is less than 1.

    Examples
    --------
    >>> import corepy
    >>> before = corepy.get_num_threads()
    >>> corepy.set_num_threads(1)
    >>> corepy.get_num_threads()
    1
    >>> corepy.set_num_threads(before)
    """
    if n is None:
        core.set_num_threads(0)
        return
    try:
        count = operator.index(n)
    except TypeError:
        raise TypeError(f"set_num_threads: n must be an int or None, got {n!r}") from None
    if count < 1:
        raise ValueError(f"set_num_threads: n must be at least 1, got {n}")
    core.set_num_threads(min(count, MOST_THREADS))
