"""The remote backend of the examples: results, errors, limits, and malformed requests."""

import os
import signal
import stat
import sys
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from remote_requests import connected, run
from running import in_threads, known_module_from, output_of
from strategies import DTYPES, assert_same

import corepy
import corepy.array_api as xp
from corepy import Tensor
from corepy.backend import Backend, register_backend, registry, selection

EXAMPLE = Path(__file__).parents[2] / "examples" / "remote_backend.py"

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the server is for Linux"),
    pytest.mark.skipif(not EXAMPLE.exists(), reason="examples are in the source tree"),
]

#: Bytes of the arrays of a message, small so that results are soon too large.
BYTES = 1 << 20

#: Seconds after which something that takes a second here hangs, on a busy machine too.
LONG = 10.0


@pytest.fixture(scope="module")
def example():
    return known_module_from(EXAMPLE)


@pytest.fixture(autouse=True)
def clean_registry(monkeypatch):
    """Take the backends of these tests out of the registry, and set the default device back."""
    loaded, devices = dict(registry._loaded), dict(registry._devices)
    monkeypatch.setattr(selection, "_priority", None)
    yield
    corepy.set_backend("cpu")
    for known, before in ((registry._loaded, loaded), (registry._devices, devices)):
        known.clear()
        known.update(before)


@pytest.fixture(scope="module")
def shared(example):
    """A server for the tests that do it no harm: its process and directory."""
    with example.server(bytes=BYTES) as (process, directory):
        yield process, directory


@pytest.fixture(scope="module")
def backend(example, shared):
    """The backend of that server: one, as namespaces of devices are kept by name."""
    backend = example.RemoteBackend(shared[1])
    yield backend
    backend.close()


@pytest.fixture
def remote(backend):
    """The same, registered as "remote"."""
    register_backend("remote", backend)
    return backend


def registered(example, directory):
    """Return a backend of another server, registered as "remote"."""
    backend = example.RemoteBackend(directory)
    register_backend("remote", backend)
    return backend


def calls():
    """Return functions of a namespace and a matrix, by name."""
    n = float("nan")
    return {
        "standardise": lambda xp, x: (x - xp.mean(x, axis=0)) / xp.std(x, axis=0, correction=1),
        "scalars": lambda xp, x: (x + (1 + 2j)) * True / 3 - xp.astype(x, xp.int8),
        "nan": lambda xp, x: xp.where(x > 0, x, n) + xp.full((4, 3), float("-inf")),
        "comparison": lambda xp, x: (x < 1) & ~(x == 0),
        "reductions": lambda xp, x: xp.stack([xp.sum(x, axis=1), xp.max(x, axis=1)]),
        "dtype": lambda xp, x: xp.sum(xp.astype(x, xp.int8), dtype=xp.uint16),
        "scan": lambda xp, x: xp.cumulative_sum(x, axis=0, include_initial=True),
        "sort": lambda xp, x: xp.sort(x, axis=0, descending=True),
        "argmax": lambda xp, x: xp.argmax(x),
        "clip": lambda xp, x: xp.clip(x, -0.5, 0.5),
        "matmul": lambda xp, x: x @ x.T,
        "tensordot": lambda xp, x: xp.tensordot(x, x, axes=((0, 1), (0, 1))),
        "svd": lambda xp, x: xp.linalg.svd(x, full_matrices=False),
        "eig": lambda xp, x: xp.linalg.eigh(x.T @ x),
        "norm": lambda xp, x: xp.linalg.vector_norm(x, ord=float("inf")),
        "fft": lambda xp, x: xp.fft.rfft(x, n=8, axis=0),
        "frequencies": lambda xp, x: xp.fft.fftfreq(5, d=0.5),
        "creation": lambda xp, x: (xp.arange(5), xp.eye(3, k=1), xp.linspace(0, 1, 7)),
        "meshgrid": lambda xp, x: xp.meshgrid(x[0, :], x[:, 0], indexing="ij"),
        "repeat": lambda xp, x: xp.repeat(x, xp.asarray([2, 0, 1, 3]), axis=0),
        "nonzero": lambda xp, x: xp.nonzero(x > 0),
        "unique": lambda xp, x: xp.unique_all(xp.round(x)),
        "layout": lambda xp, x: xp.permute_dims(xp.reshape(x, (2, 2, 3)), (2, 0, 1)),
        "concat": lambda xp, x: xp.concat((x, x[:1, :]), axis=None),
        "indexing": lambda xp, x: (x[1:, ::-2], x[x > 0], x[1, 2]),
        "take": lambda xp, x: xp.take(x, xp.asarray([2, 0]), axis=1),
        "unstack": lambda xp, x: xp.unstack(x, axis=1),
        "empty": lambda xp, x: (xp.sum(x[:0, :], axis=0), xp.concat((x[:0, :], x[:0, :]))),
        "zero-dimensional": lambda xp, x: xp.sin(xp.asarray(2.0)) + xp.sum(x),
    }


