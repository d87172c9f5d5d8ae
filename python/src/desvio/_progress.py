"""How far a run is: a bar in a notebook, one line that changes on a terminal, nothing elsewhere."""

from __future__ import annotations

import html
import re
import sys
from typing import Any

# The lines of the command: "3 of 12: load 0.300: accepted …", "40 of 100 points, 2 minutes left", "3: load …" where no one knows how many.
_LINE = re.compile(r"(?P<over>[0-9]+)(?: of (?P<total>[0-9]+))?[: ]")


class Progress:
    """Shows the lines that the command prints while it runs."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._shown = False

    def see(self, line: str) -> bool:
        """Whether a line says how far the run is, and is shown; anything else is the caller's."""
        found = _LINE.match(line)
        if found is None:
            return False
        over, total = found["over"], found["total"]
        if _in_notebook():
            self._show(_bar(over, total, line))
        elif sys.stderr.isatty():
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
            self._shown = True
        return True

    def end(self) -> None:
        """The run has ended: what was shown of it goes."""
        if self._handle is not None:
            self._show("")
        elif self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _show(self, text: str) -> None:
        from IPython.display import HTML, display

        if self._handle is None:
            self._handle = display(HTML(text), display_id=True)
        else:
            self._handle.update(HTML(text))


def _bar(over: str, total: str | None, line: str) -> str:
    extent = f' value="{over}" max="{total}"' if total is not None else ""
    return f"<progress{extent}></progress> {html.escape(line)}"


def _in_notebook() -> bool:
    """Whether this is a kernel of Jupyter, whose output is a page."""
    kernel = sys.modules.get("ipykernel")
    if kernel is None:
        return False
    from IPython import get_ipython

    shell = get_ipython()
    return shell is not None and hasattr(shell, "kernel")
