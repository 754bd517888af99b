# How many threads compute.

def get_num_threads():
    """Return how many threads an operation may use; see `corepy.get_num_threads`."""
    return num_threads()


def set_num_threads(int threads):
    """Set how many threads an operation may use; 0 means as many as there are processors."""
    set_number_of_threads(threads)


def limit_num_threads(int threads):
    """Set what "as many as there are processors" means at most; 0 means no bound."""
    limit_number_of_threads(threads)


def limit_own_threads(int threads):
    """Set how many threads operations of the calling thread may use at most; 0 means no bound.
    Returns what was set before.
    """
    return limit_number_of_own_threads(threads)
