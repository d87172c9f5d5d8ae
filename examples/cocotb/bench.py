"""A cocotb bench of the crosspoint switch. Desvio's checker says what every switch must do."""

import os

import cocotb
from cocotb.clock import Clock

import desvio
from desvio.cocotb import connect, watch
from neighbours import Neighbours


@cocotb.test()
async def the_switch_keeps_the_rules(dut):
    with desvio.Checker(os.environ["SCENARIO"], os.environ["MAP"]) as checker:
        connect(dut, checker)
        Clock(dut.ck, 10, "ns").start()
        watching = cocotb.start_soon(watch(dut, checker))
        neighbours = Neighbours(dut, checker)
        await neighbours.reset()
        for load, patient in [(0.1, 1.0), (0.9, 1.0), (0.9, 0.3)]:
            await neighbours.run(1000, load, patient=patient)
            await neighbours.drain()
        # All packets want one side, for longer than any packet may wait.
        for side in neighbours.sides:
            await neighbours.run(2 * checker.patience, 1.0, output=side)
            await neighbours.drain()
        watching.cancel()
        checker.finish()
        counts = checker.counts()
        looked = sum(counts["checks"].values())
        dut._log.info("%d packets in %d cycles, %d checks: no rule was broken", counts["packets"], counts["cycles"], looked)
