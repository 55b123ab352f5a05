"""The MPI that the plug-in itself needs: ctypes on the library of the standard ABI, so that ranks need no mpi4py.

The plug-in initialises MPI before the tests are imported. mpi4py, and other bindings that ask MPI_Initialized, then leave it as it
is. What the plug-in sends goes through a communicator of its own.
"""
import atexit
import ctypes
import os
import pickle
import time

# Values of the MPI 5.0 standard ABI.
_COMM_WORLD = ctypes.c_void_p(257)
_BYTE = ctypes.c_void_p(583)
_INT64 = ctypes.c_void_p(600)
_ERRORS_RETURN = ctypes.c_void_p(323)
_THREAD_MULTIPLE = 4096
_ANY_SOURCE, _ANY_TAG = -1, -2

NAME = 'pytest-thrum'  # of the communicator; reports of deadlocks show it
_POLL_S = 0.001

_world = None


class World:
    """The ranks of this job, for the plug-in's own messages.

    rank, size: of this process in MPI_COMM_WORLD
    """

    def __init__(self, library):
        self._library = library
        flag, level = ctypes.c_int(), ctypes.c_int()
        library.MPI_Initialized(ctypes.byref(flag))
        if not flag.value:
            library.MPI_Init_thread(None, None, _THREAD_MULTIPLE, ctypes.byref(level))
            # The first to be registered is the last to be called: after mpi4py has freed what it uses.
            ctypes.pythonapi.Py_AtExit(ctypes.cast(library.MPI_Finalize, ctypes.c_void_p))
        rank, size, self._comm = ctypes.c_int(), ctypes.c_int(), ctypes.c_void_p()
        library.MPI_Comm_rank(_COMM_WORLD, ctypes.byref(rank))
        library.MPI_Comm_size(_COMM_WORLD, ctypes.byref(size))
        library.MPI_Comm_dup(_COMM_WORLD, ctypes.byref(self._comm))
        library.MPI_Comm_set_name(self._comm, NAME.encode())
        atexit.register(library.MPI_Comm_free, ctypes.byref(self._comm))
        self.rank, self.size = rank.value, size.value

    def let_errors_return(self):
        """Makes barrier() return when a rank is lost. By default Thrum reports that and ends the job."""
        self._library.MPI_Comm_set_errhandler(self._comm, _ERRORS_RETURN)

    def barrier(self):
        """Returns whether all ranks have come; False: one has ended."""
        return self._library.MPI_Barrier(self._comm) == 0

    def barrier_within(self, seconds, when_late):
        """Waits for all ranks. Calls when_late() if others have not come after `seconds`, and waits on."""
        request, done = ctypes.c_void_p(), ctypes.c_int()
        self._library.MPI_Ibarrier(self._comm, ctypes.byref(request))
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            self._library.MPI_Test(ctypes.byref(request), ctypes.byref(done), None)
            if done.value:
                return
            time.sleep(_POLL_S)
        when_late()
        self._library.MPI_Wait(ctypes.byref(request), None)

    def unreceived(self):
        """Returns source and tag of a message on MPI_COMM_WORLD that has arrived and was not received; None: there is none."""
        found, status = ctypes.c_int(), (ctypes.c_int * 8)()
        self._library.MPI_Iprobe(_ANY_SOURCE, _ANY_TAG, _COMM_WORLD, ctypes.byref(found), status)
        return (status[0], status[1]) if found.value else None

    def allgather(self, value):
        """Returns the values of all ranks, by rank. They are pickled."""
        own = pickle.dumps(value)
        lengths = (ctypes.c_int64 * self.size)()
        length = ctypes.c_int64(len(own))
        self._library.MPI_Allgather(ctypes.byref(length), 1, _INT64, lengths, 1, _INT64, self._comm)
        counts, places = (ctypes.c_int * self.size)(*lengths), (ctypes.c_int * self.size)()
        for rank in range(1, self.size):
            places[rank] = places[rank - 1] + counts[rank - 1]
        everything = ctypes.create_string_buffer(max(1, sum(lengths)))
        self._library.MPI_Allgatherv(own, len(own), _BYTE, everything, counts, places, _BYTE, self._comm)
        raw = everything.raw
        return [pickle.loads(raw[place:place + count]) for place, count in zip(places, counts)]

    def of_rank_0(self, value):
        """Returns rank 0's value."""
        return self.allgather(value if self.rank == 0 else None)[0]


def library_of_this_job():
    """The MPI library that mpiexec has loaded into this process; None outside of mpiexec."""
    library = ctypes.CDLL(None)
    return library if hasattr(library, 'MPI_Init_thread') and hasattr(library, 'MPI_Comm_set_name') else None


def begin(library):
    """Initialises MPI, if nobody has yet, and returns the world."""
    global _world
    if _world is None:
        _world = World(library)
    return _world


def world():
    """The world of this process; None in a process that is no rank."""
    return _world


def other_launcher():
    """The name of another MPI whose mpiexec has started this process beside others; None if there is none."""
    for name, variable in (('Open MPI', 'OMPI_COMM_WORLD_SIZE'), ('MPICH or Intel MPI', 'PMI_SIZE')):
        if os.environ.get(variable, '1') not in ('', '1'):
            return name
    return None
