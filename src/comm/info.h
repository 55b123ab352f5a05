// Info (MPI 5.0 chapter 10): an ordered set of (key, value) pairs.
#pragma once
#include "mpi.h"

#include <string>
#include <utility>
#include <vector>

namespace thrum {
using Info = struct ::MPI_ABI_Info;
}

struct MPI_ABI_Info {
    std::vector<std::pair<std::string, std::string>> entries; // in order of insertion

    const std::string *get(const char *key) const; // nullptr: no such key
    void set(const char *key, const char *value);
    bool erase(const char *key);
};

namespace thrum {
Info *find_info(MPI_Info handle); // nullptr for MPI_INFO_NULL and unknown constants
}
