# All ranks call them in one order.
# ranks: 2
# expect-not: thrum:
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
value = array('i', [rank])
if rank == 0:
    world.Barrier()
if rank == 1:
    world.Barrier()
world.Bcast(value, 0)
