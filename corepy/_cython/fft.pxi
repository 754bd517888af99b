# Fourier transforms: NumPy's; SciPy's, where it is installed, for what is worth several threads.

cdef enum:
    FFT_THREADS_PAY = 65536   # elements in several transforms

cdef object scipy_fft = None


cdef object threaded_fft():
    """`scipy.fft`, or None where SciPy is not installed."""
    global scipy_fft
    if scipy_fft is None:
        try:
            import scipy.fft
            scipy_fft = scipy.fft
        except ImportError:
            scipy_fft = False
    return scipy_fft or None


def _enter_transforms():
    def transform(str name):
        def call(Tensor x not None, **params):
            if x.count >= FFT_THREADS_PAY and x.rank > 1 and num_threads() > 1:
                library = threaded_fft()
                if library is not None:
                    params["workers"] = num_threads()
                    return from_ndarray("fft", getattr(library, name)(as_ndarray(x), **params))
            # Looked up here: NumPy imports its own module when it is first asked for.
            return from_ndarray("fft", getattr(np.fft, name)(as_ndarray(x), **params))
        return call

    for kind in ("fft", "ifft", "rfft", "irfft"):
        OWN[f"fft.{kind}"] = transform(kind)
        OWN[f"fft.{kind}n"] = transform(kind + "n")
    for kind in ("hfft", "ihfft"):
        OWN[f"fft.{kind}"] = transform(kind)


_enter_transforms()


@own("fft.fftshift")
def _own_fftshift(Tensor x not None, *, tuple axes):
    return execute("roll", (x, tuple([x.dims[<int>axis] // 2 for axis in axes])), {"axis": axes})


@own("fft.ifftshift")
def _own_ifftshift(Tensor x not None, *, tuple axes):
    return execute("roll", (x, tuple([-(x.dims[<int>axis] // 2) for axis in axes])), {"axis": axes})
