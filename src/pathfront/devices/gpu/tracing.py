"""The rows of a schedule's trace on a device: the launches that count for them, none where no trace is wanted."""

from __future__ import annotations

from typing import Any

from pathfront import warp_runtime
from pathfront.devices.protocol import Device, Step, TraceForm

LOW = 1
"""The scalar that holds the lowest distance of an iteration."""


class TraceRows:
    """The memory of a trace's rows, and the launches that fill them; all of them do nothing if there is no row."""

    def __init__(self, program: Any, recorded: Device, max_rows: int) -> None:
        from pathfront.devices.gpu.kernels import tracing

        wp, grid, n = warp_runtime.warp(), program.grid, program.on_device.n
        self._program, self._kernels = program, program.kernels
        self._wanted, self._threads = max_rows > 0, max_rows > 0 and recorded.threads_traced
        self.table = grid.zeros((max_rows, columns(recorded)), wp.float64)
        self._waiting = grid.zeros(recorded.queues * self._wanted, wp.uint32)
        warps = (n + tracing.WARP - 1) // tracing.WARP
        self._last_in = grid.zeros(warps * self._threads, wp.int32)  # the iteration in which a warp last had work

    def forget(self) -> None:
        """Forget the last search."""
        self._last_in.zero_()

    def start(self) -> None:
        """Start the clock."""
        if self._wanted:
            self._program.launch_single(self._kernels.begin_clock)

    def begin(self, step: Step, lists: dict[tuple[int, ...], Any]) -> None:
        """Begin a row."""
        if not self._wanted:
            return
        form = TraceForm.of(step.number)
        limit = step.scalars[0] if form.has_limit else -1
        delta = step.scalars[form.has_limit] if form.has_delta else -1
        scalars = lists[step.scalars[form.has_limit + form.has_delta :]]
        self._program.launch_single(self._kernels.pause_clock, self._waiting)
        self._program.launch(self._kernels.count_waiting, self._waiting)
        operands = self._waiting, form.near, form.far, lists[step.queues], limit, delta, scalars
        self._program.launch_single(self._kernels.begin_row, self.table, *operands)

    def frontier(self, no_lightest: Any) -> None:
        """Find the lowest distance of the worklist, before it changes, and the warps that work on it."""
        if not self._wanted:
            return
        self._program.launch_single(self._kernels.pause_clock, self._waiting)
        self._program.launch_single(self._kernels.reset_lowest, LOW)
        self._program.launch(self._kernels.find_lowest, LOW, no_lightest)
        self._program.launch_single(self._kernels.resume_clock)

    def warps_of_worklist(self) -> None:
        """Count the warps that work on the worklist."""
        if self._threads:
            self._program.launch(self._kernels.count_warps_of_worklist, self._last_in)

    def warps_of_marks(self, marks: Any, *, marked: bool) -> None:
        """Count the warps that work where vertices that are marked, or not, have work."""
        if self._threads:
            self._program.launch(self._kernels.count_warps_of_marks, marks, int(marked))

    def end(self, each: int, *, pulled: bool = False) -> None:
        """Complete the row."""
        if not self._wanted:
            return
        self._program.launch_single(self._kernels.pause_clock, self._waiting)
        self._program.launch(self._kernels.count_labelled)
        self._program.launch_single(self._kernels.end_row, self.table, LOW, each, int(pulled))

    def settle(self, limit: int, below: int) -> None:
        """Count the vertices up to a limit, or below it: they are final."""
        if self._wanted:
            self._program.launch_single(self._kernels.reset_final)
            self._program.launch(self._kernels.count_final, limit, below)
            self._program.launch_single(self._kernels.note_final, self.table)


def columns(recorded: Device) -> int:
    """Return how many columns the rows of a schedule have."""
    from pathfront.devices.gpu.kernels import tracing

    return tracing.FIXED + len(recorded.columns or ())
