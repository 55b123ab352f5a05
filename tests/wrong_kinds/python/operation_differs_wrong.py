# The ranks reduce by different operations.
# ranks: 2
# exit: [1-9].*
# expect: ranks disagree on op.*MPI_(SUM|MAX).*MPI_(SUM|MAX)
# expect: _wrong\.py", line 13
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
mine, result = array('i', [rank]), array('i', [0])
world.Allreduce(mine, result, MPI.SUM if rank == 0 else MPI.MAX)
