"""One program, many devices: from a global program to the program of one device, and a run of all of them."""

from .partition import Collective, Partition, partition
from .simulation import Simulation, simulate
from .timeline import Timeline

__all__ = ["Collective", "Partition", "Simulation", "Timeline", "partition", "simulate"]
