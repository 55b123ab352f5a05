// The life of a window. Creation: all members meet and publish what they want; member 0 decides for
// all; they meet again. The end: they meet, and nobody is inside any more.
#include "rma/window.h"

#include "base/check.h"
#include "coll/meeting.h"
#include "comm/attributes.h"
#include "comm/info.h"
#include "comm/span.h"
#include "rma/epoch.h"
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

// All windows, for whoever looks at a process that has come to rest.
constinit SpinLock list_lock; // guards the list and SharedWindow::next and listed
constinit SharedWindow *list = nullptr;

constexpr size_t alignment_default = 64; // a cache line; more than any basic datatype needs

// What a member publishes. Member 0 writes `shared` or an error.
struct Proposal {
    const WindowRequest *request = nullptr;
    Window *win = nullptr;
    char *base = nullptr;
    Error error;
    char sentence[256] = ""; // of the error
    SharedWindow *shared = nullptr;

    void note(Error what) {
        error = what;
        std::snprintf(sentence, sizeof sentence, "%s", error_detail(what.code()));
    }
};

using Proposals = std::vector<Proposal *>; // by rank

void enlist(SharedWindow &shared) {
    LockGuard guard(list_lock);
    shared.next = list;
    shared.listed = true;
    list = &shared;
}

void take_from_list(SharedWindow &shared) {
    LockGuard guard(list_lock);
    if (!shared.listed)
        return;
    SharedWindow **link = &list;
    while (*link != &shared)
        link = &(*link)->next;
    *link = shared.next;
    shared.listed = false;
}

void leave(SharedWindow &shared) {
    // acq_rel [window-1]: the last member frees after everybody's use.
    if (shared.members.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    std::free(shared.memory);
    delete[] shared.parts;
    delete &shared;
}

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
    return success;
}

// `size_bytes` and what must be there for none; freed by std::free.
Error allocate(size_t size_bytes, size_t alignment, void *&memory) {
    if (::posix_memalign(&memory, std::max(alignment, alignment_default),
                         size_bytes ? size_bytes : 1) == 0)
        return success;
    return fail(MPI_ERR_NO_MEM, "size is %zu bytes, which cannot be had", size_bytes);
}

Window *new_member(Communicator &comm, const WindowRequest &request) {
    Window *win = pool.make();
    win->rank = comm.rank;
    win->size = comm.size;
    win->process = comm.process;
    win->errhandler = &errors_are_fatal; // section 12.6.1
    win->flavor = request.flavor;
    win->dynamic = request.flavor == MPI_WIN_FLAVOR_DYNAMIC;
    win->size_bytes = request.size_bytes;
    win->disp_unit = static_cast<int>(std::min<Count>(request.disp_unit, INT_MAX));
    if (request.info)
        win->hints.take(*request.info, false);
    return win;
}

void destroy(Window &win) {
    forget_attributes(win.attributes);
    release(*win.errhandler);
    if (win.comm)
        release(*win.comm);
    if (win.shared)
        leave(*win.shared);
    std::free(win.memory);
    delete[] win.access.load(std::memory_order_relaxed);
    pool.destroy(&win);
}

bool has_own_memory(const WindowRequest &request, const WindowHints &hints) {
    return request.flavor == MPI_WIN_FLAVOR_ALLOCATE ||
           (request.flavor == MPI_WIN_FLAVOR_SHARED && hints.noncontiguous);
}

Error prepare(Communicator &comm, const WindowRequest &request, Proposal &mine) {
    if (Error error = check_request(request))
        return error;
    mine.win = new_member(comm, request);
    mine.base = static_cast<char *>(request.base);
    if (!has_own_memory(request, mine.win->hints))
        return success;
    Error error = allocate(static_cast<size_t>(request.size_bytes), mine.win->hints.alignment,
                           mine.win->memory);
    mine.base = static_cast<char *>(mine.win->memory);
    return error;
}

Error check_agreement(const Proposals &proposals) {
    const Proposal &first = *proposals[0];
    for (size_t i = 1; i < proposals.size(); ++i) {
        const Proposal &other = *proposals[i];
        if (other.request->flavor != first.request->flavor)
            return fail(MPI_ERR_RMA_FLAVOR,
                        "ranks disagree on the kind of window: ranks 0 and %zu call different "
                        "functions",
                        i);
        if (other.win->hints.granularity != first.win->hints.granularity)
            return fail(MPI_ERR_INFO_VALUE,
                        "ranks disagree on mpi_accumulate_granularity: rank 0 says %lld, rank %zu "
                        "says %lld",
                        static_cast<long long>(first.win->hints.granularity), i,
                        static_cast<long long>(other.win->hints.granularity));
    }
    return success;
}

// Section 12.2.3: one piece of memory, in the order of ranks, unless all agree to do without that.
Error allocate_together(const Proposals &proposals, void *&memory) {
    bool all_apart = true;
    size_t total = 0, alignment = 0;
    for (const Proposal *proposal : proposals) {
        const WindowHints &hints = proposal->win->hints;
        all_apart = all_apart && hints.noncontiguous;
        alignment = std::max(alignment, hints.alignment);
        if (__builtin_add_overflow(total, static_cast<size_t>(proposal->request->size_bytes),
                                   &total))
            return fail(MPI_ERR_NO_MEM, "the sizes of all ranks do not fit into memory");
    }
    if (all_apart)
        return success;
    if (Error error = allocate(total, alignment, memory))
        return error;
    char *next = static_cast<char *>(memory);
    for (Proposal *proposal : proposals) {
        std::free(proposal->win->memory); // of one who would have done without
        proposal->win->memory = nullptr;
        proposal->base = next;
        next += proposal->request->size_bytes;
    }
    return success;
}

