# Reports of bad indices: a kernel that finds one writes it to memory of the host, for which nobody
# waits. Operations that wait for the device read the reports of all kernels that they waited for.
#
# Needs kernels.

from corepy._cython.settings import setting

cdef enum:
    REPORT = 16              # bytes: 1 if an index is out of range, and the index
    REPORTS_OF_PAGE = 256
    MOST_REPORTS = 4096      # open at a time; then all kernels are waited for
    LAST_LASTING_STREAM = 1  # 0 and 1 are handles of the default stream


cdef object queue_of(GpuBackend backend, int device):
    """What stands for a device's current stream: None for the default one. While others are
    referenced their handles are not those of new streams.
    """
    if <uintptr_t>backend.stream(device) <= LAST_LASTING_STREAM:
        return None
    return backend._runtime.current_stream(device)


@cython.final
cdef class Reports:
    """The reports of a backend's kernels."""

    cdef readonly list open  # (address, device, queue, function, axis, size)
    cdef list free           # addresses
    cdef list pages          # memory
    cdef object error        # the first that was found, until it is raised

    def __init__(self):
        self.open, self.free, self.pages = [], [], []

    cdef long long* take(self, GpuBackend backend) except NULL:
        """A report that no kernel has."""
        cdef uintptr_t address
        if not self.free:
            page = backend._runtime.allocate_mapped(REPORT * REPORTS_OF_PAGE)
            self.pages.append(page)
            address = page.ptr
            self.free.extend(range(address, address + REPORT * REPORTS_OF_PAGE, REPORT))
        address = self.free.pop()
        return <long long*>address

    cdef int launched(
        self, GpuBackend backend, long long* report, Device device, str function, axis,
        Py_ssize_t size,
    ) except -1:
        """A kernel with a report was launched in the device's current stream."""
        queue = queue_of(backend, device.index)
        self.open.append((<uintptr_t>report, device.index, queue, function, axis, size))
        if len(self.open) >= MOST_REPORTS:
            self.wait_for_all(backend)
        elif setting("check_indices") == "now":
            backend.synchronize()
        return 0

    cdef int wait_for_all(self, GpuBackend backend) except -1:
        """Wait for all streams: some of the open reports may be of streams that nobody uses."""
        cdef list waiting = self.begin()
        try:
            backend._runtime.synchronize_devices()
        except BaseException:
            self.cancel(waiting)
            raise
        for entry in waiting:
            self.close(entry)
        return self.fail()

    cdef list begin(self):
        """The open reports, before their kernels are waited for."""
        cdef list waiting = self.open
        self.open = []  # of kernels that other threads launch from now on
        return waiting

    cdef int cancel(self, list waiting) except -1:
        """Their kernels were not waited for."""
        if waiting:
            self.open[:0] = waiting
        return 0

    cdef list end(self, list waiting, int device, queue):
        """Read the reports of kernels in a stream that was waited for; return the others."""
        cdef list others = []
        for entry in waiting:
            if entry[1] == device and entry[2] == queue:
                self.close(entry)
            else:
                others.append(entry)
        return others

    cdef int close(self, tuple entry) except -1:
        """Read the report of a kernel that was waited for, and have others use it."""
        address, _, _, function, axis, size = entry
        cdef long long* report = <long long*><uintptr_t>address
        if report[0]:
            report[0] = 0
            if self.error is None:
                self.error = IndexError(
                    f"{function}: index {report[1]} is out of bounds for axis {axis} with "
                    f"size {size}"
                )
        self.free.append(address)
        return 0

    cdef int fail(self) except -1:
        """Raise the error that was found."""
        error, self.error = self.error, None
        if error is not None:
            raise error
        return 0

    cdef object downloaded(self, GpuBackend backend, object native, int device):
        """Copy to the host, which waits for the device's current stream."""
        cdef list waiting = self.begin()
        queue = queue_of(backend, device)
        try:
            array = backend._runtime.download(native, device)
        except BaseException:
            self.cancel(waiting)
            raise
        # Without elements there is no wait.
        self.cancel(self.end(waiting, device, queue) if array.size else waiting)
        self.fail()
        return array
