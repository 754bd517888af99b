"""tools/install_torch.py: what it takes for a build for GPUs, and what it says without a build."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

PATH = Path(__file__).resolve().parents[2] / "tools" / "install_torch.py"


@pytest.fixture
def tool():
    spec = importlib.util.spec_from_file_location("install_torch", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def report(*names):
    return {"install": [{"metadata": {"name": name}} for name in names]}


def test_parts_of_gpus(tool):
    assert tool.gpu_parts(report("torch", "sympy", "filelock")) == []
    names = ("torch", "nvidia-cublas", "Triton", "cuda-bindings", "networkx")
    assert tool.gpu_parts(report(*names)) == ["nvidia-cublas", "triton", "cuda-bindings"]


def test_a_build_for_gpus_is_not_installed(tool, monkeypatch, capsys):
    ran = []

    def run(*arguments, seconds):
        ran.append(arguments)
        Path(arguments[arguments.index("--report") + 1]).write_text(
            '{"install": [{"metadata": {"name": "torch"}}, {"metadata": {"name": "triton"}}]}'
        )

    monkeypatch.setattr(tool.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(tool, "run", run)
    assert tool.main() == tool.UNAVAILABLE
    assert [arguments[0] for arguments in ran] == ["--dry-run"]
    assert (
        "!!! NOTHING WAS TESTED ON torch:cpu: pip would install triton" in capsys.readouterr().out
    )


def test_failures_of_pip_are_said(tool, monkeypatch):
    def ended(command, **options):
        return subprocess.CompletedProcess(command, 1, "", "notice\nERROR: no network\n")

    monkeypatch.setattr(tool.subprocess, "run", ended)
    assert tool.install() == "ERROR: no network"

    def late(command, **options):
        raise subprocess.TimeoutExpired(command, options["timeout"])

    monkeypatch.setattr(tool.subprocess, "run", late)
    assert tool.install() == "pip took more than 120 s"


def test_an_installed_library_stays(tool, monkeypatch):
    monkeypatch.setattr(tool.importlib.util, "find_spec", lambda name: sys)
    monkeypatch.setattr(tool, "run", None)
    assert tool.main() == 0
