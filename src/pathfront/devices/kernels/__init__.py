"""The kernels of GPUs, written in Python and compiled by Warp, one file for each concern; importing them needs Warp."""
