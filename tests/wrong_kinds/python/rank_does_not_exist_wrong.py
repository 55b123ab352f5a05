# A message is sent to a rank that does not exist.
# ranks: 2
# exit: [1-9].*
# expect: MPI_ERR_RANK: .*dest is 2, but MPI_COMM_WORLD has 2 ranks
# expect: rank 0: MPI_Wait, to receive from rank 1, .*_wrong\.py:15 in <module>
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
value = array('i', [rank])
request = world.Irecv(array('i', [0]), (rank - 1) % size)
world.Send(value, rank + 1)
request.Wait()
