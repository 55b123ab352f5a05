# Send and Recv go together.
# ranks: 2
# options: --check
# expect-not: thrum:
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
values = array('i', range(100))
if rank == 0:
    world.Send(values[:5], 1)
else:
    world.Recv(values, 0)
