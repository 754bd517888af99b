"""Malformed requests for the server of `examples/remote_backend.py`, and counts of its answers."""

import collections
import contextlib
import json
import random
import socket
import time
from pathlib import Path

import numpy as np

#: What may stand in the place of any part of a request; the text is put in as it is.
HOSTILE = [
    "NaN", "Infinity", "-Infinity", "1e999", "-0.0", "null", "true", "[]", "{}", '""', "-1",
    "1000000000000", "9223372036854775807", "-9223372036854775808", "18446744073709551616",
    "9" * 4000, "9" * 5000, '"\\ud800"', '"\\u0000"', "[" * 500 + "]" * 500,
    "[" * 30000 + "]" * 30000, "[" * 5000, '{"array":' * 300 + "0" + "}" * 300, '{"array": 99}',
    '{"array": -1}', '{"array": [0]}', '{"array": 0}', '{"array": 1}', '{"dtype": "object"}',
    '{"dtype": "float32"}', '{"dtype": []}', '{"float": "nan"}', '{"float": "1_0"}',
    '{"float": [1]}', '{"complex": [1.0, {"float": "inf"}]}', '{"complex": ["1", "2"]}',
    '{"complex": [[], {}, 3]}', '{"slice": [0, 1]}', '{"a": 1, "b": 2}', "[[1, 2], [3]]",
    "[1000000, 1000000, 1000000]", "[0, 1000000000000]", "[3, -3]", "[1.5]", "[true]",
    '[["float64", [1000000000000]]]', '[["float64", [0, 1000000000000]]]', '[["object", [1]]]',
    '[["U10", [1]]]', '[["float64", [-1]]]', '[["bool", [3]], ["int8", [0]]]', '[["float64"]]',
    '["__class__"]', '"__import__"', '"linalg.__builtins__"', '"cuda:0"', "'", "\\", "}",
]  # fmt: skip

OPERATIONS = [
    "__add__", "__builtins__", "asarray", "from_dlpack", "exec", "linalg", "fft.", "Tensor", "",
    "add\x00", "broadcast_arrays", "concat", "cumulative_sum", "eye", "fft.fftn", "linalg.svd",
    "linalg.matrix_power", "linspace", "meshgrid", "nonzero", "outer", "repeat", "tensordot",
    "tile", "unique_all", "unstack", "zeros",
]  # fmt: skip


def requests():
    """Return valid requests: bodies with their arrays."""
    x = np.arange(12.0).reshape(3, 4)
    n = np.asarray([2, 0, 1])
    flags = x > 4
    a, b = {"array": 0}, {"array": 1}
    calls = [
        ("add", [a, b], {}, [x, x[0]]),
        ("where", [a, b, 1.5], {}, [flags, x]),
        ("sum", [a], {"axis": [0, 1], "dtype": {"dtype": "float32"}, "keepdims": True}, [x]),
        ("zeros", [[3, 4]], {"dtype": {"dtype": "complex64"}}, []),
        ("full", [[2], {"complex": [1.0, {"float": "nan"}]}], {}, []),
        ("arange", [0, 10, 3], {"dtype": None}, []),
        ("repeat", [a, b], {"axis": 0}, [x, n]),
        ("take", [a, b], {"axis": 0}, [x, n]),
        ("take_along_axis", [a, b], {"axis": 0}, [x, n.reshape(3, 1)]),
        ("nonzero", [a], {}, [flags]),
        ("count_nonzero", [a], {}, [flags]),
        ("searchsorted", [a, b], {"side": "right", "sorter": {"array": 2}}, [x[0], x, n[:0]]),
        ("concat", [[a, b]], {"axis": 0}, [x, x]),
        ("tensordot", [a, b], {"axes": [[0], [0]]}, [x, x]),
        ("linalg.svd", [a], {"full_matrices": False}, [x]),
        ("linalg.matrix_norm", [a], {"ord": {"float": "-inf"}}, [x]),
        ("fft.rfft", [a], {"n": 8, "axis": 1, "norm": "ortho"}, [x]),
        ("broadcast_to", [a, [2, 3, 4]], {}, [x]),
        ("unique_all", [a], {}, [flags]),
        ("sort", [a], {"descending": True}, [x.astype("uint8")]),
        ("reshape", [a, [4, -1]], {}, [x]),
        ("unstack", [a], {"axis": 1}, [x]),
    ]
    return [({"operation": o, "inputs": i, "params": p}, arrays) for o, i, p, arrays in calls]


def packed(body, arrays):
    """Return the header and the payload of a request."""
    listed = [[array.dtype.name, array.shape] for array in arrays]
    return json.dumps({**body, "arrays": listed}), b"".join(map(np.ndarray.tobytes, arrays))


def places(value, path=()):
    """Yield the paths to all parts of a JSON value."""
    yield path
    if isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(item, (*path, key))


def replaced(header, rng):
    """Return a header with something else in the place of one of its parts."""
    body = json.loads(header)
    path = rng.choice([path for path in places(body) if path])
    part = body
    for key in path[:-1]:
        part = part[key]
    if rng.random() < 0.2:
        part[path[-1]] = rng.choice(OPERATIONS)
        return json.dumps(body)
    part[path[-1]] = "\N{REPLACEMENT CHARACTER}"
    return json.dumps(body, ensure_ascii=False).replace(
        '"\N{REPLACEMENT CHARACTER}"', rng.choice(HOSTILE)
    )


