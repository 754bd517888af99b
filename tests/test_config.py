"""Settings: of the process by `set_config`, of a context by a ``with`` block."""

import ast
import asyncio
import contextvars
import gc
import itertools
import re
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from running import output_of

import corepy
import corepy.array_api as xp
from corepy import _environment
from corepy._cython.settings import set_defaults, setting
from corepy.lazy import is_deferred


@pytest.fixture(autouse=True)
def unchanged():
    """Forget the defaults that a test sets; it leaves all of its blocks."""
    yield
    set_defaults(_environment.DEFAULTS)
    assert cross_device() == "raise"


def cross_device():
    return setting("cross_device")


def elsewhere(function=cross_device):
    """Return what a function returns in another thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function).result()


def test_the_default_of_the_process():
    assert cross_device() == elsewhere() == "raise"
    corepy.set_config(cross_device="convert")
    assert cross_device() == elsewhere() == "convert"
    corepy.set_config()
    assert cross_device() == elsewhere() == "convert"
    elsewhere(lambda: corepy.set_config(cross_device="raise"))
    assert cross_device() == elsewhere() == "raise"


def test_a_block_that_is_never_entered_changes_nothing_and_warns():
    with pytest.warns(RuntimeWarning, match=r"set_config\(cross_device='convert'\) for") as caught:
        corepy.config(cross_device="convert")
    assert caught[0].filename == __file__
    assert cross_device() == elsewhere() == "raise"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        corepy.config()
        with corepy.config(cross_device="convert"):
            pass
        corepy.config(cross_device="convert")(cross_device)
        gc.collect()


def test_a_with_block_is_its_own_context_s():
    with corepy.config(cross_device="convert"):
        assert cross_device() == "convert"
        assert elsewhere() == "raise"
    assert cross_device() == "raise"
    corepy.set_config(cross_device="convert")
    with corepy.config(cross_device="raise"):
        assert cross_device() == "raise"
        assert elsewhere() == "convert"
    assert cross_device() == elsewhere() == "convert"


def test_the_default_changes_in_a_block_that_does_not_say_otherwise():
    with corepy.config(cross_device="raise"):
        corepy.set_config(cross_device="convert", fallback="error")
        assert cross_device() == "raise"
        assert elsewhere() == "convert"
        assert setting("fallback") == "error"
    assert cross_device() == "convert"


def test_the_default_of_fusion_changes_in_every_context(not_deferring):
    x = xp.ones(1000)

    def deferred():
        return is_deferred(x + 1)

    with corepy.config(fusion_threshold=0):
        assert not deferred()
        elsewhere(lambda: corepy.set_config(fusion=True))
        assert deferred()
        assert not elsewhere(deferred)
        corepy.set_config(fusion=False)
        assert not deferred()
    with corepy.fuse():
        assert not deferred()
        corepy.set_config(fusion_threshold=10)
        assert deferred()


def test_decorators():
    @corepy.config(cross_device="convert")
    def function(n):
        """Text."""
        return [cross_device()] + (function(n - 1) if n else [])

    @corepy.config(cross_device="convert")
    def generator():
        yield cross_device()
        yield cross_device()

    @corepy.config(cross_device="convert")
    async def coroutine():
        await asyncio.sleep(0)
        return cross_device()

    @corepy.use_device("reference")
    def create():
        return str(xp.zeros(3).device)

    @corepy.fuse()
    def fused():
        return is_deferred(xp.ones(300_000) + 1)  # so many are always deferred

    assert function(2) == elsewhere(lambda: function(2)) == ["convert"] * 3
    assert (function.__name__, function.__doc__) == ("function", "Text.")
    assert [(found, cross_device()) for found in generator()] == [("convert", "raise")] * 2
    assert asyncio.run(coroutine()) == "convert"
    assert (create(), str(xp.zeros(3).device), fused()) == ("reference", "cpu", True)
    with pytest.raises(TypeError, match=r"^config: expected a function, got int"):
        corepy.config()(1)


def test_blocks_are_nested():
    with corepy.config(cross_device="convert"):
        with corepy.config(), corepy.config(cross_device="raise"):
            assert cross_device() == "raise"
            with corepy.config():
                assert cross_device() == "raise"
        assert cross_device() == "convert"
    assert cross_device() == "raise"


def test_an_exception_leaves_the_block():
    with pytest.raises(KeyError), corepy.config(cross_device="convert"):
        raise KeyError
    assert cross_device() == "raise"


def test_a_wrong_setting_changes_nothing():
    with pytest.raises(ValueError, match=r"^config: cross_device must be one of 'raise', "):
        corepy.config(cross_device="sometimes")
    with pytest.raises(TypeError):
        corepy.config(no_such_setting=1)
    with pytest.raises(TypeError, match=r"^set_config: fusion must be a bool, got int"):
        corepy.set_config(cross_device="convert", fusion=1)
    assert cross_device() == "raise"


@pytest.mark.parametrize("function", [corepy.config, corepy.set_config])
def test_a_wrong_word_is_an_error_of_the_call(function):
    name = function.__name__
    with pytest.raises(
        ValueError, match=rf"^{name}: fallback must be one of 'warn', 'silent', 'error', got 'nope'"
    ):
        function(fallback="nope")
    assert setting("fallback") == "warn"


def test_get_config():
    with corepy.config(fallback="error"):
        assert corepy.get_config()["fallback"] == "error"
        assert elsewhere(corepy.get_config)["fallback"] == "warn"
    before = corepy.get_config()
    corepy.set_config(cross_device="convert")
    assert corepy.get_config() == before | {"cross_device": "convert"}
    corepy.set_config(**before)  # its names are those of set_config
    assert corepy.get_config() == before
    corepy.get_config()["fallback"] = "error"
    assert setting("fallback") == "warn"
    assert repr(corepy.config()) == "config()"
    with corepy.config(fusion=True) as block:
        assert repr(block) == "config(fusion=True)"


# ---- show_config

SHOW = """
import corepy as np
np.set_config(fallback="silent")
with np.config(check_results=True):
    print({name: one["from"] for name, one in np.show_config("dicts")["Settings"].items()})
    np.show_config()
    import sys
    print({"torch", "cupy", "dask", "array_api_strict", "pyopencl", "wgpu"} & {*sys.modules})
