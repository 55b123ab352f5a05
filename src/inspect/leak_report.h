// The text of the warnings about leaks, as a pure function of what was found (leaks.h).
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace thrum {

// What was left. The report is in this order.
enum class LeakKind : uint8_t {
    Request,           // never completed
    StartedRequest,    // persistent: started and never completed
    PersistentRequest, // inactive, never freed
    SentMessage,       // never received
    MatchedMessage,    // by MPI_Mprobe, and never received
    Communicator,
    Group,
    Datatype,
    Window,
    File,
    Info,
    Errhandler,
    Keyval,
    Op,
    Session,
};

// Objects of one kind that one line of the program has made.
struct Leak {
    LeakKind kind = LeakKind::Request;
    std::string function; // that has made them: "MPI_Comm_dup"
    std::string place;    // "halo.c:31 in main"
    std::string message;  // a SentMessage whose place is unknown: "from rank 3 with tag 5 ..."
    std::map<int, int> by_rank; // number of objects by world rank; for a SentMessage the receiver's
};

// Returns a line without "thrum: " for each place. Leaks with equal places are merged. Long lists
// end with their number of places. Sets `places` to the number of places.
std::vector<std::string> leak_lines(const std::vector<Leak> &leaks, size_t &places);

} // namespace thrum
