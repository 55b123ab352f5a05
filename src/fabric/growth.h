// How a job grows whose processes reach each other by libfabric (MPI_Comm_spawn on several nodes):
// what processes that do not share the wire-up of one MPI_COMM_WORLD tell each other. src/wireup
// gives it.
#pragma once
#include <string>

namespace thrum {

struct FabricGrowth {
    // Processes may be added on other nodes.
    bool elsewhere = false;
    // What all processes of the job may ask for, also those that are added; told once by one of
    // them. False: it was told before, or `why` says why not. ask(): "" if nobody has told it.
    // Both take their time; any thread.
    bool (*tell)(const std::string &key, const std::string &value, std::string &why) = nullptr;
    std::string (*ask)(const std::string &key) = nullptr;
};

// Before fabric_begin().
void set_fabric_growth(const FabricGrowth &growth);

} // namespace thrum
