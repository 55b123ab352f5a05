// Proposal: what a member of a new window publishes to the others; and the steps that windows of
// one node process (window_lifecycle.cc) and of several (spanning_window.cc) share.
#pragma once
#include "rma/window.h"

#include <cstdio>
#include <vector>

namespace thrum {

struct SpanningWindow; // spanning_window.cc

// What all members must know about each member. Copied into packets as it is.
struct WindowFacts {
    MPI_Aint size_bytes = 0;
    Count disp_unit = 1; // in bytes
    int64_t granularity = 0;
    size_t alignment = 0;
    int flavor = 0;
    bool noncontiguous = false;
};

// A member's proposal, on the stack of its call. The decision fills in `shared`, or an error.
struct WindowProposal {
    WindowFacts facts;
    Window *win = nullptr; // nullptr for a member in another process
    char *base = nullptr;
    Error error;
    char sentence[256] = ""; // the error's text, without which other members could not report it
    SharedWindow *shared = nullptr;
    SpanningWindow *spanning = nullptr;

    // Records an error together with its text.
    void note(Error what) {
        error = what;
        std::snprintf(sentence, sizeof sentence, "%s", error_detail(what.code()));
    }

    // Returns the error of the proposal, with its text, in the calling member.
    Error told() const { return error ? fail(error.code(), "%s", sentence) : success; }
};

using WindowProposals = std::vector<WindowProposal *>; // by rank

// Checks the request and makes the member's object (without memory). If it fails, `mine.win` may be
// nullptr.
Error prepare(Communicator &comm, const WindowRequest &request, WindowProposal &mine);
// Allocates the member's own memory, if its kind of window has such memory.
Error prepare_memory(WindowProposal &mine);
// Returns an error if the members disagree on what must be the same everywhere.
Error check_agreement(const WindowProposals &proposals);
// Stores the first error of a member in `verdict`. Returns false if there is none.
bool find_error(const WindowProposals &proposals, WindowProposal &verdict);
// Gives the error of `verdict` to all members that have none of their own.
void tell(const WindowProposal &verdict, const WindowProposals &proposals);
// Enters a complete window into the list of windows.
void enlist(SharedWindow &shared);
// Connects a member's object with what the members share.
void take_part(Window &win, SharedWindow &shared);
// Does what only the member itself can do: makes its hidden communicator. Called after take_part(),
// or instead of it.
void join(Communicator &comm, Window &win, SharedWindow &shared);
// Frees a member's object and its part of the shared state; the last member frees that. Accepts an
// object that was never finished.
void destroy(Window &win);

// Implements MPI_Win_create and its variants if `comm` spans node processes.
Error make_spanning_window(Communicator &comm, WindowProposal &mine) MAY_SUSPEND;
// Withdraws this process's memory from the network, and deletes `remote`.
void forget_remote_members(RemoteMembers &remote);

} // namespace thrum
