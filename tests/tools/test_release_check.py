"""What a release needs: one version everywhere, and tools that report what is wrong."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import release_check  # noqa: E402
import wheel  # noqa: E402

pytestmark = pytest.mark.skipif(
    not (ROOT / "corepy").exists(), reason="only in the tree that a release is made from"
)


def test_all_files_name_the_version_of_the_package():
    corepy = pytest.importorskip("corepy")
    assert release_check.version() == corepy.__version__
    assert set(release_check.copies_of_version().values()) == {corepy.__version__}
    assert release_check.check_version().startswith(corepy.__version__)


def test_the_version_is_written_where_it_is_read():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "version" in project["project"]["dynamic"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "corepy.__version__"}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("CHANGELOG.md", "## [", "## [9."),
        ("CITATION.cff", "\nversion: ", "\nversion: 9."),
        ("corepy/__init__.py", '__version__ = "', '__version__ = "9.'),
        ("CHANGELOG.md", "\n- ", "\n"),
    ],
)
def test_a_difference_is_found(name, old, new, tmp_path, monkeypatch):
    for path in ("CHANGELOG.md", "CITATION.cff", "corepy/__init__.py"):
        copy = tmp_path / path
        copy.parent.mkdir(exist_ok=True)
        copy.write_text((ROOT / path).read_text())
    changed = tmp_path / name
    changed.write_text(changed.read_text().replace(old, new))
    monkeypatch.setattr(release_check, "ROOT", tmp_path)
    with pytest.raises(release_check.CheckError, match=r"CHANGELOG\.md|CITATION\.cff"):
        release_check.check_version()


def test_a_command_that_fails_is_reported_with_its_output():
    with pytest.raises(release_check.CheckError, match="no such thing"):
        release_check.run(sys.executable, "-c", "raise SystemExit('no such thing')")


def test_a_failed_check_is_one_line_and_the_exit_status(monkeypatch, capsys):
    def fail():
        raise release_check.CheckError("too large")

    monkeypatch.setattr(release_check, "CHECKS", {"size": fail, "tag": lambda: "manylinux_2_28"})
    monkeypatch.setattr(sys, "argv", ["release_check.py"])
    assert release_check.main() == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("FAILED  size: too large")
    assert second.startswith("ok      tag: manylinux_2_28")


def test_wheels_are_built_for_each_supported_python():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    versions = [
        name.rpartition(" ")[2]
        for name in project["project"]["classifiers"]
        if name.startswith("Programming Language :: Python :: 3.")
    ]
    built = [f"cp{version.replace('.', '')}-*" for version in versions]
    assert project["tool"]["cibuildwheel"]["build"] == built


def test_the_sysroot_has_the_symbols_of_its_glibc(tmp_path, monkeypatch):
    pytest.importorskip("ziglang", reason="extra release")
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        pytest.skip("only on x86-64 Linux")
    monkeypatch.setattr(wheel, "SYSROOT", tmp_path / "sysroot")
    environment = wheel.make_sysroot()
    source = tmp_path / "new.cpp"
    source.write_text(
        "#include <cmath>\n#include <condition_variable>\n#include <thread>\n#include <vector>\n"
        "std::mutex m;\nstd::condition_variable c;\n"
        "double f(double x, size_t n) {\n"
        "  std::unique_lock<std::mutex> lock(m);\n  c.wait(lock);\n"
        "  std::thread([] {}).join();\n  return std::log(x) + std::vector<int>(n)[0];\n}\n"
    )
    library = tmp_path / "new.so"
    command = [*environment["CXX"].split(), "-O1", "-fPIC", "-shared", "-pthread", source]
    command += [*environment["LDFLAGS"].split(), "-o", library]
    subprocess.run(command, check=True)
    symbols = subprocess.run(
        ["objdump", "-T", library], capture_output=True, text=True, check=True
    ).stdout
    versions = {word.strip("()") for word in symbols.split() if word.strip("()").count(".")}
    newest = {
        prefix: max(
            tuple(map(int, version.removeprefix(prefix).split(".")))
            for version in versions
            if version.startswith(prefix)
        )
        for prefix in ("GLIBC_", "GLIBCXX_")
    }
    assert newest["GLIBC_"] <= (2, 28)
    assert newest["GLIBCXX_"] <= (3, 4, 24)  # GCC 8, of distributions with glibc 2.28
