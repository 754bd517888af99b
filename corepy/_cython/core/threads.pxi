# The number of threads, and locks of threads that do not exist after a fork.

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
