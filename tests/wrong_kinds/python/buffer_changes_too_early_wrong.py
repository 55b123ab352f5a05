# An array changes before its send is complete.
# ranks: 2
# options: --check
# expect: rank 0: MPI_Wait: the send buffer of MPI_Isend was changed before .*_wrong\.py:14 in <module>
# expect: MPI_Wait at .*_wrong\.py:16 in <module>
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
value = array('i', range(100000))
if rank == 0:
    request = world.Isend(value, 1)
    value[50] = 7
    request.Wait()
else:
    world.Recv(value, 0)
