"""The neighbours of the crosspoint switch: they send packets, count credits and give credits back."""

import random
from collections import deque

from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge


class Neighbours:
    """One neighbour for each side of the switch."""

    def __init__(self, dut, checker, seed=1):
        self.dut, self.checker = dut, checker
        self.random = random.Random(seed)
        self.sides = range(len(checker.vcs))
        lanes = [(side, lane) for side in self.sides for lane in range(checker.vcs[side])]
        #: Credits for the switch's queues, words that wait, and credits that are due back to the switch.
        self.credits = {at: checker.credits[at[0]][0] for at in lanes}
        self.queues = {at: deque() for at in lanes}
        self.owed = {at: 0 for at in lanes}

    async def reset(self, cycles=4):
        self.dut.rx_strobe.value = 0
        self.dut.rx_word.value = 0
        self.dut.tx_return.value = 0
        self.dut.rst.value = 1
        for _ in range(cycles):
            await RisingEdge(self.dut.ck)
        self.dut.rst.value = 0

    async def run(self, cycles, load, output=None, patient=1.0):
        """So many cycles. ``output``: the side that all packets want. ``patient``: how likely a credit is given back in a cycle."""
        for _ in range(cycles):
            await self.cycle(load, output, patient)

    async def drain(self):
        """Nothing new begins until everything has come out, or nothing moves any more."""
        while self.any_left() or not (self.checker.is_even or self.checker.still > self.checker.patience):
            await self.cycle(0, None, 1.0)
            if self.checker.still > self.checker.patience:
                break

    def any_left(self):
        return any(self.queues.values())

    async def cycle(self, load, output, patient):
        """Reads what the switch drives, and drives what it reads after the next edge."""
        await FallingEdge(self.dut.ck)
        await ReadOnly()
        returned, strobe = int(self.dut.rx_return.value), int(self.dut.tx_strobe.value)
        words = int(self.dut.tx_word.value) if strobe else 0
        await RisingEdge(self.dut.ck)
        for side, lane in self.credits:
            self.credits[side, lane] += returned >> 2 * side + lane & 1
        for side in self.sides:
            if strobe >> side & 1:
                self.owed[side, words >> 36 * side + 33 & 1] += 1
        self.give_back(patient)
        self.send(load, output)

    def give_back(self, patient):
        bits = 0
        for (side, lane), owed in self.owed.items():
            if owed and self.random.random() < patient:
                self.owed[side, lane] -= 1
                bits |= 1 << 2 * side + lane
        self.dut.tx_return.value = bits

    def send(self, load, output):
        strobe = word = 0
        for side in self.sides:
            if self.random.random() >= load and not (load == 0 and self.any_left()):
                continue
            lanes = [lane for lane in range(self.checker.vcs[side]) if self.has_word(side, lane, load > 0, output)]
            if lanes:
                lane = self.random.choice(lanes)
                self.credits[side, lane] -= 1
                strobe |= 1 << side
                word |= self.queues[side, lane].popleft() << 36 * side
        self.dut.rx_strobe.value = strobe
        self.dut.rx_word.value = word

    def has_word(self, side, lane, begins, output):
        """Whether a lane has a word to send and the credit for it. The checker composes packets that can come by this side."""
        if not self.credits[side, lane]:
            return False
        queue = self.queues[side, lane]
        if not queue and begins:
            packet = self.checker.packet(side, lane, output=output)
            queue.extend(packet.flits if packet else [])
        return bool(queue)
