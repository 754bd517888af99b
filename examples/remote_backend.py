"""A backend in another process: a server that computes, and the backend that asks it.

Run it with::

    python examples/remote_backend.py

A message is a prefix (the sizes of what follows), a header in JSON, and the bytes of the arrays
that the header lists by dtype and shape. The server accepts names of operations, numbers, words and
arrays only. It listens on a Unix socket in a directory of its user, beside a secret that requests
begin with. Each connection has a process with limited memory, which ends if a request takes long.
"""

import contextlib
import hmac
import json
import math
import os
import resource
import secrets
import select
import signal
import socket
import struct
import sys
import tempfile
import threading
from pathlib import Path
from subprocess import PIPE, Popen

import numpy as np

import corepy
import corepy.array_api as xp
from corepy.backend import Backend, get_backend, infer, register_backend

PREFIX = struct.Struct(">IQ")  # bytes of the header, bytes of all arrays
MOST_HEADER = 1 << 16
MOST_DEPTH = 3  # of sequences in the arguments of an operation
STARTED = b"ready\n"  # what the server prints

# Seconds for a request and between requests, connections at one time, bytes of the arrays of a
# request or answer.
SETTINGS = {"deadline": 30.0, "idle": 60.0, "connections": 8, "bytes": 1 << 26}

DTYPES = xp.__array_namespace_info__().dtypes()
ERRORS = (TypeError, ValueError, IndexError, OverflowError, MemoryError, NotImplementedError)
ERRORS = (*ERRORS, np.linalg.LinAlgError, PermissionError, ConnectionError)
ERRORS = {kind.__name__: kind for kind in ERRORS}


# ---- messages


def encode(value, arrays):
    """Return an argument or result as JSON; arrays in it are appended to `arrays`."""
    if isinstance(value, corepy.Tensor):
        arrays.append(np.asarray(value, order="C"))
        return {"array": len(arrays) - 1}
    if isinstance(value, np.dtype):
        return {"dtype": value.name}
    if isinstance(value, (tuple, list)):
        return [encode(item, arrays) for item in value]
    if isinstance(value, complex):
        return {"complex": [encode(value.real, arrays), encode(value.imag, arrays)]}
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"a {type(value).__name__} cannot be sent to another process")


def decode(value, arrays, depth=0):
    """Return the argument or result that `encode` made JSON of; sequences are tuples."""
    if isinstance(value, list) and depth < MOST_DEPTH:
        return tuple(decode(item, arrays, depth + 1) for item in value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, dict) and len(value) == 1:
        ((kind, content),) = value.items()
        if kind in ("array", "dtype"):
            return arrays[content] if kind == "array" else DTYPES[content]
        if kind in ("float", "complex"):
            return float(content) if kind == "float" else complex(*decode(content, (), depth))
    raise ValueError(f"the message has {str(value)[:80]} in place of an argument")


def size_of(dtype, shape):
    """Return the bytes of an array, with sizes of 0 as 1, so that no other size is too big."""
    return dtype.itemsize * math.prod(max(size, 1) for size in shape)


def send(connection, body, arrays=()):
    """Send a message: a JSON object, and arrays."""
    listed = [[array.dtype.name, array.shape] for array in arrays]
    header = json.dumps({**body, "arrays": listed}, allow_nan=False).encode()
    if len(header) > MOST_HEADER:
        raise ValueError(f"the header of a message has at most {MOST_HEADER:,} bytes")
    connection.sendall(PREFIX.pack(len(header), sum(array.nbytes for array in arrays)) + header)
    for array in arrays:
        connection.sendall(array.reshape(-1).view(np.uint8))


def receive(connection, most):
    """Return the header and the arrays' bytes of a message, of which there are at most `most`."""
    sizes = PREFIX.unpack(read(connection, PREFIX.size))
    if sizes[0] > MOST_HEADER or sizes[1] > most:
        raise ConnectionError(f"a message has at most {MOST_HEADER:,} and {most:,} bytes")
    return [read(connection, size) for size in sizes]


def read(connection, size):
    """Return the next bytes of a connection."""
    buffer = rest = np.empty(size, np.uint8)  # only the part that has arrived takes memory
    while rest.size:
        if not (count := connection.recv_into(rest)):
            raise ConnectionError("the connection was closed")
        rest = rest[count:]
    return buffer


