"""Code in several threads at once, in a process of its own, and of a file."""

import functools
import importlib.util
import os
import subprocess
import sys
import threading
from pathlib import Path


def in_threads(work, count=8, timeout=120):
    """Run `work(number)` in threads that begin together; raise the first error of any."""
    barrier, errors = threading.Barrier(count), []

    def body(number):
        try:
            barrier.wait()
            work(number)
        except BaseException as error:  # shown by the caller, in the test's own thread
            errors.append(error)

    threads = [threading.Thread(target=body, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout)
    if errors:
        raise errors[0]
    assert not any(thread.is_alive() for thread in threads)


def run_python(code, timeout=120, **variables):
    """Run code in a process; `variables` of its environment are set, or removed where None."""
    environment = {k: v for k, v in (os.environ | variables).items() if v is not None}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout)


def output_of(code, timeout=120, **variables):
    """Return what code prints in a process that has to end well; `variables` as of `run_python`."""
    done = run_python(code, timeout, **variables)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@functools.cache
def known_module_from(path):
    """Return the one module of the code in a file."""
    return module_from(path)


def module_from(path):
    """Return a new module of the code in a file."""
    spec = importlib.util.spec_from_file_location(f"corepy_{Path(path).stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
