# Integers are sent and received.
# ranks: 2
# expect-not: thrum:
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
if rank == 0:
    world.Send(array('i', [1, 2, 3]), 1)
else:
    world.Recv(array('i', [0, 0, 0]), 0)
