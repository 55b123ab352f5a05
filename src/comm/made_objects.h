// The objects that a rank's program has made and not freed yet, each with the call that made it.
// What is left at the end of MPI is reported (inspect/leaks.h).
//
// A handle may be there several times: MPI_Comm_get_errhandler returns an object that exists, and
// each handle must be freed. Predefined objects and those that the library makes for itself are
// never there.
#pragma once
#include "comm/process.h"

#include <optional>
#include <vector>

namespace thrum {

// What a program may leave behind. Reports are in this order.
enum class MadeKind : uint8_t {
    Request,        // never completed; recorded only if it is in no pool (pt2pt/request_places.h)
    StartedRequest, // persistent: started and never completed. Never recorded, like the next two
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

struct MadeObject {
    MadeKind kind;
    CallPlace place;
    const void *handle = nullptr;
};

// Record that the call of the calling thread has returned `handle`, or freed it. An object that was
// not recorded may be freed.
void record_made(MadeKind kind, const void *handle);
void record_freed(MadeKind kind, const void *handle);

// Keyvals have numbers.
inline const void *handle_of_keyval(int number) {
    return reinterpret_cast<const void *>(static_cast<intptr_t>(number));
}

// An object that the program has freed: the calls that made and freed it.
struct FreedObject {
    CallPlace made, freed;
};

// Returns what the rank knows of a handle that is not alive. Nothing of one that it has never had.
std::optional<FreedObject> freed_object(const void *handle);

// Returns the objects that are left.
std::vector<MadeObject> made_objects(const Process &process);

} // namespace thrum
