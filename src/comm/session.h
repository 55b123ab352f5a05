// Session (MPI 5.0 section 11.3): a way to use MPI beside, or without, the World Model. Groups
// obtained from a session, and everything derived from them, refer to it for its error handler
// (section 9.3) and its attached buffer (section 3.6).
#pragma once
#include "base/object_pool.h"
#include "comm/communicator.h"
#include "comm/info.h"

#include <atomic>
#include <cstdint>
#include <string>

// A session of one rank.
struct MPI_ABI_Session {
    static constexpr uint32_t magic_live = 0x73657373;
    uint32_t magic = magic_live; // 0: finalized, but kept by what was derived from it
    thrum::Process *process = nullptr;
    thrum::Errhandler *errhandler = nullptr;
    thrum::Info *hints = nullptr; // the result of MPI_Session_get_info
    // The handle, and each group and communicator derived from it.
    std::atomic<int> references{1};
    static constexpr int extensions_max = 1;
    thrum::Extensions<MPI_ABI_Session, extensions_max> extensions; // of layers above
};

namespace thrum {

// Returns nullptr if null, finalized or not a session.
inline Session *find_session(MPI_Session handle) {
    return is_live(handle) ? handle : nullptr;
}

// Returns the session, if it has not been finalized.
inline Session *live_session(Session *session) {
    return session && is_live(session) ? session : nullptr;
}

// Makes a session with one reference, and counts it (count_session()). Takes over `hints`.
Session *new_session(Process &process, Errhandler &errhandler, Info &hints);
// Ends the session and releases the handle's reference.
void finalize_session(Session &session);
// Add and drop a reference. The last release() frees the session.
void retain(Session &session);
void release(Session &session);

// Returns the supported memory allocation kinds (section 11.4.3) if the program asked for `asked`
// (nullptr: nothing): "mpi,system", and those of `asked` that add valid restrictors.
std::string supported_memory_kinds(const std::string *asked);

} // namespace thrum
