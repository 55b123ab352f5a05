# The communicator is freed.
# ranks: 4
# expect-not: thrum:
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
def halves():
    return world.Split(rank % 2)


half = halves()
half.Barrier()
half.Free()
