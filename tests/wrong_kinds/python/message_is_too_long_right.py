# The array is as long as the message.
# ranks: 2
# expect-not: thrum:
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
if rank == 0:
    world.Send(array('i', range(10)), 1)
else:
    world.Recv(array('i', range(10)), 0)
