# Each rank takes itself for the root.
# ranks: 2
# exit: [01]
# expect: ranks disagree on root|MPI_Bcast: what rank [01] sent with root [01].* was never received
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
world.bcast([1, 2], root=rank)
