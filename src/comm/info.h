// Info (MPI 5.0 chapter 10): an ordered set of (key, value) pairs.
#pragma once
#include "mpi.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace thrum {
using Info = struct ::MPI_ABI_Info;
}

// An info object of one rank. Few keys are usual, so they are searched one by one.
struct MPI_ABI_Info {
    static constexpr uint32_t magic_live = 0x696e666f;
    uint32_t magic = magic_live;
    std::vector<std::pair<std::string, std::string>> entries; // in order of insertion

    // Returns the value of a key, nullptr if there is none. It is valid until the key is changed.
    const std::string *get(const char *key) const;
    // Adds a key, or replaces its value.
    void set(const char *key, const char *value);
    // Removes a key. Returns false if there is none.
    bool erase(const char *key);
};

namespace thrum {

// Returns the info of a handle; nullptr for MPI_INFO_NULL, unknown constants, freed handles.
Info *find_info(MPI_Info handle);
MPI_Info handle_of(Info &info);
// Make and free info objects. They are not counted: each has one owner. delete_info() accepts
// nullptr.
Info *new_info();
Info *copy_info(const Info &info);
void delete_info(Info *info);

// Makes MPI_INFO_ENV (section 11.2.1) of a program that was started as `argv`.
Info *new_environment_info(int argc, const char *const *argv, int world_size);

} // namespace thrum