def parse(header, payload):
    """Return the JSON object of a message, and its arrays."""
    body = json.loads(bytes(header).decode(), parse_constant=int)  # which refuses NaN, not in JSON
    arrays, offset = [], 0
    for name, shape in body.pop("arrays"):
        dtype, count = DTYPES[name], math.prod(shape)
        if any(type(size) is not int or size < 0 for size in shape):
            raise ValueError(f"a shape is a list of sizes, got {shape}")
        part = payload[offset : offset + count * dtype.itemsize]
        offset += count * dtype.itemsize
        if offset > len(payload):
            break
        # Bytes that are neither 0 nor 1 make no bool. The copy is aligned.
        part = part != 0 if name == "bool" else part.copy().view(dtype)
        arrays.append(part.reshape(shape))
    if offset != len(payload):
        raise ValueError(f"the message has {len(payload):,} bytes of arrays that need {offset:,}")
    return body, arrays


# ---- the server


def compute(body, arrays, most):
    """Return the results of a request, of at most `most` bytes."""
    operation = body["operation"]
    tensors = [xp.asarray(array) for array in arrays]
    inputs = decode(body["inputs"], tensors)
    params = {name: decode(value, tensors) for name, value in body["params"].items()}
    if "device" in params:
        raise ValueError(f"{operation}: the server chooses the device")
    needed = max([size_of(array.dtype, array.shape) for array in arrays], default=0)
    if needed <= most:
        needed = bytes_of_result(operation, inputs, params)
    if needed > most:
        raise ValueError(f"{operation}: the server allows {most:,} bytes, {needed:,} are needed")
    return get_backend("cpu").execute(operation, inputs, params)


def bytes_of_result(operation, inputs, params):
    """Return how many bytes a result has at most; nothing is computed."""
    found = infer(operation, inputs, params)
    results = found if isinstance(found[0], tuple) else (found,)
    unknown = max([x.size for x in inputs if isinstance(x, corepy.Tensor)], default=0)
    if operation == "repeat":  # others give no more elements than they take
        axis, repeats = params.get("axis"), np.asarray(inputs[1], dtype=float)
        unknown = inputs[0].size if axis is None else inputs[0].shape[axis]
        unknown = int(unknown * repeats.sum() / max(repeats.size, 1))
    known = [[unknown if size is None else size for size in shape] for _, shape in results]
    return sum(map(size_of, [dtype for dtype, _ in results], known))


def described(error):
    """Return an error as an answer."""
    kinds = [kind.__name__ for kind in type(error).__mro__ if kind.__name__ in ERRORS]
    return {"error": [*kinds, "RuntimeError"][0], "message": str(error)[:1000]}


def serve_one(connection, secret, settings):
    """Serve a connection until it is closed.

    A request that takes too long ends the process, and so does a client that makes none for long:
    idle connections would keep others out. A client connects again when it has a request.
    """
    signal.setitimer(signal.ITIMER_REAL, settings["deadline"])
    try:
        if not hmac.compare_digest(parse(*receive(connection, 0))[0]["secret"], secret):
            raise PermissionError("the secret is wrong")
        send(connection, settings)
        while True:
            signal.setitimer(signal.ITIMER_REAL, settings["idle"])
            if not connection.recv(1, socket.MSG_PEEK):  # wait for a request
                return
            signal.setitimer(signal.ITIMER_REAL, settings["deadline"])
            message, arrays = receive(connection, settings["bytes"]), []
            try:
                result = compute(*parse(*message), settings["bytes"])
                answer = {"result": encode(result, arrays)}
            except Exception as error:  # the server stays, whatever the request was
                answer, arrays = described(error), []
            send(connection, answer, arrays)
    except Exception as error:
        with contextlib.suppress(OSError):  # nobody may be there to read it
            send(connection, described(error))


def serve(directory, settings):
    """Accept connections until the standard input ends, as it does when its user's process ends."""
    secret = secrets.token_hex(32)
    resource.setrlimit(resource.RLIMIT_DATA, [(1 << 30) + 8 * settings["bytes"]] * 2)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    os.umask(0o077)  # what is made here is this user's alone
    children = set()
    with socket.socket(socket.AF_UNIX) as listener:
        (directory / "secret").write_text(secret)
        listener.bind(str(directory / "socket"))
        listener.listen()
        os.write(sys.stdout.fileno(), STARTED)
        try:
            while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
                with listener.accept()[0] as connection:
                    children -= {pid for pid in children if os.waitpid(pid, os.WNOHANG)[0]}
                    if len(children) >= settings["connections"]:
                        with contextlib.suppress(OSError):
                            send(connection, described(ConnectionError("too many connections")))
                    elif pid := os.fork():
                        children.add(pid)
                    else:
                        try:
                            listener.close()
                            serve_one(connection, secret, settings)
                        finally:
                            os._exit(0)
        finally:
            for pid in children:
                os.kill(pid, signal.SIGKILL)
            for name in ("secret", "socket"):
                (directory / name).unlink(missing_ok=True)


