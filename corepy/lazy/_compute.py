"""Computing deferred tensors, and the plans of their computations."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from corepy._cython.core import Tensor
from corepy._cython.lazy import recorder

if TYPE_CHECKING:
    from corepy.lazy._plan import Plan


def compute(*tensors: Tensor, progress: bool = False) -> Any:
    """Compute deferred tensors together.

    Parameters
    ----------
    *tensors : Tensor
        Tensors of any device; those that are computed already are left as they are. Those on
        ``dask`` are computed by one call of its scheduler, which does work that several need once;
        their chunks are in this process afterwards.
    progress : bool, optional
        Whether work that takes half a second or more shows its progress: on the standard error the
        passes over memory that are done, and the part of the blocks of the current one; on
        ``dask`` by Dask's own bars. By default it does not.

    Returns
    -------
    Tensor or tuple of Tensor
        The same objects: one, or a tuple of them.

    Raises
    ------
    TypeError
        An argument is not a Tensor, or `progress` not a bool.
    MemoryError
        There is no memory for the results; the tensors stay deferred.
    KeyboardInterrupt
        The computation was interrupted by Ctrl-C. Tensors that it had not computed stay deferred,
        and can be computed later.

    See Also
    --------
    persist : leaves the chunks on a cluster.

    Examples
    --------
    >>> import corepy, corepy.array_api as xp
    >>> x = xp.linspace(0, 1, 1_000_001)
    >>> with corepy.fuse():
    ...     least, greatest = corepy.compute(xp.min(x * 2), xp.max(x * 2))
    >>> float(least), float(greatest)
    (0.0, 2.0)
    """
    if not isinstance(progress, bool):
        raise TypeError(f"compute: progress must be a bool, got {type(progress).__name__}")
    return _computed("compute", tensors, progress)


def persist(*tensors: Tensor) -> Any:
    """Compute tensors together, and leave their elements where they are computed.

    Parameters
    ----------
    *tensors : Tensor
        Tensors of any device. The chunks of those on ``dask`` stay in the memory of the cluster's
        workers, as long as a tensor refers to them; without a cluster they are in this process.
        Tensors of other devices are computed as by `compute`.

    Returns
    -------
    Tensor or tuple of Tensor
        The same objects: one, or a tuple of them. With a cluster they are computed in the
        background.

    Raises
    ------
    TypeError
        An argument is not a Tensor.

    See Also
    --------
    compute : brings chunks into this process.
    """
    return _computed("persist", tensors)


def _computed(method: str, tensors: tuple[Tensor, ...], progress: bool = False) -> Any:
    """Compute tensors by a method of their backends, each of which is given its own."""
    require_tensors(method, tensors)
    from corepy.lazy._progress import Progress

    with Progress() if progress else nullcontext():
        recorder.compute(*tensors)
    backend: Any  # that of Dask has a bar of its own
    for backend in dict.fromkeys(x.device.backend for x in tensors):
        own = tuple(x for x in tensors if x.device.backend is backend)
        with backend.progress(own) if progress and backend.name == "dask" else nullcontext():
            getattr(backend, method)(own)
    return tensors[0] if len(tensors) == 1 else tensors


def is_deferred(x: Any) -> bool:
    """Return whether `x` is a tensor whose elements are not computed yet.

    Parameters
    ----------
    x : object

    Returns
    -------
    bool
    """
    return recorder.is_pending(x)


def explain(*tensors: Tensor) -> Plan:
    """Describe how deferred tensors would be computed, without computing them.

    Parameters
    ----------
    *tensors : Tensor
        Those that are not deferred are left out.

    Returns
    -------
    Plan
        The groups of operations, each computed in one pass over memory, in order: inputs,
        operations, stored results, the bytes that are kept out of memory, and why the group ends.
        ``str()`` returns it as text, ``svg()`` as a picture. Both end with the last operation of
        the current block, if there is one, that was computed at once as code outside of Corepy
        may write to the memory of an operand.

    Raises
    ------
    TypeError
        An argument is not a Tensor.

    See Also
    --------
    corepy.lazy.last_plan : the same for the last computation.

    Notes
    -----
    Other pending tensors that share operands with these are computed with them, and so are in the
    plan. Operands of a few reductions of views cannot be computed in blocks; this is known only
    when they are computed, and `last_plan` then has one more group.

    Examples
    --------
    >>> import corepy, corepy.array_api as xp
    >>> x = xp.linspace(0, 1, 1_000_000)
    >>> with corepy.fuse():
    ...     print(corepy.explain(xp.sum(x * 2)))
    1 group, 2 operations, 8,000,000 bytes kept out of memory
    group 1: shape (1000000,), in blocks of 4,096 elements
        x1: float64 (1000000,), 8,000,000 bytes read
        t1 = multiply(x1, 2.0): float64 (1000000,), 8,000,000 bytes kept out of memory
        t2 = sum(t1, axis=0): float64 (), 8 bytes stored
        ends: a reduction
    """
    require_tensors("explain", tensors)
    from corepy.lazy._plan import Plan

    return Plan(recorder.explain(*tensors), recorder.sharing())


def last_plan() -> Plan | None:
    """Return how deferred tensors were computed the last time in this process.

    Returns
    -------
    Plan or None
        The result of `corepy.explain` just before; None if nothing was computed yet.
    """
    record = recorder.last_plan()
    if record is None:
        return None
    from corepy.lazy._plan import Plan

    return Plan(record)


def require_tensors(function: str, tensors: tuple[Any, ...]) -> None:
    """Raise TypeError unless all are tensors."""
    for x in tensors:
        if not isinstance(x, Tensor):
            raise TypeError(f"{function}: expected Tensors, got {type(x).__name__}")
