// Creation and end of windows. For creation all members meet and publish their requests, member 0
// decides for all, and they meet again (across processes: spanning_window.cc). For the end they
// meet, and then none is inside a call on the window.
#include "rma/window_lifecycle.h"

#include "base/check.h"
#include "coll/coll.h"
#include "comm/attributes.h"
#include "comm/communicator_lifecycle.h"
#include "comm/info.h"
#include "rma/access_checks.h"
#include "rma/epoch.h"
#include "rma/proposal.h"
#include "rma/remote_access.h"
#include "rma/stripe.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace thrum {
namespace {

constinit ObjectPool<Window> pool;

// All windows, for code that inspects an idle process, and when a process is lost.
constinit SpinLock list_lock; // guards the list, and SharedWindow::next and link
constinit SharedWindow *list = nullptr;

constexpr size_t alignment_default = 64; // a cache line; more than any basic datatype needs

// Takes the window off the list. All members call it; the first one does it.
void take_from_list(SharedWindow &shared) {
    LockGuard guard(list_lock);
    if (!shared.link)
        return;
    *shared.link = shared.next;
    if (shared.next)
        shared.next->link = shared.link;
    shared.link = nullptr;
}

// Ends a member's use of the shared state.
void leave(SharedWindow &shared) {
    // acq_rel [window-1]: the last member frees after all others' use.
    if (shared.members.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    std::free(shared.memory);
    if (shared.remote)
        forget_remote_members(*shared.remote);
    delete[] shared.parts;
    delete &shared;
}

// Checks a member's own arguments.
Error check_request(const WindowRequest &request) {
    if (request.size_bytes < 0)
        return fail(MPI_ERR_SIZE, "size is %ld, but must not be negative",
                    static_cast<long>(request.size_bytes));
    if (request.disp_unit <= 0)
        return fail(MPI_ERR_DISP, "disp_unit is %lld, but must be positive",
                    static_cast<long long>(request.disp_unit));
    if (request.flavor == MPI_WIN_FLAVOR_CREATE && !request.base && request.size_bytes > 0)
        return fail(MPI_ERR_BASE, "base is a null pointer, but size is %ld",
                    static_cast<long>(request.size_bytes));
    const BufferUse memory{request.base, request.size_bytes, find_datatype(MPI_BYTE),
                           BufferAccess::Write};
    if (has_buffer_checks() && request.flavor == MPI_WIN_FLAVOR_CREATE && !is_mapped(memory))
        return fail(MPI_ERR_BASE, "base is %p: the %ld bytes there are not all memory",
                    request.base, static_cast<long>(request.size_bytes));
    return success;
}

// Allocates `size_bytes`, or a minimum for none. The memory is freed by std::free.
Error allocate(size_t size_bytes, size_t alignment, void *&memory) {
    if (::posix_memalign(&memory, std::max(alignment, alignment_default),
                         size_bytes ? size_bytes : 1) == 0)
        return success;
    return fail(MPI_ERR_NO_MEM, "cannot allocate %zu bytes", size_bytes);
}

// Makes the member's object without memory.
Window *new_member(Communicator &comm, const WindowRequest &request) {
    Window *win = pool.make();
    win->rank = comm.rank;
    win->size = comm.size;
    win->process = comm.process;
    win->errhandler = &errors_are_fatal; // section 12.6.1
    win->flavor = request.flavor;
    win->dynamic = request.flavor == MPI_WIN_FLAVOR_DYNAMIC;
    if (comm.context->span)
        win->lock.grant_in_any_order();
    win->size_bytes = request.size_bytes;
    win->disp_unit = static_cast<int>(std::min<Count>(request.disp_unit, INT_MAX));
    if (request.info)
        win->hints.take(*request.info, false);
    return win;
}

// Section 12.2.3: one piece of memory, in rank order, unless all members allow separate pieces.
// Then each has allocated its own in prepare_memory().
Error allocate_together(const WindowProposals &proposals, void *&memory) {
    bool all_apart = true;
    size_t total = 0, alignment = 0;
    for (const WindowProposal *proposal : proposals) {
        const WindowFacts &facts = proposal->facts;
        all_apart = all_apart && facts.noncontiguous;
        alignment = std::max(alignment, facts.alignment);
        if (__builtin_add_overflow(total, static_cast<size_t>(facts.size_bytes), &total))
            return fail(MPI_ERR_NO_MEM,
                        "the windows of all ranks together exceed the address space");
    }
    if (all_apart)
        return success;
    if (Error error = allocate(total, alignment, memory))
        return error;
    char *next = static_cast<char *>(memory);
    for (WindowProposal *proposal : proposals) {
        std::free(proposal->win->memory); // of a member that would have allowed separate pieces
        proposal->win->memory = nullptr;
        proposal->base = next;
        next += proposal->facts.size_bytes;
    }
    return success;
}

// Makes the shared state for all members. Runs in one of them, while the others wait.
Error build(const WindowProposals &proposals) {
    if (Error error = check_agreement(proposals))
        return error;
    void *memory = nullptr;
    int flavor = proposals[0]->facts.flavor;
    if (flavor == MPI_WIN_FLAVOR_SHARED)
        if (Error error = allocate_together(proposals, memory))
            return error;
    auto *shared = new SharedWindow;
    shared->size = static_cast<int>(proposals.size());
    shared->flavor = flavor;
    shared->memory = memory;
    shared->members.store(shared->size, std::memory_order_relaxed);
    shared->parts = new WindowPart[proposals.size()];
    shared->context = new_context(shared->size);
    for (size_t i = 0; i < proposals.size(); ++i) {
        const WindowProposal &p = *proposals[i];
        shared->parts[i] = {
            p.base, static_cast<size_t>(p.facts.size_bytes), p.facts.disp_unit, p.win, nullptr,
            nullptr};
        proposals[i]->shared = shared;
    }
    enlist(*shared);
    return success;
}

// Runs in member 0 while the others wait. One member's error becomes the error of all.
void decide(const Communicator &comm) {
    WindowProposals proposals(static_cast<size_t>(comm.size));
    for (int i = 0; i < comm.size; ++i)
        proposals[static_cast<size_t>(i)] =
            static_cast<WindowProposal *>(const_cast<void *>(argument_of(comm, i)));
    WindowProposal verdict;
    if (!find_error(proposals, verdict)) {
        Error error = build(proposals);
        if (!error)
            return;
        verdict.note(error);
    }
    tell(verdict, proposals);
}

// Makes a window whose members are all in one process. The proposals are on the members' stacks:
// the second meeting keeps them there until member 0 has decided.
Error make_here(Communicator &comm, WindowProposal &mine) MAY_SUSPEND {
    if (Error error = meet(comm, &mine, Collective::WindowCreation))
        return error;
    if (comm.rank == 0)
        decide(comm);
    return meet(comm, nullptr, Collective::WindowCreation);
}

} // namespace

void enlist(SharedWindow &shared) {
    if (has_buffer_checks())
        shared.accesses = std::make_shared<WindowAccesses>();
    LockGuard guard(list_lock);
    shared.next = list;
    shared.link = &list;
    if (list)
        list->link = &shared.next;
    list = &shared;
}

void destroy(Window &win) {
    forget_attributes(win.attributes);
    release(*win.errhandler);
    if (win.comm)
        release(*win.comm);
    if (win.shared)
        leave(*win.shared);
    std::free(win.memory);
    forget_traffic(win.traffic);
    delete[] win.access.load(std::memory_order_relaxed);
    pool.destroy(&win);
}

Error prepare(Communicator &comm, const WindowRequest &request, WindowProposal &mine) {
    mine.facts.flavor = request.flavor;
    if (Error error = check_request(request))
        return error;
    mine.win = new_member(comm, request);
    mine.base = static_cast<char *>(request.base);
    const WindowHints &hints = mine.win->hints;
    mine.facts = {request.size_bytes, request.disp_unit, hints.granularity,
                  hints.alignment,    request.flavor,    hints.noncontiguous};
    return success;
}

Error prepare_memory(WindowProposal &mine) {
    const WindowFacts &facts = mine.facts;
    if (facts.flavor != MPI_WIN_FLAVOR_ALLOCATE &&
        !(facts.flavor == MPI_WIN_FLAVOR_SHARED && facts.noncontiguous))
        return success;
    Error error =
        allocate(static_cast<size_t>(facts.size_bytes), facts.alignment, mine.win->memory);
    mine.base = static_cast<char *>(mine.win->memory);
    return error;
}

// Compares what section 12.2 requires to be the same at all members.
Error check_agreement(const WindowProposals &proposals) {
    const WindowFacts &first = proposals[0]->facts;
    for (size_t i = 1; i < proposals.size(); ++i) {
        const WindowFacts &other = proposals[i]->facts;
        if (other.flavor != first.flavor)
            return fail(MPI_ERR_RMA_FLAVOR,
                        "ranks disagree on the kind of window: ranks 0 and %zu call different "
                        "functions",
                        i);
        if (other.granularity != first.granularity)
            return fail(MPI_ERR_INFO_VALUE,
                        "ranks disagree on mpi_accumulate_granularity: rank 0 says %lld, rank %zu "
                        "says %lld",
                        static_cast<long long>(first.granularity), i,
                        static_cast<long long>(other.granularity));
    }
    return success;
}

bool find_error(const WindowProposals &proposals, WindowProposal &verdict) {
    for (size_t rank = 0; rank < proposals.size(); ++rank)
        if (const WindowProposal &wrong = *proposals[rank]; wrong.error) {
            verdict.error = wrong.error;
            std::snprintf(verdict.sentence, sizeof verdict.sentence, "of rank %zu: %.*s", rank, 200,
                          wrong.sentence);
            return true;
        }
    return false;
}

void tell(const WindowProposal &verdict, const WindowProposals &proposals) {
    for (WindowProposal *proposal : proposals)
        if (!proposal->error) {
            proposal->error = verdict.error;
            std::memcpy(proposal->sentence, verdict.sentence, sizeof verdict.sentence);
        }
}

void take_part(Window &win, SharedWindow &shared) {
    win.shared = &shared;
    win.parts = shared.parts;
    win.stripe_shift = static_cast<uint8_t>(stripe_shift_of(win.hints.granularity));
}

void join(Communicator &comm, Window &win, SharedWindow &shared) {
    if (!win.shared)
        take_part(win, shared);
    win.comm = new_communicator(*comm.process, *shared.context, *comm.group, comm.rank);
    std::snprintf(win.comm->name, sizeof win.comm->name, "a window of %.100s",
                  *comm.name ? comm.name : "a communicator");
}

// A member with an error takes part in the meeting nevertheless, because the others wait for it.
Error make_window(Communicator &comm, const WindowRequest &request, Window *&win) {
    if (comm.inter)
        return fail(MPI_ERR_COMM, "comm is %s, but must be an intra-communicator",
                    *comm.name ? comm.name : "an inter-communicator");
    const bool spans = comm.context->span != nullptr;
    WindowProposal mine;
    Error wrong = prepare(comm, request, mine);
    if (!wrong && !spans)
        wrong = prepare_memory(mine);
    if (wrong)
        mine.note(wrong);
    Error error = spans ? make_spanning_window(comm, mine) : make_here(comm, mine);
    if (!error)
        error = mine.told();
    if (error) {
        if (mine.win)
            destroy(*mine.win);
        return error;
    }
    join(comm, *mine.win, *mine.shared);
    if (has_buffer_checks())
        watch_own_part(*mine.win);
    win = mine.win;
    return success;
}

Error check_idle(Window &win) {
    LockGuard guard(win.guard);
    char text[epoch_text_bytes];
    Epoch epoch = win.epoch.load(std::memory_order_relaxed);
    if (epoch != Epoch::None && epoch != Epoch::Fence && epoch != Epoch::FenceUsed)
        return fail(MPI_ERR_RMA_SYNC, "%s", describe_epoch(win, text));
    if (win.exposed.load(std::memory_order_relaxed))
        return fail(MPI_ERR_RMA_SYNC,
                    "MPI_Win_post was called, but neither MPI_Win_wait nor MPI_Win_test has ended "
                    "the exposure epoch");
    return success;
}

Error free_window(Window &win) {
    // Section 12.2.5: returns when all accesses to the local window have completed. A rank that
    // still accesses it has not arrived.
    end_local_uses(win, -1);
    note_end_of_epoch(win, true);
    if (win.traffic)
        (void)flush_remote(win, -1); // a member that has lost another finds out now
    if (Error error = meet(*win.comm, nullptr, Collective::WindowEnd))
        return error;
    if (has_buffer_checks())
        end_own_window(&win);
    take_from_list(*win.shared);
    destroy(win);
    return success;
}

void for_each_window(void (*visit)(SharedWindow &shared, void *argument), void *argument) {
    LockGuard guard(list_lock);
    for (SharedWindow *shared = list; shared; shared = shared->next)
        visit(*shared, argument);
}

} // namespace thrum
