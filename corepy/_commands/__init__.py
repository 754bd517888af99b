"""The commands of ``python -m corepy``, a module each."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import corepy


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0 if all is well, 1 if not, 2 if it cannot run."""
    parser = argparse.ArgumentParser(prog="python -m corepy", description="Corepy's commands.")
    parser.add_argument("--version", action="version", version=f"corepy {corepy.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command")

    info = commands.add_parser("info", help="the machine, its devices, and the backends")
    info.add_argument("--json", action="store_true", dest="as_json", help="as JSON")

    verify = commands.add_parser("verify", help="check every operation against the reference")
    verify.add_argument("--device", default="cpu", help="the device to check (default: cpu)")

    bench = commands.add_parser("bench", help="compare the speed of this machine with NumPy's")
    bench.add_argument("--quick", action="store_true", help="fewer cases, in some seconds")
    bench.add_argument(
        "--matrix", action="store_true", help="instruction sets and GPUs against scalar loops"
    )

    commands.add_parser("calibrate", help="measure the rates by which devices are chosen")

    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return 0
    try:
        status = _run(options)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader of the output has gone, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _run(options: argparse.Namespace) -> int:
    """Call the function of a command, in the module of its name, with the command's options."""
    given = vars(options)
    name = given.pop("command")
    if given.pop("matrix", False):
        name = "matrix"
    return getattr(import_module(f"corepy._commands.{name}"), name)(**given)
