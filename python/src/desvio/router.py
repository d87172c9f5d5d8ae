"""The model of one router, stepped cycle by cycle."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Mapping, Sequence

from ._command import File, Served, options


class BenchError(RuntimeError):
    """The bench did what no neighbour of a switch may do; the text is the command's."""


@dataclass(frozen=True)
class Flit:
    """A flit on the wires. ``data``: its bits, the 32 of the payload lowest; above them a head has its header."""

    vc: int
    head: bool
    tail: bool
    data: int


@dataclass(frozen=True)
class Pins:
    """What is on the wires of a port in one direction: at most one flit, and the VC of at most one credit."""

    flit: Flit | None = None
    credit: int | None = None


@dataclass(frozen=True)
class Port:
    """A port of a router. ``buffer``: flits that each VC holds, at either end."""

    kind: str
    leads_to: str
    vcs: int
    buffer: int


class Router:
    """A router of a scenario's network as the model: ``router-core``, with nothing around it.

    A step is one internal cycle. ``speedup`` of them are a cycle of the links: flits come out in the first.
    """

    def __init__(
        self, scenario: str | os.PathLike[str], router: int = 0, *, sets: Mapping[str, Any] | None = None, **overrides: Any
    ) -> None:
        self._file = File(scenario)
        self._served = Served("step", self._file.path, f"--router={router}", *options(sets, overrides))
        hello = self._served.hello
        self.nodes: int = hello["nodes"]
        self.speedup: int = hello["speedup"]
        self.ports = [Port(port["class"], port["leads_to"], port["vcs"], port["buffer"]) for port in hello["ports"]]
        self.cycle = 0

    def step(self, pins: Mapping[int, Pins] | Sequence[Pins] | None = None) -> list[Pins]:
        """What the router drives in this cycle, port by port, given what its neighbours drive in it.

        What was wrong with the inputs of the cycle before is a ``BenchError``.
        """
        by_port = pins if isinstance(pins, Mapping) else dict(enumerate(pins or []))
        inputs = {str(port): _written(signals) for port, signals in by_port.items()}
        answer = self._served.ask({"step": inputs})
        self.cycle += 1
        if "protocol" in answer:
            raise BenchError(f"cycle {self.cycle - 2}: {answer['protocol']}")
        driven = answer["ports"]
        return [_read(driven.get(str(port))) for port in range(len(self.ports))]

    def packet(self, source: int, destination: int, flits: int = 1, *, vc: int = 0, tag: int = 0) -> list[Flit]:
        """The flits of a packet from one node to another, as they come to the router of the first."""
        packet = {"from": source, "to": destination, "flits": flits, "vc": vc, "tag": tag}
        return [_flit(flit) for flit in self._served.ask({"packet": packet})["flits"]]

    def reset(self) -> None:
        """Back to the state after a reset."""
        self._served.ask({"reset": True})
        self.cycle = 0

    def close(self) -> None:
        """Ends the program behind the router."""
        self._served.close()

    def __enter__(self) -> Router:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _written(pins: Pins) -> dict[str, Any]:
    flit = pins.flit
    if flit is None:
        return {"credit": pins.credit}
    written = {"vc": flit.vc, "head": flit.head, "tail": flit.tail, "data": hex(flit.data)}
    return {"flit": written, "credit": pins.credit}


def _read(signals: Mapping[str, Any] | None) -> Pins:
    if signals is None:
        return Pins()
    flit = signals["flit"]
    return Pins(None if flit is None else _flit(flit), signals["credit"])


def _flit(flit: Mapping[str, Any]) -> Flit:
    return Flit(flit["vc"], flit["head"], flit["tail"], int(flit["data"], 16))