@contextlib.contextmanager
def server(**settings):
    """Run a server process; yield it, and the directory that it is reached by."""
    with tempfile.TemporaryDirectory(prefix="corepy-") as directory:  # of mode 0700
        command = [sys.executable, __file__, directory, json.dumps(SETTINGS | settings)]
        with Popen(command, start_new_session=True, stdin=PIPE, stdout=PIPE) as process:
            if process.stdout.readline() != STARTED:
                raise RuntimeError("the server did not start")
            yield process, directory


# ---- the backend


class RemoteBackend(Backend):
    """Operations that the server in `directory` computes. Tensors are kept here, as ndarrays."""

    remote = True  # used only if the user names it

    def __init__(self, directory):
        super().__init__()
        self.directory = Path(directory)
        self.forget()
        os.register_at_fork(after_in_child=self.forget)  # processes do not share connections

    def forget(self):
        """Begin without a connection."""
        self.lock = threading.Lock()  # held during a request
        self.connection = None
        self.settings = {"bytes": 0}

    def missing(self):
        """Return why the server cannot be reached; empty if it can."""
        try:
            with self.lock:
                self.connect()
        except OSError as error:
            return f"the server in {self.directory} does not answer: {error}"
        return ""

    def execute(self, operation, inputs, params=None):
        """Let the server compute an operation."""
        arrays = []
        body = {"operation": operation, "inputs": encode(inputs, arrays)}
        body["params"] = {name: encode(value, arrays) for name, value in (params or {}).items()}
        with self.lock:
            try:
                kept = self.connection is not None
                self.connect()
                most, size = self.settings["bytes"], sum(array.nbytes for array in arrays)
                if size > most:
                    raise ValueError(f"{operation}: the server takes {most:,} bytes, got {size:,}")
                try:
                    result, arrays = self.exchange(body, arrays)
                except ConnectionResetError:  # the server closed it before it read the request
                    if not kept:
                        raise
                    self.connect()
                    result, arrays = self.exchange(body, arrays)
            except OSError as error:
                raise ConnectionError(
                    f"{operation}: lost the connection to the server in {self.directory}: {error}"
                ) from error
        (device,) = self.devices()
        return decode(result["result"], [self.tensor(x, x.dtype, x.shape, device) for x in arrays])

    def connect(self):
        """Connect to the server, unless there is a connection that is still open."""
        if self.connection is not None:
            poll = select.poll()
            poll.register(self.connection)
            if poll.poll(0) == [(self.connection.fileno(), select.POLLOUT)]:
                return
        self.close()
        secret = (self.directory / "secret").read_text()
        self.connection = socket.socket(socket.AF_UNIX)
        try:
            self.connection.settimeout(10)
            self.connection.connect(str(self.directory / "socket"))
            self.settings, _ = self.exchange({"secret": secret})
            self.connection.settimeout(self.settings["deadline"] + 5)
        except BaseException:
            self.close()
            raise

    def exchange(self, body, arrays=()):
        """Send a message and return the answer."""
        try:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                send(self.connection, body, arrays)  # if refused, the answer says why
            reply, results = parse(*receive(self.connection, self.settings["bytes"]))
        except BaseException:  # the next answer must not be that of this request
            self.close()
            raise
        if "error" in reply:
            raise ERRORS.get(reply["error"], RuntimeError)(reply["message"])
        return reply, results

    def close(self):
        """Close the connection, if there is one."""
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def demonstrate():
    """Compute on a server process, and compare with this one."""
    with server() as (_, directory):
        register_backend("remote", RemoteBackend(directory))
        data = xp.asarray(np.random.default_rng(1).normal(10, 2, (200, 5)))
        results = {}
        for device in ("cpu", "remote"):
            x = data.to_device(device)
            standardised = (x - xp.mean(x, axis=0)) / xp.std(x, axis=0)
            results[device] = xp.linalg.svd(standardised, full_matrices=False).S
            print(f"{device}: singular values {results[device]}")
        print("equal:", bool(xp.all(results["cpu"] == results["remote"].to_device("cpu"))))


if __name__ == "__main__":
    serve(Path(sys.argv[1]), json.loads(sys.argv[2])) if sys.argv[1:] else demonstrate()
