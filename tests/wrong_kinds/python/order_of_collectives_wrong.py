# The ranks call two collective operations in another order.
# ranks: 2
# exit: [1-9].*
# expect: DEADLOCK|ranks disagree on the operation: rank . calls MPI_(Barrier|Bcast), rank . calls MPI_(Barrier|Bcast)
# expect: _wrong\.py(:|", line )14
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
value = array('i', [rank])
if rank == 0:
    world.Barrier()
world.Bcast(value, 0)
if rank == 1:
    world.Barrier()
