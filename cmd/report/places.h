// Names of places in object files, from the symbolize program (cmd/symbolize).
#pragma once
#include "report.h"

#include <cstdint>
#include <string>
#include <vector>

namespace report {

struct ObjectPlace {
    std::string path; // "": in no file
    uint64_t offset;  // as the file numbers it
};

// Returns the places as sites, without their MPI functions. A place that `symbolizer` cannot name
// is "object+0x1139".
std::vector<Site> named_places(const std::vector<ObjectPlace> &places,
                               const std::string &symbolizer);

} // namespace report
