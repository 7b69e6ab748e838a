"""One program, many devices: from a global program to the program of one device, and a run of all of them."""

from .links import Links, side_by_side
from .partition import Collective, Partition, partition
from .simulation import Simulation, simulate
from .timeline import Timeline

__all__ = ["Collective", "Links", "Partition", "Simulation", "Timeline", "partition", "side_by_side", "simulate"]
