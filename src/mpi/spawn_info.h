// The keys of the info argument of MPI_Comm_spawn (MPI 5.0 section 11.8.4).
#pragma once
#include "comm/errhandler.h"
#include "comm/info.h"

#include <string>

namespace thrum::mpi {

// The values of the keys.
struct SpawnInfo {
    int ranks = 0;         // maxprocs, or the largest number up to it that `soft` allows
    std::string directory; // wdir, a real path; "": none
    std::string hosts;     // host: names separated by commas; "": any
    std::string path;      // directories in which to search the executable; "": none
    Errhandler *errhandler = &errors_are_fatal; // mpi_initial_errhandler
    int number = 0;                             // appnum, or the command's own number
};

// Reads the info of command number `number`; `info` may be nullptr. The file named by the key
// `file` supplies keys that `info` lacks. Errors name key and value.
Error read_spawn_info(const Info *info, int maxprocs, int number, SpawnInfo &result);

} // namespace thrum::mpi