@pytest.mark.parametrize("name", calls())
@pytest.mark.parametrize("checks", [False, True])
def test_results_are_those_of_the_cpu(remote, name, checks):
    a = np.random.default_rng(3).normal(size=(4, 3))
    call = calls()[name]
    with corepy.config(fallback="error", check_results=checks):
        found = call(corepy.namespace("remote"), Tensor(a, device="remote"))
        expected = call(corepy.namespace("cpu"), Tensor(a))
    if isinstance(expected, Tensor):
        found, expected = [found], [expected]
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one.device == "remote"
        assert one.dtype == other.dtype
        assert_same(one, np.asarray(other))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(remote, dtype):
    a = np.asarray([0, 1, 1, 0]).astype(dtype)
    x = Tensor(a, device="remote")
    assert_same(xp.concat((x, x)), np.concat((a, a)))
    assert_same(xp.zeros(3, dtype=dtype, device="remote"), np.zeros(3, dtype))


def test_in_place(remote):
    x = Tensor([1.0, 2.0, 3.0], device="remote")
    x += 1
    x[0] = 10
    assert_same(x, np.asarray([10.0, 3.0, 4.0]))


def test_errors_are_those_of_the_cpu(remote):
    here, there = xp.ones((2, 3)), Tensor(np.ones((2, 3)), device="remote")
    a = np.arange(3)
    for call in (
        lambda x, xp: xp.linalg.inv(x[:, :2] * 0.0),
        lambda x, xp: xp.take(x, xp.asarray(a + 5), axis=0),
        lambda x, xp: xp.repeat(x[0, :], xp.asarray(a - 2)),
        lambda x, xp: x @ x,
        lambda x, xp: xp.concat((x, x[:, :1])),
    ):
        with pytest.raises(Exception, match=":") as expected:
            call(here, corepy.namespace("cpu"))
        with pytest.raises(expected.type) as found:
            call(there, corepy.namespace("remote"))
        assert str(found.value) == str(expected.value)


def test_several_threads(remote):
    def work(number):
        x = Tensor(np.full(1000 * (number + 1), number), device="remote")
        for _ in range(30):
            assert_same(x + x, np.full(1000 * (number + 1), 2 * number))

    in_threads(work, 4)


def test_the_example_runs():
    printed = output_of(f"import runpy; runpy.run_path({str(EXAMPLE)!r}, run_name='__main__')")
    assert printed.endswith("equal: True\n")


# ---- a remote backend is used only where it is named


class Lacking(Backend):
    def execute(self, operation, inputs, params=None):
        raise NotImplementedError(f"{operation}: not here")


def test_it_is_no_fallback_unless_it_is_named(remote, monkeypatch):
    asked = []
    monkeypatch.setattr(type(remote), "execute", lambda self, *args: asked.append(args))
    register_backend("lacking", Lacking())
    with corepy.config(fallback="silent"):
        assert_same(xp.sqrt(Tensor([4.0], device="lacking")), np.asarray([2.0]))
    assert asked == []
    monkeypatch.undo()
    corepy.set_backend_priority(["remote", "lacking"])
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        assert_same(xp.exp(Tensor([0.0], device="lacking")), np.asarray([1.0]))
    assert "computed by backend 'remote'" in str(warned[0].message)


def test_a_server_that_cannot_be_reached_is_not_chosen(example, tmp_path):
    registered(example, tmp_path)
    for choose in (corepy.set_backend, corepy.use_device, corepy.device, xp.ones(1).to_device):
        with pytest.raises(ValueError, match=r"no device 'remote' here .*does not answer"):
            choose("remote")
    assert corepy.zeros(1).device == "cpu"


# ---- a server that ends


def killed(process):
    """Kill a server and the processes of its connections."""
    os.killpg(process.pid, signal.SIGKILL)


