# The message is received.
# ranks: 2
# expect-not: thrum:
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
if rank == 0:
    world.Send(array('i', [1]), 1, tag=7)
if rank == 1:
    world.Recv(array('i', [1]), 0)
world.Barrier()
