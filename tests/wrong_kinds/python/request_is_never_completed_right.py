# The request is waited for.
# ranks: 2
# expect-not: thrum:
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
values = array('i', [0])
if rank == 0:
    world.Send(values, 1)
else:
    request = world.Irecv(values, 0)
    request.Wait()
world.Barrier()
