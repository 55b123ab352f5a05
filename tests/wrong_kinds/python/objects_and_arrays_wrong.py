# A pickled object is received into an array: send and Recv do not go together.
# ranks: 2
# options: --check
# exit: [1-9].*
# expect: MPI_ERR_TYPE: .*the message from rank 0 .*has .* MPI_BYTE, but the receive expects MPI_INT
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
values = array('i', range(100))
if rank == 0:
    world.send(values[:5], 1)
else:
    world.Recv(values, 0)