"""


def test_where_settings_come_from():
    text = output_of(SHOW, COREPY_FUSION="0", COREPY_FUSION_THRESHOLD="7", COREPY_CACHE_LIMIT="0.5")
    first, *lines, last = text.splitlines()
    sources = ast.literal_eval(first)
    assert sources == dict.fromkeys(corepy.get_config(), "default") | {
        "fallback": "set_config",
        "check_results": "config",
        "fusion": "COREPY_FUSION",
        "fusion_threshold": "COREPY_FUSION_THRESHOLD",
    }
    assert "  fusion: false  # COREPY_FUSION" in lines
    assert "  fusion_threshold: 7  # COREPY_FUSION_THRESHOLD" in lines
    assert last == "set()"  # no library is imported


def test_show_config(capsys, monkeypatch):
    yaml = pytest.importorskip("yaml")
    monkeypatch.setenv("COREPY_BACKEND", "true")
    shown = corepy.show_config(mode="dicts")
    assert corepy.show_config() is None
    printed = yaml.safe_load(capsys.readouterr().out)
    settings = {name: one["value"] for name, one in shown["Settings"].items()}
    assert settings == corepy.get_config()
    for name in shown.keys() - {"Settings", "Backends"}:  # free memory changes
        assert printed[name] == shown[name]
    assert printed["Settings"] == settings
    assert printed["Backends"].keys() == shown["Backends"].keys()
    assert shown["Versions"]["corepy"] == corepy.__version__
    assert shown["Versions"]["numpy"] == np.__version__
    assert shown["Instruction Set"]["in use"] in shown["Instruction Set"]["usable"]
    assert shown["Machine"]["threads"] == corepy.get_num_threads()
    assert "cpu" in shown["Backends"]["cpu"]["devices"]
    with pytest.raises(ValueError, match=r"^show_config: mode must be 'stdout' or 'dicts', got 3"):
        corepy.show_config(3)


# ---- docs/settings.md

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "settings.md"


def rows_of_page(prefix):
    """Return the cells of the rows of tables whose first cell begins so, by the first cell."""
    found = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith(f"| `{prefix}"):
            first, *cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            found[first.strip("` ")] = cells
    return found


@pytest.mark.skipif(not PAGE.exists(), reason="the page is in the source tree")
def test_the_page_has_all_settings():
    rows = rows_of_page("")
    for name, value in _environment.DEFAULTS.items():
        if name != "device":
            assert rows[name][1] in (f"`{value!r}`", f'`"{value}"`'), name


@pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="the page is in the source tree")
def test_the_page_has_all_variables_of_the_environment():
    read = {"OMP_NUM_THREADS"}
    for pattern in (
        "corepy/**/*.py",
        "corepy/**/*.pyx",
        "corepy/**/*.pxi",
        "corepy/**/*.?pp",
        "setup.py",
    ):
        for path in ROOT.glob(pattern):
            text = path.read_text(encoding="utf-8")
            read |= set(re.findall(r"(?:getenv|environ\.get)\(\s*\"(COREPY_\w+)\"", text))
    read |= set(_environment.VARIABLES.values())
    assert rows_of_page("COREPY_").keys() | {"OMP_NUM_THREADS"} == read


def test_shared_memory(not_deferring):
    held = np.ones(10)
    x = xp.asarray(held)

    def deferred():
        return is_deferred(x + 1)

    with pytest.raises(ValueError, match=r"^config: shared_memory must be one of 'variable', 'con"):
        corepy.config(shared_memory="fixed")
    with corepy.config(fusion_threshold=0), corepy.fuse():
        assert not deferred()
        with corepy.config(shared_memory="constant"):
            with corepy.config(fusion_codegen=False):
                assert deferred()
            with corepy.config(shared_memory="variable"):
                assert not deferred()
            assert deferred()
        corepy.set_config(shared_memory="constant")
        assert deferred()
        with corepy.config(shared_memory="variable"):
            assert not deferred()


def test_an_object_is_entered_more_than_once():
    setting = corepy.config(cross_device="convert")
    for _ in range(2):
        with setting:
            assert cross_device() == "convert"
            with setting:
                assert cross_device() == "convert"
            assert cross_device() == "convert"
        assert cross_device() == elsewhere() == "raise"

    def enter():
        with setting:
            return cross_device()

    with setting:
        assert elsewhere(enter) == "convert"
        assert elsewhere() == "raise"


def test_nobody_sees_the_block_of_another_thread():
    # Threads change in the middle of anything: also between the call and the block.
    stop = threading.Event()
    seen = set()

    def watch():
        while not stop.is_set():
            seen.add(cross_device())

    def enter():
        while not stop.is_set():
            with corepy.config(cross_device="convert"):
                if cross_device() != "convert":
                    seen.add("lost")

    threads = [threading.Thread(target=work) for work in (watch, enter, enter, watch)]
    for thread in threads:
        thread.start()
    for _ in range(20_000):
        seen.add(cross_device())
    stop.set()
    for thread in threads:
        thread.join()
    assert seen == {"raise"}
    assert cross_device() == "raise"


def test_fusion_is_of_a_context_among_threads(not_deferring):
    """The count of wrong ones was 42,706 of 588,578, and 7 of 26,101 in the block."""
    x, stop, wrong = xp.ones(10), threading.Event(), []

    def look():
        while not stop.is_set():
            if is_deferred(x + 1):
                wrong.append("outside")

    def enter():
        while not stop.is_set():
            with corepy.config(fusion=True, fusion_threshold=0):
                if not is_deferred(x + 1):
                    wrong.append("inside")

    threads = [threading.Thread(target=work) for work in (look, enter, enter, look)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        time.sleep(1)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        sys.setswitchinterval(interval)
    assert wrong == []


def test_tasks_of_asyncio_have_settings_of_their_own():
    async def hold(setting, entered, leave):
        with corepy.config(cross_device=setting):
            entered.set()
            await leave.wait()
            return cross_device()

    async def main():
        entered, leave = asyncio.Event(), asyncio.Event()
        task = asyncio.create_task(hold("convert", entered, leave))
        await entered.wait()
        before = cross_device()
        with corepy.config(cross_device="convert"):
            child = asyncio.create_task(asyncio.sleep(0, result=None))
            inherited = asyncio.create_task(hold("raise", asyncio.Event(), leave))
            await child
            inside = cross_device()
        leave.set()
        return before, inside, cross_device(), await task, await inherited

    assert asyncio.run(main()) == ("raise", "convert", "raise", "convert", "raise")


def test_a_copied_context_keeps_the_block():
    with corepy.config(cross_device="convert"):
        context = contextvars.copy_context()
    assert cross_device() == "raise"
    assert context.run(cross_device) == "convert"
    assert elsewhere(lambda: context.run(cross_device)) == "convert"


def numbers(setting, log):
    with corepy.config(cross_device=setting):
        for number in itertools.count():
            log.append(cross_device())
            yield number


def test_generators_leave_their_blocks_in_any_order():
    log = []
    first, second = numbers("convert", log), numbers("raise", log)
    next(first)
    next(second)
    first.close()
    assert cross_device() == "raise"
    second.close()
    assert log == ["convert", "raise"]
    assert cross_device() == "raise"
    first, second = numbers("raise", log), numbers("convert", log)
    next(first)
    next(second)
    first.close()
    assert cross_device() == "convert"  # the second is suspended in its block
    second.close()
    assert cross_device() == "raise"


def test_a_generator_may_be_closed_in_another_thread():
    log = []
    generator = numbers("convert", log)
    next(generator)
    assert cross_device() == "convert"
    elsewhere(generator.close)
    assert cross_device() == elsewhere() == "raise"


def test_a_context_that_was_copied_in_a_block_may_leave_it():
    def leave():
        generator = numbers("convert", [])
        next(generator)
        copied = contextvars.copy_context()
        copied.run(generator.close)
        return cross_device(), copied.run(cross_device)

    assert contextvars.copy_context().run(leave) == ("raise", "raise")


def test_a_block_that_is_left_elsewhere_is_left_in_all_contexts():
    def leave():
        generator = numbers("convert", [])
        next(generator)
        copied = contextvars.copy_context()  # has the same object as the context
        elsewhere(generator.close)
        return copied.run(cross_device), cross_device(), elsewhere(lambda: copied.run(cross_device))

    assert contextvars.copy_context().run(leave) == ("raise", "raise", "raise")


def test_fusion_in_contexts_that_are_copied_or_left_elsewhere(not_deferring):
    x = xp.ones(10)

    def deferred():
        return is_deferred(x + 1)

    def suspended():
        with corepy.config(fusion=True, fusion_threshold=0):
            yield

    with corepy.config(fusion=True, fusion_threshold=0):
        context = contextvars.copy_context()
    assert context.run(deferred)
    assert not deferred()
    del context
    generator = suspended()
    next(generator)
    assert deferred()
    elsewhere(generator.close)
    assert not deferred()


def test_a_block_is_left_that_was_not_entered():
    with pytest.raises(RuntimeError, match=r"^config: a block is left that was not entered"):
        corepy.config().__exit__(None, None, None)


def test_many_blocks_of_suspended_generators():
    running = [numbers("convert", []) for _ in range(2000)]
    for generator in running:
        next(generator)
    assert cross_device() == "convert"
    for generator in running[::2] + running[::-2]:
        generator.close()
    assert cross_device() == "raise"


def test_finalizers_that_leave_blocks(not_deferring):
    """Up to Python 3.11 garbage is collected while a block is entered or left."""
    x = xp.ones(10)

    def suspended():
        with corepy.config(fusion=True, fusion_threshold=0):
            yield

    class Cycle:
        def __init__(self):
            self.me, self.generator = self, suspended()
            next(self.generator)

        def __del__(self):
            self.generator.close()

    before = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for _ in range(300):
            Cycle()
            with corepy.config(cross_device="convert"), corepy.fuse():
                assert cross_device() == "convert"
    finally:
        gc.set_threshold(*before)
    gc.collect()
    assert cross_device() == "raise"
    assert not is_deferred(x + 1)
