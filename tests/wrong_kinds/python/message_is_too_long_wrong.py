# The message is longer than the array that receives it.
# ranks: 2
# exit: [1-9].*
# expect: MPI_ERR_TRUNCATE.*40 bytes
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
if rank == 0:
    world.Send(array('i', range(10)), 1)
else:
    world.Recv(array('i', range(9)), 0)
