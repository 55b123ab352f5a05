// How a job grows whose processes reach each other through libfabric (MPI_Comm_spawn on several
// nodes): how processes that do not share the wire-up of one MPI_COMM_WORLD exchange data.
// src/wireup provides it.
#pragma once
#include <string>

namespace thrum {

// The functions that src/wireup provides.
struct FabricGrowth {
    // Whether processes may be added on other nodes.
    bool elsewhere = false;
    // Publish data once, for all processes of the job, including added ones. tell() returns false
    // if it was published before, or if it fails, with the cause in `why`. ask() returns "" if
    // nothing was published. Both may take long and can run on any thread.
    bool (*tell)(const std::string &key, const std::string &value, std::string &why) = nullptr;
    std::string (*ask)(const std::string &key) = nullptr;
};

// Sets the functions. Call it before fabric_begin().
void set_fabric_growth(const FabricGrowth &growth);

} // namespace thrum
