# A message is sent that no rank receives.
# ranks: 2
# expect: message.*(_wrong\.py:11 in <module>|from rank 0 with tag 7)
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
if rank == 0:
    world.Send(array('i', [1]), 1, tag=7)
world.Barrier()
