// The text of the warnings about leaks, as a pure function of what was found (leaks.h).
#pragma once
#include "comm/made_objects.h"

#include <map>
#include <string>
#include <vector>

namespace thrum {

// Objects of one kind that one line of the program has made.
struct Leak {
    MadeKind kind = MadeKind::Request;
    std::string function; // that has made them: "MPI_Comm_dup"
    std::string place;    // "halo.c:31 in main"
    std::string message;  // a SentMessage whose place is unknown: "from rank 3 with tag 5 ..."
    std::map<int, int> by_rank; // number of objects by world rank; for a SentMessage the receiver's
};

// Returns a line without "thrum: " for each place. Leaks with equal places are merged. Long lists
// end with their number of places. Sets `places` to the number of places.
std::vector<std::string> leak_lines(const std::vector<Leak> &leaks, size_t &places);

} // namespace thrum
