# The message goes round the ring.
# ranks: 2
# expect-not: thrum:
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
value = array('i', [rank])
request = world.Irecv(array('i', [0]), (rank - 1) % size)
world.Send(value, (rank + 1) % size)
request.Wait()
