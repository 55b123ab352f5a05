# The array changes afterwards.
# ranks: 2
# options: --check
# expect-not: thrum:
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
value = array('i', range(100000))
if rank == 0:
    request = world.Isend(value, 1)
    request.Wait()
    value[50] = 7
else:
    world.Recv(value, 0)