def long_work(backend_name="remote"):
    """Compute something that takes minutes."""
    return xp.linalg.matrix_power(Tensor(np.eye(300), device=backend_name), 10**4000)


def test_a_server_killed_in_the_middle(example):
    with example.server() as (process, directory):
        backend = registered(example, directory)
        x = Tensor(np.ones(3), device="remote")
        xp.sin(x)  # connects
        timer = threading.Timer(0.3, killed, [process])
        timer.start()
        began = time.monotonic()
        with pytest.raises(ConnectionError, match=r"^linalg.matrix_power: lost the connection"):
            long_work()
        assert 0.2 < time.monotonic() - began < LONG
        with pytest.raises(ConnectionError, match=r"^sin: lost the connection to the server in /"):
            xp.sin(x)
        assert backend.missing()
        with pytest.raises(ValueError, match=r"^set_backend: there is no device 'remote' here"):
            corepy.set_backend("remote")
        assert corepy.zeros(1).device == "cpu"
        assert "remote" not in corepy.available_devices()
        assert_same(x, np.ones(3))  # its elements are here


def test_a_server_that_is_back_is_found(example):
    with example.server() as (_, directory):
        backend = registered(example, directory)
        x = Tensor(np.ones(3), device="remote")
        assert_same(x + x, np.full(3, 2.0))
    with example.server() as (_, directory):
        assert backend.missing()
        backend.directory = Path(directory)
        assert_same(x + x, np.full(3, 2.0))
        assert corepy.device("remote") is x.device


def test_a_server_that_hangs(example):
    with example.server(deadline=0.5) as (process, directory):
        backend = registered(example, directory)
        x = Tensor(np.ones(3), device="remote")
        xp.sin(x)
        backend.connection.settimeout(0.5)  # instead of five seconds more than the deadline
        os.killpg(process.pid, signal.SIGSTOP)
        try:
            with pytest.raises(ConnectionError, match=r"^sin: lost the connection .* timed out"):
                xp.sin(x)
        finally:
            os.killpg(process.pid, signal.SIGCONT)
        assert_same(x + x, np.full(3, 2.0))


def test_an_interrupted_request_does_not_answer_the_next(remote):
    x = Tensor(np.ones(3), device="remote")

    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            long_work()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert_same(x + x, np.full(3, 2.0))


def test_processes_do_not_share_a_connection(example, shared):
    code = f"""
import os, sys
sys.path.insert(0, {str(EXAMPLE.parent)!r})
import remote_backend, corepy
from corepy.backend import register_backend
register_backend("remote", remote_backend.RemoteBackend({shared[1]!r}))
x = corepy.Tensor(1.0, device="remote")
assert float(x + 1) == 2
child = os.fork()
for _ in range(200):
    assert float(x + (3 if child else 4)) == (4 if child else 5)
if child == 0:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print("done")
"""
    assert output_of(code) == "done\n"


def test_the_server_ends_with_its_user(tmp_path):
    code = f"""
import os, sys
sys.path.insert(0, {str(EXAMPLE.parent)!r})
import remote_backend
manager = remote_backend.server()  # which would end the server if it were deleted
process, directory = manager.__enter__()
print(process.pid, flush=True)
os._exit(0)
"""
    pid = int(output_of(code, TMPDIR=str(tmp_path)))
    (directory,) = tmp_path.glob("corepy-*")
    command = Path(f"/proc/{pid}/cmdline")  # empty when the process has ended and is not waited for
    for _ in range(200):
        if not command.exists() or not command.read_bytes():
            break
        time.sleep(0.05)
    else:
        pytest.fail("the server is still there")
    assert list(directory.iterdir()) == []  # neither the secret nor the socket


# ---- limits of the server


