// What a member of a new window publishes to the others, and the steps that windows of one node
// process (window_lifecycle.cc) and of several (spanning_window.cc) have in common.
#pragma once
#include "rma/window.h"

#include <cstdio>
#include <vector>

namespace thrum {

struct SpanningWindow; // spanning_window.cc

// What all members must know of each.
struct WindowFacts {
    MPI_Aint size_bytes = 0;
    Count disp_unit = 1;
    int64_t granularity = 0;
    size_t alignment = 0;
    int flavor = 0;
    bool noncontiguous = false;
};

// The decision writes `shared` or an error.
struct Proposal {
    WindowFacts facts;
    Window *win = nullptr; // nullptr of a member in another process
    char *base = nullptr;
    Error error;
    char sentence[256] = ""; // of the error
    SharedWindow *shared = nullptr;
    SpanningWindow *spanning = nullptr;

    void note(Error what) {
        error = what;
        std::snprintf(sentence, sizeof sentence, "%s", error_detail(what.code()));
    }

    Error told() const { return error ? fail(error.code(), "%s", sentence) : success; }
};

using Proposals = std::vector<Proposal *>; // by rank

// Checks the request and makes the member's object.
Error prepare(Communicator &comm, const WindowRequest &request, Proposal &mine);
// Memory of the member's own, if its window has such.
Error prepare_memory(Proposal &mine);
Error check_agreement(const Proposals &proposals);
// Finds the first error of a member. False: there is none. Else it becomes `verdict`.
bool find_error(const Proposals &proposals, Proposal &verdict);
// Everybody whose own request was right gets the error of `verdict`.
void tell(const Proposal &verdict, const Proposals &proposals);
void enlist(SharedWindow &shared);
void take_part(Window &win, SharedWindow &shared);
// What only the member itself does: its hidden communicator. After take_part(), or for it.
void join(Communicator &comm, Window &win, SharedWindow &shared);
void destroy(Window &win);

// MPI_Win_create and its kin if `comm` spans node processes.
Error make_spanning_window(Communicator &comm, Proposal &mine) MAY_SUSPEND;
void forget_remote_members(RemoteMembers &remote);

} // namespace thrum
