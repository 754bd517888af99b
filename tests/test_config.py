"""Settings: of the process by a plain call, of a context by a ``with`` block."""

import asyncio
import contextvars
import gc
import itertools
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import corepy
from corepy import _config
from corepy._config import cross_device


@pytest.fixture(autouse=True)
def unchanged(monkeypatch):
    """Forget the defaults that a test sets; it leaves all of its blocks."""
    monkeypatch.setattr(_config, "_calls", ())
    monkeypatch.setattr(_config, "_settled", {})
    yield
    monkeypatch.setattr(_config, "_calls", ())
    monkeypatch.setattr(_config, "_settled", {})
    assert cross_device() == "raise"


def elsewhere(function=cross_device):
    """Return what a function returns in another thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function).result()


def test_a_plain_call_sets_the_default_of_the_process():
    assert cross_device() == elsewhere() == "raise"
    corepy.config(cross_device="convert")
    assert cross_device() == elsewhere() == "convert"
    corepy.config()
    assert cross_device() == elsewhere() == "convert"
    elsewhere(lambda: corepy.config(cross_device="raise") and None)
    assert cross_device() == elsewhere() == "raise"


def test_the_latest_plain_call_counts():
    for setting in ("convert", "raise", "raise", "convert"):
        corepy.config(cross_device=setting)
        assert cross_device() == elsewhere() == setting
    assert len(_config._calls) <= 2  # those without an effect are forgotten


def test_a_with_block_is_its_own_context_s():
    with corepy.config(cross_device="convert"):
        assert cross_device() == "convert"
        assert elsewhere() == "raise"
    assert cross_device() == "raise"
    corepy.config(cross_device="convert")
    with corepy.config(cross_device="raise"):
        assert cross_device() == "raise"
        assert elsewhere() == "convert"
    assert cross_device() == elsewhere() == "convert"


def test_a_plain_call_in_a_block_changes_the_default_and_not_the_block():
    with corepy.config(cross_device="raise"):
        corepy.config(cross_device="convert")
        assert cross_device() == "raise"
        assert elsewhere() == "convert"
    assert cross_device() == "convert"


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
    assert cross_device() == "raise"
    assert _config._calls == ()


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


def test_an_object_that_is_entered_later_was_no_default_of_other_threads(monkeypatch):
    setting = corepy.config(cross_device="convert")
    assert cross_device() == "convert"  # a plain call, as far as this thread knows
    assert elsewhere() == "raise"  # but a `with` may still come
    with setting:
        assert cross_device() == "convert"
    assert cross_device() == "raise"
    kept = corepy.config(cross_device="convert")
    made = _config._calls[-1].moment
    monkeypatch.setattr(_config.time, "monotonic", lambda: made + 2.0)
    assert elsewhere() == "convert"  # so late it is a plain call
    del kept
    gc.collect()
    assert elsewhere() == "convert"


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
    assert len(_config._calls) <= 1


@pytest.mark.parametrize("moment", ["made", "entered", "left"])
def test_other_threads_between_any_two_steps(moment):
    setting = corepy.config(cross_device="convert")
    if moment != "made":
        setting.__enter__()
    if moment == "left":
        setting.__exit__(None, None, None)
    assert elsewhere() == "raise"
    if moment == "entered":
        setting.__exit__(None, None, None)


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
        return copied.run(cross_device)

    assert contextvars.copy_context().run(leave) == "raise"
