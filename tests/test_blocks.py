"""Every block of code in the documents runs as a reader copies it (`blocks` says how)."""

import functools
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import blocks
import pytest

import corepy

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [
    path
    for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
    if "_build" not in path.parts
]
BLOCKS = {path: blocks.blocks(path) for path in DOCUMENTS}
#: Programs that console blocks use and that are not Corepy's; their arguments are not checked.
OTHERS = {"apt-get", "asv", "cd", "git", "nvidia-smi", "pytest", "source"}
LANGUAGES = {"", "console", "cpp", *blocks.PYTHON, "text", "toml", "yaml"}
COMMAND = re.compile(r"`((?:[A-Z_]+=\S+ )*(?:make|python) [^`\n]+)`")


def name_of(path):
    return str(path.relative_to(ROOT))


def pages():
    """Return each page with each combination of what its blocks need."""
    for path, found in BLOCKS.items():
        code = [block.needs for block in found if block.language in blocks.PYTHON]
        for needs in sorted(set(code), key=sorted):
            name = "-".join([name_of(path), *sorted(needs)])
            yield pytest.param(path, needs, id=name)


@pytest.mark.parametrize("path, needs", [*pages()])
def test_python(path, needs, tmp_path):
    if missing := blocks.missing(needs):
        pytest.skip(f"{', '.join(missing)}: not here")
    for name in ("docs", "examples"):  # as in the source tree; what is written is elsewhere
        (tmp_path / name).symlink_to(ROOT / name)
    # Without settings that other tests make: `asv_benchmarks` computes everything at once.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("COREPY_")}
    environment["MPLBACKEND"] = "Agg"
    environment["PYTHONPATH"] = str(Path(corepy.__file__).parents[1])
    command = [sys.executable, str(ROOT / "tests" / "blocks.py"), str(path), *needs]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_readers_see_what_a_block_needs():
    """The comment is not shown, so the block or the paragraph before it has the name, too."""
    hidden = [
        f"{name_of(path)}:{block.line} {need}"
        for path, found in BLOCKS.items()
        for block in found
        for need in block.needs
        if need.lower() not in (block.code + block.introduction).lower()
    ]
    assert not hidden, "\n".join(hidden)


def test_languages():
    """A block with a misspelt language would not be run; one in braces is a directive of MyST."""
    unknown = [
        f"{name_of(path)}:{block.line} {block.language} {block.info}"
        for path, found in BLOCKS.items()
        for block in found
        if block.language not in LANGUAGES or not re.fullmatch(r"|\{.*", block.info)
    ]
    assert not unknown, "\n".join(unknown)


def test_toml():
    found = [block for each in BLOCKS.values() for block in each if block.language == "toml"]
    assert [tomllib.loads(block.code) for block in found if block.code.strip()]


def commands():
    """Return the commands of the console blocks, and those of ``make`` and Python in sentences."""
    for path, found in BLOCKS.items():
        for block in found:
            if block.language == "console":
                lines = block.code.replace("\\\n", "").splitlines()
                if any(line.startswith("$ ") for line in lines):  # the other lines are output
                    lines = [line[2:] for line in lines if line.startswith("$ ")]
                for line in filter(None, lines):
                    for command in line.split(" && "):
                        yield path, command
        for match in COMMAND.finditer(blocks.FENCE.sub("", path.read_text(encoding="utf-8"))):
            yield path, match[1]


@pytest.mark.skipif(not (ROOT / "Makefile").exists(), reason="commands are of the source tree")
def test_commands():
    wrong = [
        f"{name_of(path)}: {line}: {problem}"
        for path, line in commands()
        if (problem := problem_of(line))
    ]
    assert not wrong, "\n".join(wrong)


def problem_of(line):
    """Return why a command of a document cannot be right; an empty string where it may be."""
    words = shlex.split(line, comments=True)
    while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
        variable = words.pop(0).partition("=")[0]
        if variable.startswith("COREPY_") and variable not in variables():
            return f"nothing reads {variable}"
    if not words:
        return ""
    program, *arguments = words
    if program == "make":
        return problem_of_make(arguments)
    if re.fullmatch(r"(.*/)?python(3(\.\d+)?)?", program):
        return problem_of_python(arguments)
    if program == "pip":
        return problem_of_pip(arguments)
    if (ROOT / program).is_file() or program in OTHERS:
        return ""
    return f"{program} is no file, and none of {sorted(OTHERS)}"


def variables():
    """Return the environment variables that the package and its build read."""
    files = [ROOT / "setup.py", ROOT / "Makefile", *ROOT.glob("corepy/**/*.p*")]
    text = "".join(
        path.read_text(encoding="utf-8")
        for path in files
        if path.suffix in ("", ".py", ".pyx", ".pxi")
    )
    return {*re.findall(r"COREPY_[A-Z_]+", text)}


def problem_of_make(arguments):
    text = ROOT.joinpath("Makefile").read_text(encoding="utf-8")
    targets = {*re.findall(r"^([a-z-]+):", text, re.MULTILINE)}
    names = {*re.findall(r"\b([A-Z_]+)\b", text)}
    for word in arguments:
        name, is_variable, _ = word.partition("=")
        if name not in (names if is_variable else targets):
            return f"the Makefile has no {name}"
    return ""


def problem_of_python(arguments):
    if not arguments or arguments[0] in ("-c", "-"):
        return ""
    if arguments[0] != "-m":
        file, *options = arguments
        path = ROOT / file
        if not path.is_file():
            return f"there is no file {file}"
        text = path.read_text(encoding="utf-8")
        return problem_of_options(options, text)
    module, *arguments = arguments[1:]
    if module == "corepy":
        return problem_of_corepy(tuple(arguments))
    if module == "pip":
        return problem_of_pip(arguments)
    if module in ("pytest", "venv"):
        return ""
    path = ROOT.joinpath(*module.split("."))
    files = [file for file in (path / "__main__.py", path.with_suffix(".py")) if file.is_file()]
    if not files:
        return f"there is no module {module}"
    return problem_of_options(arguments, files[0].read_text(encoding="utf-8"))


@functools.cache
def problem_of_corepy(arguments):
    """Return what the command line of the package says of an invocation, which is not run."""
    command = [sys.executable, "-m", "corepy", *arguments, "--help"]
    environment = os.environ | {"PYTHONPATH": str(Path(corepy.__file__).parents[1])}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    return done.stderr or problem_of_options(arguments, done.stdout)


def problem_of_options(options, text):
    for word in options:
        if word == "--":
            break
        name = word.partition("=")[0]
        if name.startswith("--") and name[2:] not in text:
            return f"there is no option {name}"
    return ""


def problem_of_pip(arguments):
    """Return the extras that Corepy does not have."""
    project = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = re.findall(r"(?:corepy\S*|\.)\[(.*?)\]", " ".join(arguments))
    extras = {extra for each in asked for extra in re.split(r",\s*", each)}
    unknown = sorted(extras - {*project["optional-dependencies"]})
    return f"there is no extra {', '.join(unknown)}" if unknown else ""
