"""Devices: the CPU (`cpu`) and GPUs (`gpu`), which run schedules made of the operations in `protocol`."""
