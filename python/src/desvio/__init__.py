"""Networks of switches, simulated flit by flit: the command ``desvio``, and its results as tables of pandas."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Mapping, Sequence

import pandas

from ._command import Broken, Refused, command, environment, options, value_of
from ._progress import Progress
from .checker import Checker, Packet, Pin, Violation
from .router import BenchError, Flit, Pins, Port, Router

__all__ = [
    "BenchError",
    "Broken",
    "Checker",
    "Flit",
    "Packet",
    "Pin",
    "Pins",
    "Port",
    "Refused",
    "Router",
    "Violation",
    "campaign",
    "command",
    "compare",
    "environment",
    "example",
    "read",
    "run",
]

# The tables of a folder of results, that of the largest study first.
_TABLES = ("points.csv", "compare.csv", "summary.csv")


def example(name: str) -> str:
    """The text of one of the scenarios that are inside of the program."""
    return command("example", name)


def run(
    scenario: str | os.PathLike[str], *, sets: Mapping[str, Any] | None = None, out: str | os.PathLike[str] | None = None, **overrides: Any
) -> pandas.DataFrame:
    """A row for each load of a scenario, which is a path or a file's text.

    ``traffic__loads=[0.1]`` replaces ``traffic.loads``. Results are kept in ``out``, where it is given.
    """
    return _ran("run", scenario, options(sets, overrides), out)


def compare(
    scenario: str | os.PathLike[str],
    vary: Mapping[str, Sequence[Any]],
    *,
    sets: Mapping[str, Any] | None = None,
    out: str | os.PathLike[str] | None = None,
    **overrides: Any,
) -> pandas.DataFrame:
    """A curve for each value in ``vary``; the first column names it."""
    varied = [f"--vary={key}={','.join(value_of(value, bare=True) for value in values)}" for key, values in vary.items()]
    return _ran("compare", scenario, varied + options(sets, overrides), out)


def campaign(file: str | os.PathLike[str], *, out: str | os.PathLike[str] | None = None) -> pandas.DataFrame:
    """A row for each point of a campaign, once what was missing of it has been run."""
    folder = Path(out) if out is not None else Path("results") / Path(file).stem
    _watched("campaign", "run", str(file), "--out", str(folder))
    command("campaign", "collect", str(file), "--out", str(folder))
    return read(folder)


def read(folder: str | os.PathLike[str]) -> pandas.DataFrame:
    """The table of a folder of results."""
    for name in _TABLES:
        table = Path(folder) / name
        if table.is_file():
            return pandas.read_csv(table)
    raise FileNotFoundError(f"{folder}: no {', '.join(_TABLES)}")


def _ran(verb: str, scenario: str | os.PathLike[str], more: list[str], out: str | os.PathLike[str] | None) -> pandas.DataFrame:
    is_text = isinstance(scenario, str) and "\n" in scenario
    with tempfile.TemporaryDirectory() as scratch:
        folder = str(out if out is not None else scratch)
        file = "-" if is_text else str(scenario)
        _watched(verb, file, "--out", folder, *more, stdin=str(scenario) if is_text else None)
        return read(folder)


def _watched(*arguments: str, stdin: str | None = None) -> None:
    """Runs the command, and shows how far it is in a notebook and on a terminal."""
    progress = Progress()
    try:
        command(*arguments, stdin=stdin, watch=progress.see)
    finally:
        progress.end()
