# Integers are sent, and real numbers are received.
# ranks: 2
# expect: warning: rank 1: MPI_Recv: .* has 3 MPI_INT, but the receive expects MPI_FLOAT
# expect: received at .*_wrong\.py:14 in <module>
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
if rank == 0:
    world.Send(array('i', [1, 2, 3]), 1)
else:
    world.Recv(array('f', [0, 0, 0]), 0)
