"""The rules of ``desvio conform`` for a switch that runs elsewhere: all of its pins come in, cycle by cycle."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Iterable, Mapping

from ._command import Broken, File, Served, options
from .router import BenchError


class Violation(Broken):
    """The switch has broken a rule; the text is that of ``desvio conform``."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        super().__init__(found["text"])
        #: Its name, such as ``LEGAL-PORT``.
        self.rule: str = found["rule"]
        #: What must hold.
        self.sentence: str = found["sentence"]
        self.cycle: int = found["cycle"]
        #: The cycle in which it began, where that lies further back.
        self.since: int | None = found["since"]
        self.place: str = found["place"]
        self.message: str = found["message"]
        self.packet: str = found["packet"]
        #: What happened before, the newest at the end.
        self.events: list[str] = found["events"]


@dataclass(frozen=True)
class Pin:
    """A port of the switch's module that is looked at."""

    name: str
    is_output: bool


@dataclass(frozen=True)
class Packet:
    """A packet to send. ``flits``: the bits of each on the wires. ``description``: where it may go."""

    number: int
    flits: list[int]
    description: str


class Checker:
    """The neighbours of a switch in the place of one router of a scenario, and the account of its packets.

    ``map`` is a file that says what the switch's signals are called, as for ``desvio conform``.
    """

    def __init__(
        self,
        scenario: str | os.PathLike[str],
        map: str | os.PathLike[str],
        router: int = 0,
        *,
        seed: int = 1,
        patience: int | None = None,
        allow: Iterable[str] = (),
        all_pairs: bool = False,
        sets: Mapping[str, Any] | None = None,
        **overrides: Any,
    ) -> None:
        self._file = File(scenario)
        more = [f"--router={router}", f"--seed={seed}", *(f"--allow={rule}" for rule in allow)]
        more += [] if patience is None else [f"--patience={patience}"]
        more += ["--all-pairs"] if all_pairs else []
        self._served = Served("step", self._file.path, f"--map={map}", *more, *options(sets, overrides))
        hello = self._served.hello
        #: The ports of the module that a cycle has.
        self.pins = [Pin(pin["name"], pin["is_output"]) for pin in hello["pins"]]
        self.clock: str = hello["clock"]
        #: Inputs that keep one value.
        self.constants = {name: _number(value) for name, value in hello["constants"].items()}
        #: Parameters of the module: numbers, or Verilog.
        self.parameters = {name: _number(value) for name, value in hello["parameters"].items()}
        #: By port of the switch: its VCs, what it leads to, and the credits of a VC at first, inputs and outputs.
        self.vcs: list[int] = hello["vcs"]
        self.leads_to: list[str] = hello["leads_to"]
        self.credits: list[tuple[int, int]] = [tuple(pair) for pair in hello["credits"]]
        #: The rules by name, with what must hold.
        self.rules: dict[str, str] = hello["rules"]
        #: Whether nothing is in the switch, every credit is home and every VC is free.
        self.is_even = True
        #: Cycles since a flit or a credit moved.
        self.still = 0
        #: Cycles without a move after which nothing moves any more.
        self.patience = 0

    def start(self, widths: Mapping[str, int]) -> None:
        """Begins, with the bits of each of ``pins``."""
        self.patience = self._served.ask({"widths": [widths[pin.name] for pin in self.pins]})["patience"]

    def step(self, pins: Mapping[str, int]) -> None:
        """Looks at one cycle: the value of each of ``pins`` before the edge of the clock.

        A broken rule is a ``Violation``. What no neighbour of a switch may do is a ``BenchError``.
        """
        self._judge({"see": [hex(pins[pin.name]) for pin in self.pins]})

    def packet(self, port: int, vc: int, *, output: int | None = None, flits: int | None = None) -> Packet | None:
        """A packet that may come by a VC of a port, towards an output or any; ``None`` where the scenario has none."""
        asked = {"port": port, "vc": vc, "output": output, "flits": flits}
        packet = self._served.ask({"packet": asked})["packet"]
        if packet is None:
            return None
        return Packet(packet["number"], [int(flit, 16) for flit in packet["flits"]], packet["description"])

    def finish(self) -> None:
        """The end: everything must have come out. Before it, the bench gives all credits back and waits until ``is_even``, or until
        ``still`` is above ``patience``."""
        self._judge({"finish": True})

    def counts(self) -> dict[str, Any]:
        """Cycles, packets and flits so far, looks at each rule under ``checks``, and what broke under ``allowed``."""
        return self._served.ask({"counts": True})

    def close(self) -> None:
        """Ends the program behind the checker."""
        self._served.close()

    def __enter__(self) -> Checker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _judge(self, request: Mapping[str, Any]) -> None:
        answer = self._served.ask(request)
        if "broken" in answer:
            raise Violation(answer["broken"])
        if "bench" in answer:
            raise BenchError(f"cycle {answer['cycle']}: {answer['bench']}")
        self.is_even, self.still = answer["is_even"], answer["still"]


def _number(value: str) -> int | str:
    return int(value, 16) if value.startswith("0x") else value
