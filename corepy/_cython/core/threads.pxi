# The number of threads, locks of threads that do not exist after a fork, and the interruption of
# operations by signals.

cdef extern from *:
    """
    #include <atomic>

    #include <unistd.h>

    namespace {

    // Python handles signals in its main thread alone.
    std::atomic<unsigned long> main_thread{0};

    // `report`, while there are reporters.
    std::atomic<int (*)(double)> reported{nullptr};

    // Whether a handler of a signal, or a reporter, raised an error in the calling thread, which is
    // set then. The thread has released the GIL.
    bool ends_by_error(double done) {
      const auto report = reported.load(std::memory_order_relaxed);
      if (!report && PyThread_get_thread_ident() != main_thread.load(std::memory_order_relaxed)) {
        return false;
      }
      const PyGILState_STATE state = PyGILState_Ensure();
      const pid_t process = getpid();
      bool ends = PyErr_CheckSignals() != 0 || (report && report(done) < 0);
      if (!ends && getpid() != process) {  // without the threads that compute parts
        PyErr_SetString(PyExc_RuntimeError,
                        "a handler of a signal forked the process while it computed an operation, "
                        "which only the parent goes on with");
        ends = true;
      }
      PyGILState_Release(state);
      return ends;
    }

    }  // namespace
    """
    cppbool ends_by_error(double) noexcept nogil
    void set_reported "reported.store"(int (*)(double) except -1)
    void set_main_thread "main_thread.store"(unsigned long)
    unsigned long calling_thread "PyThread_get_thread_ident"()


# The progress of computations is told to objects with methods `passes(index, count)` and
# `blocks(done)`, by threads.
cdef dict reporters = {}
cdef bint reporting = False


def set_reporter(reporter):
    """Have computations of the calling thread tell an object their progress; None: no longer.
    Return the object before.
    """
    global reporting
    before = reporters.pop(calling_thread(), None)
    if reporter is not None:
        reporters[calling_thread()] = reporter
    reporting = len(reporters) > 0
    if reporting:
        set_reported(report_blocks)
    else:
        set_reported(NULL)
    return before


cdef int report_pass(Py_ssize_t index, Py_ssize_t count) except -1:
    """Tell the reporter of the calling thread that a pass of some begins."""
    reporter = reporters.get(calling_thread())
    if reporter is not None:
        reporter.passes(index, count)
    return 0


cdef int report_blocks(double done) except -1:
    """Tell it which part of the blocks of a pass is done."""
    reporter = reporters.get(calling_thread())
    if reporter is not None and done >= 0:
        reporter.blocks(done)
    return 0


def wait_for_imports():
    """Wait until no other thread is importing one of Corepy's modules: a child that is forked
    meanwhile could never import it.
    """
    waited = None
    while True:
        names = [
            name for name, module in [*sys.modules.items()]
            if name.startswith("corepy.") and getattr(module.__spec__, "_initializing", False)
        ]
        if names == waited:  # none, or those that this thread is importing
            return
        for name in names:
            importlib.import_module(name)
        waited = names


def handle_signals_in_this_thread():
    """Have signals interrupt operations of the calling thread, which is Python's main thread."""
    set_main_thread(calling_thread())


# Where no program has imported `threading`, this is the thread that it takes for the main thread.
threading = sys.modules.get("threading")
set_main_thread(threading.main_thread().ident if threading else calling_thread())
set_interruption(ends_by_error)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=wait_for_imports, after_in_child=handle_signals_in_this_thread)


def get_num_threads():
    """Return the number of threads of an operation; see `corepy.get_num_threads`."""
    return num_threads()


def set_num_threads(int threads):
    """Set the number of threads of an operation; 0: the number of processors."""
    set_number_of_threads(threads)


def limit_num_threads(int threads):
    """Limit the number of threads that 0 stands for; 0: no limit."""
    limit_number_of_threads(threads)


def limit_threads_of_caller(int threads):
    """Limit the number of threads for operations of the calling thread; 0: no limit.
    Returns what was set before.
    """
    return limit_number_of_threads_of_caller(threads)


def renew_after_fork(lock):
    """Have a lock of `threading` unlocked in processes that are forked."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lock._at_fork_reinit)