@pytest.mark.parametrize(
    "call",
    [
        lambda xp, x: xp.zeros(10**12),
        lambda xp, x: xp.zeros((10**12, 0)),
        lambda xp, x: xp.arange(10**12),
        lambda xp, x: xp.linspace(0, 1, 10**12),
        lambda xp, x: xp.eye(10**6),
        lambda xp, x: xp.broadcast_to(x, (10**6, 10**6, 3)),
        lambda xp, x: xp.repeat(x, 10**12),
        lambda xp, x: xp.repeat(x, xp.asarray([1, 10**12, 1])),
        lambda xp, x: xp.repeat(xp.reshape(x, (1, 3)), xp.asarray([1, 10**12, 1]), axis=1),
        lambda xp, x: xp.tile(x, (10**6, 10**6)),
        lambda xp, x: xp.fft.fft(x, n=10**12),
        lambda xp, x: xp.fft.fftfreq(10**12),
        lambda xp, x: xp.linalg.outer(xp.zeros(50_000), xp.zeros(50_000)),
        lambda xp, x: xp.reshape(xp.zeros(50_000), (-1, 1)) + xp.zeros(50_000),
        lambda xp, x: xp.zeros((50_000, 0)) @ xp.zeros((0, 50_000)),
        lambda xp, x: xp.meshgrid(xp.zeros(50_000), xp.zeros(50_000)),
    ],
)
def test_a_result_that_is_too_large_is_refused_before_it_is_computed(remote, call):
    x = Tensor([1.0, 2.0, 3.0], device="remote")
    began = time.monotonic()
    with pytest.raises(ValueError, match=r"^[a-z._]+: the server allows 1,048,576 bytes, "):
        call(corepy.namespace("remote"), x)
    assert time.monotonic() - began < LONG
    assert_same(x + x, np.asarray([2.0, 4.0, 6.0]))


def test_results_of_a_size_that_is_not_known_are_not_refused_in_vain(remote):
    a = np.arange(40_000.0).reshape(200, 200)
    x = Tensor(a, device="remote")
    assert_same(xp.repeat(x, xp.asarray(np.ones(200, int), device="remote"), axis=0), a)
    assert len(xp.nonzero(x)[0]) == 40_000 - 1


