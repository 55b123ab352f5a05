// Executes the program of this process again with another environment, where ld.so has not loaded
// what it needs. For the constructor of libmpi: nothing here needs malloc or the C library's
// constructor.
#pragma once

namespace thrum {

// Executes it with LD_BIND_NOW=1, or ends the process. Slots that ld.so would bind at the first
// call would, in a clone, bind and call rank 0's function.
[[noreturn]] void restart_with_bound_slots(char **argv, char **environment);

// Executes it with the front that the program needs, if another one or none is preloaded, and
// without a front if it needs libmpi_abi itself: mpiexec, which preloads, does not know what a
// script starts, and a front that LD_LIBRARY_PATH names comes behind the C library, of which
// libmpi_abi replaces functions. Does nothing if the program needs no MPI (an interpreter loads it
// later), or two.
void restart_with_right_front(char **argv, char **environment);

} // namespace thrum
