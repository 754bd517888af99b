"""Apple's GPUs, as macOS lists them."""

from __future__ import annotations

import functools
import sys

from corepy.backend._properties import DeviceProperties

_SECONDS = 10


def gpus() -> list[DeviceProperties]:
    """Return the GPUs with Metal; none on other systems than macOS."""
    return list(_listed()) if sys.platform == "darwin" else []


def sysctl(name: str) -> str:
    """Return a value of the kernel, or an empty string."""
    return _output("sysctl", "-n", name).strip()


@functools.cache  # the command takes tenths of a second, and GPUs stay
def _listed() -> tuple[DeviceProperties, ...]:
    import json

    text = _output("system_profiler", "-json", "SPDisplaysDataType")
    cards = json.loads(text)["SPDisplaysDataType"] if text else []
    memory = sysctl("hw.memsize")
    shared = sysctl("hw.optional.arm64") == "1"
    return tuple(
        DeviceProperties(
            index=index,
            name=str(card.get("sppci_model") or card.get("_name") or "GPU"),
            total_memory=int(memory) if shared and memory.isdigit() else _bytes_of(card),
            free_memory=None,
            compute_capability=None,
            unified_memory=shared,
            backend="metal",
        )
        for index, card in enumerate(card for card in cards if _has_metal(card))
    )


def _has_metal(card: dict[str, object]) -> bool:
    """Return whether a card is listed with a version of Metal; the key depends on the system."""
    support = [str(card[key]) for key in card if "metal" in key or "mtlgpufamily" in key]
    return any("not" not in each.lower() for each in support)


def _bytes_of(card: dict[str, object]) -> int | None:
    """Return the memory of a card, which is listed as "4 GB" or "1536 MB"."""
    words = str(card.get("spdisplays_vram") or card.get("spdisplays_vram_shared") or "").split()
    units = {"MB": 2**20, "GB": 2**30}
    if len(words) == 2 and words[0].isdigit() and words[1] in units:
        return int(words[0]) * units[words[1]]
    return None


def _output(*command: str) -> str:
    import subprocess

    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""