Error build(const Proposals &proposals) {
    if (Error error = check_agreement(proposals))
        return error;
    void *memory = nullptr;
    int flavor = proposals[0]->request->flavor;
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
        const Proposal &p = *proposals[i];
        shared->parts[i] = {p.base, static_cast<size_t>(p.request->size_bytes),
                            p.request->disp_unit, p.win};
        proposals[i]->shared = shared;
    }
    enlist(*shared);
    return success;
}

// Runs in member 0 while the others wait: one error is everybody's.
void decide(const Communicator &comm) {
    Proposals proposals(static_cast<size_t>(comm.size));
    for (int i = 0; i < comm.size; ++i)
        proposals[static_cast<size_t>(i)] =
            static_cast<Proposal *>(const_cast<void *>(argument_of(comm, i)));
    const Proposal *wrong = nullptr;
    for (const Proposal *proposal : proposals)
        if (proposal->error && !wrong)
            wrong = proposal;
    Proposal verdict{};
    if (wrong) {
        auto rank = std::find(proposals.begin(), proposals.end(), wrong) - proposals.begin();
        verdict.error = wrong->error;
        std::snprintf(verdict.sentence, sizeof verdict.sentence, "of rank %d: %.*s",
                      static_cast<int>(rank), 200, wrong->sentence);
    } else if (Error error = build(proposals)) {
        verdict.note(error);
    } else {
        return;
    }
    for (Proposal *proposal : proposals)
        if (!proposal->error) {
            proposal->error = verdict.error;
            std::memcpy(proposal->sentence, verdict.sentence, sizeof verdict.sentence);
        }
}

void join(Communicator &comm, Window &win, SharedWindow &shared) {
    win.shared = &shared;
    win.parts = shared.parts;
    win.stripe_shift = static_cast<uint8_t>(stripe_shift_of(win.hints.granularity));
    win.comm = new_communicator(*comm.process, *shared.context, *comm.group, comm.rank);
    std::snprintf(win.comm->name, sizeof win.comm->name, "a window of %.100s",
                  *comm.name ? comm.name : "a communicator");
}

} // namespace

Error make_window(Communicator &comm, const WindowRequest &request, Window *&win) {
    if (comm.inter)
        return fail(MPI_ERR_COMM, "comm is %s, but must be an intra-communicator",
                    *comm.name ? comm.name : "an inter-communicator");
    if (comm.context->span)
        return not_across_processes("one-sided communication");
    Proposal mine;
    mine.request = &request;
    if (Error error = prepare(comm, request, mine))
        mine.note(error);
    Error error = meet(comm, &mine, Collective::WindowCreation);
    if (!error) {
        if (comm.rank == 0)
            decide(comm);
        error = meet(comm, nullptr, Collective::WindowCreation);
    }
    if (!error && mine.error)
        error = fail(mine.error.code(), "%s", mine.sentence);
    if (error) {
        if (mine.win)
            destroy(*mine.win);
        return error;
    }
    join(comm, *mine.win, *mine.shared);
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
    // Section 12.2.5: returns when all accesses to the local window have completed. Who accesses it
    // has not come yet.
    if (Error error = meet(*win.comm, nullptr, Collective::WindowEnd))
        return error;
    take_from_list(*win.shared);
    destroy(win);
    return success;
}

Error attach_memory(Window &win, void *base, MPI_Aint size_bytes) {
    if (!win.dynamic)
        return fail(MPI_ERR_RMA_FLAVOR, "win was not made by MPI_Win_create_dynamic");
    if (size_bytes < 0)
        return fail(MPI_ERR_SIZE, "size is %ld, but must not be negative",
                    static_cast<long>(size_bytes));
    if (!base && size_bytes > 0)
        return fail(MPI_ERR_BASE, "base is a null pointer, but size is %ld",
                    static_cast<long>(size_bytes));
    return win.attached.attach(reinterpret_cast<uintptr_t>(base),
                               static_cast<uintptr_t>(size_bytes));
}

Error detach_memory(Window &win, const void *base) {
    if (!win.dynamic)
        return fail(MPI_ERR_RMA_FLAVOR, "win was not made by MPI_Win_create_dynamic");
    return win.attached.detach(reinterpret_cast<uintptr_t>(base));
}

void set_window_name(Window &win, const char *name) {
    std::snprintf(win.name, sizeof win.name, "%s", name);
    std::snprintf(win.comm->name, sizeof win.comm->name, "window %.100s", name);
}

const char *describe(const Window &win, char *text, size_t size_bytes) {
    if (*win.name)
        std::snprintf(text, size_bytes, "window \"%s\"", win.name);
    else
        std::snprintf(text, size_bytes, "%s", win.comm->name);
    return text;
}

Error check_rank(const Window &win, int rank) {
    if ((rank >= 0 && rank < win.size) || rank == MPI_PROC_NULL) [[likely]]
        return success;
    return fail(MPI_ERR_RANK, "rank is %d, but the window has %d rank%s", rank, win.size,
                win.size == 1 ? "" : "s");
}

void for_each_window(void (*visit)(SharedWindow &shared, void *argument), void *argument) {
    LockGuard guard(list_lock);
    for (SharedWindow *shared = list; shared; shared = shared->next)
        visit(*shared, argument);
}

} // namespace thrum
