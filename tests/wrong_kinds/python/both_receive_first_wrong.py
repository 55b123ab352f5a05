# Both ranks receive before they send.
# ranks: 2
# exit: 86
# expect: DEADLOCK: all 2 ranks are blocked and no message can arrive
# expect: MPI_Recv .*, at .*_wrong\.py:15 in <module>
# expect: 2 ranks wait for each other in a cycle: 0 -> 1 -> 0
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
value = array('i', [rank])
other = array('i', [0])
world.Recv(other, 1 - rank)
world.Send(value, 1 - rank)
