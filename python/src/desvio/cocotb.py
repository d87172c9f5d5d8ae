"""A checker beside a switch under cocotb 2."""

from __future__ import annotations

from typing import Any

from cocotb.triggers import FallingEdge, ReadOnly

from .checker import Checker


def connect(dut: Any, checker: Checker) -> None:
    """Tells the checker how wide the switch's ports are, and drives the inputs that keep one value."""
    checker.start({pin.name: len(getattr(dut, pin.name)) for pin in checker.pins})
    for name, value in checker.constants.items():
        getattr(dut, name).value = value


async def watch(dut: Any, checker: Checker) -> None:
    """Shows every cycle of the switch to the checker, until a rule is broken.

    A cycle is looked at when the clock falls: the bench drives the inputs before, best when the clock rises.
    """
    clock = getattr(dut, checker.clock)
    handles = [(pin.name, getattr(dut, pin.name)) for pin in checker.pins]
    while True:
        await FallingEdge(clock)
        await ReadOnly()
        checker.step({name: value_of(handle) for name, handle in handles})


def value_of(handle: Any) -> int:
    """The value of a signal as a number; bits that are neither 0 nor 1 count as 0."""
    bits = str(handle.value).upper()
    return int("".join("1" if bit in "1H" else "0" for bit in bits), 2)