def malformed(example, rng, valid):
    """Return a message, and whether its sizes are right, so that the next one can follow it."""
    header, payload = rng.choice(valid)
    kind = rng.randrange(8)
    if kind == 0:  # no message at all
        return rng.randbytes(rng.randrange(1, 200)), False
    if kind == 1:  # sizes that are wrong
        sizes = [len(header), len(payload)]
        sizes[rng.randrange(2)] = rng.choice([0, 1, 7, 65536, 65537, 2**20, 2**31, 2**32 - 1])
        message = example.PREFIX.pack(*sizes) + header.encode() + payload
        return message, False
    if kind == 2:  # a part of a message
        message = example.PREFIX.pack(len(header), len(payload)) + header.encode() + payload
        return message[: rng.randrange(len(message))], False
    if kind == 3:  # bytes of the header changed
        text = bytearray(header.encode())
        for _ in range(rng.randrange(1, 4)):
            text[rng.randrange(len(text))] = rng.choice(b'[]{}",:0123456789-.eE\x00\xff\\ aN')
        header = bytes(text)
    elif kind == 4:  # other elements, also of bool
        payload = rng.randbytes(len(payload))
    elif kind == 5:  # more or fewer elements
        payload = payload + rng.randbytes(rng.randrange(1, 64)) if rng.random() < 0.5 else b""
    else:
        for _ in range(rng.randrange(1, 3)):
            with contextlib.suppress(
                ValueError, RecursionError
            ):  # of one that is not JSON any more
                header = replaced(header, rng)
    header = header if isinstance(header, bytes) else header.encode(errors="surrogatepass")
    return example.PREFIX.pack(len(header), len(payload)) + header + payload, True


def connected(example, directory, secret=None):
    """Return a connection to a server, after its answer to the secret, and that answer."""
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(20)
    connection.connect(str(Path(directory) / "socket"))
    secret = (Path(directory) / "secret").read_text() if secret is None else secret
    example.send(connection, {"secret": secret})
    return connection, example.parse(*example.receive(connection, 0))[0]


def peak_memory(pid):
    """Return the most bytes that a process and those it forked have had in memory."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    peaks = []
    for process in (str(pid), *children):
        with contextlib.suppress(OSError, StopIteration):  # it may have ended
            lines = Path(f"/proc/{process}/status").read_text().splitlines()
            line = next(line for line in lines if line.startswith("VmHWM:"))
            peaks.append(int(line.split()[1]) * 1024)
    return max(peaks)


def run(example, directory, pid, count, seed=0):
    """Send malformed requests. Return how many were answered how, and the server's peak memory.

    ``"error"``, ``"result"`` (a request may still be a valid one), ``"closed"`` (without an answer,
    where sizes were wrong), or ``"dropped"`` (a message with right sizes was not answered: it
    took longer than the deadline).
    """
    rng = random.Random(seed)
    valid = [packed(*request) for request in requests()]
    connection = None
    answers, peak = collections.Counter(), 0
    for number in range(count):
        if number % 500 == 0:
            check(example, directory)
            peak = max(peak, peak_memory(pid))
        if rng.random() < 0.02:
            answers[refused(example, directory, rng)] += 1
            continue
        if connection is None:
            connection, _ = connected(example, directory)
        message, whole = malformed(example, rng, valid)
        try:
            connection.sendall(message)
            if not whole:
                connection.shutdown(socket.SHUT_WR)
            answer, _ = example.parse(*example.receive(connection, 2**26))
            assert ("error" in answer) != ("result" in answer), answer
            answers["error" if "error" in answer else "result"] += 1
        except ConnectionError:
            answers["dropped" if whole else "closed"] += 1
            whole = False
        if not whole:
            connection.close()
            connection = None
    if connection is not None:
        connection.close()
    check(example, directory)
    return answers, max(peak, peak_memory(pid))


def refused(example, directory, rng):
    """Send something else than the secret, which has to be refused."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(20)
        connection.connect(str(Path(directory) / "socket"))
        header = rng.choice([b'{"secret": ""}', b"{}", b"[]", b"", b"\xff", rng.randbytes(64),
                             b'{"secret": "\\ud800", "arrays": []}',
                             b'{"secret": 1, "arrays": []}',
                             b'{"operation": "zeros", "inputs": [[1]], "params": {}, "arrays": []}'
                             ])  # fmt: skip
        connection.sendall(example.PREFIX.pack(len(header), 0) + header)
        answer, _ = example.parse(*example.receive(connection, 0))
    assert "error" in answer
    return "error"


def check(example, directory):
    """Check that the server still computes."""
    for attempt in range(100):  # processes of connections that were closed are ending
        connection, answer = connected(example, directory)
        if "error" not in answer:
            break
        connection.close()
        time.sleep(0.01 * attempt)
    with connection:
        body, arrays = requests()[0]
        example.send(connection, body, arrays)
        _, results = example.parse(*example.receive(connection, 2**20))
        np.testing.assert_array_equal(results[0], arrays[0] + arrays[1])