def test_arrays_that_are_too_large_are_not_sent(example, shared, remote):
    with pytest.raises(ValueError, match=r"^sin: the server takes 1,048,576 bytes, got 1,048,584"):
        xp.sin(Tensor(np.ones(BYTES // 8 + 1), device="remote"))
    for sizes in ((example.MOST_HEADER + 1, 0), (2, BYTES + 1), (2**32 - 1, 2**64 - 1)):
        connection, _ = connected(example, shared[1])
        with connection:
            connection.sendall(example.PREFIX.pack(*sizes))
            answer, _ = example.parse(*example.receive(connection, 0))
            assert answer["error"] == "ConnectionError"
            assert connection.recv(1) == b""


def test_a_request_that_takes_too_long(example):
    with example.server(deadline=1.0) as (_, directory):
        registered(example, directory)
        began = time.monotonic()
        with pytest.raises(ConnectionError, match=r"^linalg.matrix_power: lost the connection"):
            long_work()
        assert 0.8 < time.monotonic() - began < LONG
        assert_same(xp.ones(2, device="remote") * 2, np.full(2, 2.0))


def test_many_results(example, shared):
    """Their dtypes and shapes do not fit into a header."""
    connection, _ = connected(example, shared[1])
    with connection:
        body = {"operation": "unstack", "inputs": [{"array": 0}], "params": {}}
        example.send(connection, body, [np.zeros(BYTES // 8, dtype="uint8")])
        answer, _ = example.parse(*example.receive(connection, 0))
    message = "the header of a message has at most 65,536 bytes"
    assert answer == {"error": "ValueError", "message": message}


def test_memory_is_limited(shared):
    limits = Path(f"/proc/{shared[0].pid}/limits").read_text()
    (line,) = [line for line in limits.splitlines() if line.startswith("Max data size")]
    assert line.split()[3:5] == [str((1 << 30) + 8 * BYTES)] * 2


@pytest.mark.parametrize("secret", [True, False])
def test_a_client_that_sends_slowly_is_dropped(example, secret):
    with example.server(deadline=1.0) as (_, directory):
        connection, _ = connected(example, directory)
        if not secret:
            connection.close()
            connection = example.socket.socket(example.socket.AF_UNIX)
            connection.connect(str(Path(directory) / "socket"))
        with connection:
            time.sleep(1.5 if secret else 0)  # a client may wait between requests, not before
            began = time.monotonic()
            with pytest.raises((BrokenPipeError, ConnectionResetError)):
                for byte in example.PREFIX.pack(1000, 0) + b" " * 1000:
                    connection.sendall(bytes([byte]))
                    time.sleep(0.05)
            assert 0.8 < time.monotonic() - began < LONG
        registered(example, directory)
        assert_same(xp.ones(2, device="remote") * 2, np.full(2, 2.0))


def test_a_client_that_does_not_read_is_dropped(example):
    with example.server(deadline=1.0) as (_, directory):
        connection, _ = connected(example, directory)
        body = {"operation": "zeros", "inputs": [[2**22]], "params": {}}
        with connection:
            example.send(connection, body)
            time.sleep(2)
            with pytest.raises((ConnectionError, ValueError)):
                example.parse(*example.receive(connection, 2**26))


def test_the_number_of_connections_is_bounded(example):
    with example.server(connections=3) as (_, directory):
        held = [connected(example, directory)[0] for _ in range(3)]
        backend = registered(example, directory)
        assert "too many connections" in backend.missing()
        with pytest.raises(ValueError, match="too many connections"):
            corepy.set_backend("remote")
        held.pop().close()
        for _ in range(100):  # until the process of the connection has ended
            if not backend.missing():
                break
            time.sleep(0.02)
        assert_same(xp.ones(2, device="remote") * 2, np.full(2, 2.0))
        for connection in held:
            connection.close()


def test_idle_connections_are_closed(example):
    with example.server(connections=2, idle=0.5) as (_, directory):
        backend = registered(example, directory)
        assert not backend.missing()
        idle = connected(example, directory)[0]
        for _ in range(200):  # until the processes of idle connections have ended
            time.sleep(0.02)
            try:
                connected(example, directory)[0].close()
                break
            except (ConnectionError, ValueError, KeyError):
                continue
        assert idle.recv(1) == b""
        assert_same(xp.ones(2, device="remote") * 2, np.full(2, 2.0))  # it connects again
        idle.close()


# ---- who may use the server


def test_a_wrong_secret_is_refused(example, shared, tmp_path):
    (tmp_path / "socket").symlink_to(Path(shared[1]) / "socket")
    (tmp_path / "secret").write_text("0" * 64)
    backend = registered(example, tmp_path)
    assert "the secret is wrong" in backend.missing()
    with pytest.raises(ValueError, match="the secret is wrong"):
        corepy.set_backend("remote")
    for secret in ("", 0, None, [], "\u00e9"):
        connection, answer = connected(example, shared[1], secret or "x")
        connection.close()
        assert "error" in answer


def test_nobody_else_can_read_the_secret(shared):
    process, directory = shared
    assert stat.S_IMODE(Path(directory).stat().st_mode) == 0o700
    secret = Path(directory) / "secret"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert stat.S_ISSOCK((Path(directory) / "socket").stat().st_mode)
    text = secret.read_text()
    assert len(text) == 64
    for name in ("cmdline", "environ"):
        assert text.encode() not in Path(f"/proc/{process.pid}/{name}").read_bytes()


def test_a_request_chooses_no_device(example, shared):
    connection, _ = connected(example, shared[1])
    with connection:
        body = {"operation": "zeros", "inputs": [[1]], "params": {"device": "reference"}}
        example.send(connection, body)
        answer, _ = example.parse(*example.receive(connection, 0))
    assert answer == {"error": "ValueError", "message": "zeros: the server chooses the device"}


# ---- malformed requests


@pytest.mark.parametrize("count", [2000, pytest.param(5_000, marks=pytest.mark.slow)])
def test_malformed_requests(example, count):
    """The server answers each of them, keeps serving, and needs little memory."""
    with example.server(bytes=BYTES, deadline=5.0) as (process, directory):
        answers, memory = run(example, directory, process.pid, count, seed=count)
        assert process.poll() is None
    assert sum(answers.values()) == count
    assert answers["error"] > 0.8 * count
    assert answers["result"] > 0  # some are valid all the same
    assert answers["dropped"] == 0
    assert memory < 300 << 20


def test_deep_and_long_headers(example, shared):
    for text in ("[" * 65000, '{"arrays":' * 6000, '{"arrays": [], "x": ' + "9" * 60000 + "}"):
        connection, _ = connected(example, shared[1])
        with connection:
            connection.sendall(example.PREFIX.pack(len(text), 0) + text.encode())
            answer, _ = example.parse(*example.receive(connection, 0))
            assert "error" in answer
            example.send(connection, {"operation": "zeros", "inputs": [[2]], "params": {}})
            answer, arrays = example.parse(*example.receive(connection, 16))
            assert answer == {"result": {"array": 0}}
            assert_same(Tensor(arrays[0]), np.zeros(2))
