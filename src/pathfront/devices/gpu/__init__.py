"""Schedules and persistent kernels on NVIDIA GPUs, and their emulation: everything that needs Warp."""
