# All ranks take rank 0 for the root.
# ranks: 2
# expect-not: thrum:
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
world.bcast([1, 2], root=0)
