"""The same comparison as a cocotb bench: every pin and every register, in every cycle, against a recording.

    cocotb_router.py FOLDER     a folder that the benchmark `lockstep` has written; prints nanoseconds per cycle

Needs cocotb 2 and Verilator. The recorded values spare the bench a model of its own.
"""

import json
import os
import struct
import sys
import time
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge


class Frames:
    """Pins of all cycles: a few integers, then the data of all ports."""

    def __init__(self, path, pins, words):
        self.bytes = Path(path).read_bytes()
        self.pins = struct.Struct(f"<{pins}Q")
        self.size = self.pins.size + 4 * words

    def of(self, cycle):
        begin, end = cycle * self.size, (cycle + 1) * self.size
        return self.pins.unpack_from(self.bytes, begin), int.from_bytes(self.bytes[begin + self.pins.size:end], "little")


@cocotb.test()
async def lockstep(dut):
    folder = Path(os.environ["RECORDING"])
    about = json.loads((folder / "about.json").read_text())
    inputs = Frames(folder / "stimulus.bin", 7, about["words"])
    outputs = Frames(folder / "outputs.bin", 6, about["words"])
    registers = (folder / "registers.bin").read_bytes()
    words = about["register_words"]
    probes = [(find(dut, name), at, bits) for name, at, bits in about["signals"]]
    mask = int(about["mask"], 16)
    width = 32 * about["words"] // about["ports"]
    cycles = min(about["cycles"], int(os.environ.get("CYCLES", "2000")))

    for name, value in about["configuration"].items():
        getattr(dut, name).value = value
    dut.flit_in_valid.value = 0
    dut.credit_in_valid.value = 0
    dut.rst.value = 1
    Clock(dut.clk, 2, "ns").start(start_high=False)
    await FallingEdge(dut.clk)
    await FallingEdge(dut.clk)
    dut.rst.value = 0

    compared = 0
    begin = time.perf_counter_ns()
    for cycle in range(cycles):
        (reset, valid, head, tail, vc, credit, credit_vc), data = inputs.of(cycle)
        if reset and cycle > 0:
            cycles = cycle
            break
        # What the registers drive now is what the model drove in this cycle.
        (out_valid, out_head, out_tail, out_vc, out_credit, _), out_data = outputs.of(cycle)
        assert dut.flit_out_valid.value == out_valid, f"cycle {cycle}: flit_out_valid"
        assert dut.credit_out_valid.value == out_credit, f"cycle {cycle}: credit_out_valid"
        if out_valid:
            assert int(dut.flit_out_head.value) & out_valid == out_head, f"cycle {cycle}: flit_out_head"
            assert int(dut.flit_out_tail.value) & out_valid == out_tail, f"cycle {cycle}: flit_out_tail"
            got, got_vc = int(dut.flit_out_data.value), int(dut.flit_out_vc.value)
            for port in range(about["ports"]):
                if out_valid >> port & 1:
                    assert (got ^ out_data) >> width * port & (1 << width) - 1 == 0, f"cycle {cycle}: data of output {port}"
                    assert (got_vc ^ out_vc) >> about["vc_bits"] * port & (1 << about["vc_bits"]) - 1 == 0
        dut.flit_in_valid.value = valid
        dut.credit_in_valid.value = credit
        if valid:
            dut.flit_in_head.value = head
            dut.flit_in_tail.value = tail
            dut.flit_in_vc.value = vc
            dut.flit_in_data.value = data
        if credit:
            dut.credit_in_vc.value = credit_vc
        await FallingEdge(dut.clk)
        expected = int.from_bytes(registers[8 * words * cycle:8 * words * (cycle + 1)], "little")
        for handle, at, bits in probes:
            of = (int(handle.value) ^ expected >> at) & (1 << bits) - 1 & mask >> at
            assert of == 0, f"cycle {cycle}: {handle._path}"
            compared += 1
    spent = time.perf_counter_ns() - begin
    (folder / "cocotb.txt").write_text(f"{spent} {cycles} {compared}\n")


def find(dut, name):
    """The handle of `dsv_router.g_input[0].input_port.…`."""
    handle = dut
    for part in name.split(".")[1:]:
        label, *indices = part.replace("]", "").split("[")
        handle = getattr(handle, label)
        for index in indices:
            handle = handle[int(index)]
    return handle


def main():
    from cocotb_tools.runner import get_runner

    folder = Path(sys.argv[1])
    about = json.loads((folder / "about.json").read_text())
    runner = get_runner("verilator")
    build = folder / "cocotb"
    runner.build(
        sources=about["sources"],
        hdl_toplevel="dsv_router",
        parameters=about["parameters"],
        build_args=["-O3", "--x-assign", "unique", "--x-initial", "unique", "-Wno-fatal"],
        build_dir=build,
    )
    os.environ["RECORDING"] = str(folder)
    os.environ["PYTHONPATH"] = str(Path(__file__).parent)
    runner.test(hdl_toplevel="dsv_router", test_module=Path(__file__).stem, build_dir=build)
    spent, cycles, compared = map(int, (folder / "cocotb.txt").read_text().split())
    print(f"{spent / cycles:.0f} ns per cycle, {cycles} cycles, {compared} signals compared")


if __name__ == "__main__":
    main()
