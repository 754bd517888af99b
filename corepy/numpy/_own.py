"""Corepy's own implementations of NumPy's functions, by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

#: The names of the functions, by the module that has them, for each of NumPy's namespaces. A module
#: is imported when one of its functions is first called.
FUNCTIONS = {
    "corepy": {
        "_bits": "packbits ravel_multi_index unpackbits",
        "_calculus": """
            convolve correlate cumprod cumsum diff ediff1d gradient interp nancumprod nancumsum
            polyadd polyder polyfit polymul polysub polyval trapezoid unwrap
        """,
        "_creation": """
            arange asanyarray empty empty_like eye full full_like geomspace identity linspace
            logspace ones ones_like vander zeros zeros_like
        """,
        "_einsum": "einsum",
        "_elementwise": """
            angle around deg2rad degrees divmod exp2 fabs fix float_power fmod ldexp modf rad2deg
            radians real_if_close rint round sinc
        """,
        "_errors": "errstate geterr seterr",
        "_files": "load save savez savez_compressed",
        "_grids": """
            c_ diag_indices diag_indices_from fromfunction indices ix_ mask_indices meshgrid mgrid
            ogrid r_ tri tril_indices tril_indices_from triu_indices triu_indices_from unravel_index
        """,
        "_histograms": "bincount digitize histogram histogram2d histogram_bin_edges",
        "_joining": """
            append array_split block column_stack concatenate delete dsplit dstack hsplit hstack
            insert repeat resize split stack tile vsplit vstack
        """,
        "_logic": """
            allclose array_equal array_equiv clip fill_diagonal isclose iscomplex iscomplexobj
            isneginf isposinf isreal isrealobj iterable may_share_memory nan_to_num ndim shape
            shares_memory size
        """,
        "_nan": """
            nanargmax nanargmin nanmax nanmean nanmedian nanmin nanpercentile nanprod nanquantile
            nanstd nansum nanvar
        """,
        "_padding": "pad",
        "_products": "cross inner kron outer tensordot trace vdot",
        "_quantiles": "median percentile quantile",
        "_shapes": """
            apply_along_axis apply_over_axes asfortranarray atleast_1d atleast_2d atleast_3d
            broadcast_arrays broadcast_to copy diag diagflat diagonal expand_dims flip fliplr flipud
            ravel reshape roll rollaxis rot90 squeeze swapaxes transpose trim_zeros
        """,
        "_sorting": """
            argpartition argsort argwhere choose compress copyto extract flatnonzero intersect1d
            isin lexsort partition piecewise place put put_along_axis putmask select setdiff1d
            setxor1d sort take take_along_axis union1d unique where
        """,
        "_statistics": """
            all amax amin any argmax argmin average corrcoef cov max mean min prod ptp std sum var
        """,
        "_windows": "bartlett blackman hamming hanning",
        "frequent": "array asarray ascontiguousarray dot",
    },
    "corepy.fft": {
        "_fft": "fft fft2 fftn hfft ifft ifft2 ifftn ihfft irfft irfft2 irfftn rfft rfft2 rfftn",
    },
    "corepy.linalg": {
        "_linalg": "cond lstsq matrix_rank multi_dot norm pinv qr svd tensordot",
    },
    "corepy.polynomial.chebyshev": {
        "_series": "chebval polyval",
    },
    "corepy.polynomial.polynomial": {
        "_series": "chebval polyval",
    },
}

_MODULES = {
    f"{where}.{name}": module
    for where, modules in FUNCTIONS.items()
    for module, names in modules.items()
    for name in names.split()
}


def find(path: str) -> Callable[..., Any] | None:
    """Return the implementation of the function at a path such as ``"corepy.median"``, or None."""
    module = _MODULES.get(path)
    if module is None:
        return None
    return getattr(import_module(f"corepy.numpy.{module}"), path.rpartition(".")[2])
