// Names of places: of those in object files from the symbolize program (cmd/symbolize).
#pragma once
#include "mapping.h"

#include <compare>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace observation {

// A call site in the program.
struct Site {
    std::string function; // "MPI_Send"
    std::string file;     // "heat.c"; without debug information "a.out+0x1139"
    int line = 0;         // 0: unknown
    std::string in;       // the function that calls; "": unknown

    auto operator<=>(const Site &) const = default;
};

inline constexpr int no_site = -1; // unknown, or outside MPI

// Parses "script.py:12 in function", the path of a place in a script.
Site site_of_script(const std::string &text);

struct ObjectPlace {
    std::string path; // "": in no file
    uint64_t offset;  // as the file numbers it
};

// Returns the places as sites, without their MPI functions. A place that `symbolizer` cannot name
// is "object+0x1139".
std::vector<Site> named_places(const std::vector<ObjectPlace> &places,
                               const std::string &symbolizer);

// Returns the call sites of an observation by the numbers of their places.
std::unordered_map<uint32_t, Site> read_sites(const Mapping &mapping,
                                              const std::string &symbolizer);

} // namespace observation
