"""Debian's mpi4py: objects, arrays, a window and a group of half of the ranks."""
import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
objects = comm.allgather({'rank': comm.rank, 'text': 'x' * comm.rank})
total = numpy.empty(1000)
comm.Allreduce(numpy.full(1000, comm.rank + 1.0), total)
half = comm.Split(comm.rank % 2, comm.rank)
window = MPI.Win.Allocate(8 * comm.size, 8, comm=comm)
window.Fence()
for target in range(comm.size):
    window.Put([numpy.array([comm.rank + 100]), 1, MPI.LONG], target, comm.rank)
window.Fence()
got = numpy.frombuffer(window.tomemory(), 'i8').tolist()
right = ([o['rank'] for o in objects] == list(range(comm.size)) and (total == comm.size * (comm.size + 1) / 2).all()
         and half.size == comm.size // 2 and got == [rank + 100 for rank in range(comm.size)])
window.Free()
half.Free()
right = comm.allreduce(bool(right), MPI.LAND)
if comm.rank == 0:
    print('all right' if right else 'something is wrong')
