// The record of lost processes, and the search for receives that wait for them. Other waits are
// ended by the functions that their units register.
#include "pt2pt/lost.h"

#include "comm/group.h"
#include "comm/process.h"
#include "fabric/fabric.h"
#include "fiber/process_quiescence.h"
#include "pt2pt/probers.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace thrum {

std::atomic<int> lost_processes{0};
std::atomic<int> lost_processes_of_world{0};
static std::atomic<bool> losses_are_ignored{false};

namespace {

// What is known of the end of a process.
struct End {
    std::atomic<bool> lost{false};
    std::atomic<bool> left{false}; // has said that it leaves: its end is not a loss
};

std::atomic<int> lost_end{0}; // the number behind the highest lost process

// Returns the record of a process. There is one for every process that can exist, so records never
// move.
End &end_of(NodeProcess process) {
    static const int count = node_process_count() + added_processes_max;
    static auto *the_ends = new End[static_cast<size_t>(count)](); // never destroyed
    CHECK(process.index() < static_cast<size_t>(count), "node process %d of %d", process.number(),
          count);
    return the_ends[process.index()];
}

// Returns whether the process belongs to the same MPI_COMM_WORLD as this one.
bool is_of_own_world(NodeProcess process) {
    const Origin *added = origin();
    const int first = added ? added->first_process : 0;
    return process.number() >= first &&
           process.number() < first + (added ? added->count : node_process_count());
}

// Raises lost_end to `end`, if it is lower.
void raise_lost_end(int end) {
    int known = lost_end.load(std::memory_order_relaxed);
    // seq_cst [lost-1]
    while (known < end && !lost_end.compare_exchange_weak(known, end, std::memory_order_seq_cst)) {
    }
}

struct LossFunctions {
    SpinLock lock; // guards the list
    std::vector<void (*)(NodeProcess process)> functions;
};

LossFunctions &loss_functions() {
    static auto *the_functions = new LossFunctions; // never destroyed
    return *the_functions;
}

// Returns the node process of a rank.
NodeProcess where(const Process &process) {
    return is_remote(process) ? node_process_of(process.number) : this_node_process();
}

// Returns the process of the sender of a receive of the library, which has no communicator of its
// own.
NodeProcess process_of_member(uint32_t context_id, int member) {
    const ProcessMap *span = find_process_map(context_id);
    const bool known = span && member >= 0 && static_cast<size_t>(member) < span->index_of.size();
    return known ? span->processes[static_cast<size_t>(span->index_of[static_cast<size_t>(member)])]
                 : this_node_process();
}

// Returns whether `request` may never be matched, as `process` is lost. A receive that any of
// several ranks could match fails, too; those that begin later wait for the remaining ranks.
bool is_concerned(const ReceiveRequest &request, NodeProcess process) {
    const Envelope &wanted = request.envelope;
    if (!spans(wanted.context))
        return false;
    if (!request.comm)
        return process_of_member(wanted.context, wanted.source) == process;
    if (wanted.source != MPI_ANY_SOURCE)
        return where(request.comm->peer(wanted.source)) == process;
    return std::ranges::count(request.comm->context->span->processes, process) > 0;
}

void note(ReceiveRequest &request, NodeProcess process) {
    request.size_bytes = lost_message_bytes;
    request.tag = process.number();
}

// Fails the posted receives of a mailbox, and wakes its probers, which look for losses themselves.
void fail_receives(Mailbox &mailbox, NodeProcess process) {
    std::vector<ReceiveRequest *> concerned;
    mailbox.lock.lock();
    for (PostedReceive *posted = mailbox.posted.first(); posted;
         posted = mailbox.posted.next(*posted))
        if (is_concerned(static_cast<ReceiveRequest &>(*posted), process))
            concerned.push_back(static_cast<ReceiveRequest *>(posted));
    for (ReceiveRequest *request : concerned)
        mailbox.posted.remove(*request);
    wake_all_probers(mailbox);
    mailbox.lock.unlock();
    for (ReceiveRequest *request : concerned) {
        note(*request, process);
        request->completion.complete();
    }
}

void call_loss_functions(NodeProcess process) {
    loss_functions().lock.lock();
    const std::vector<void (*)(NodeProcess)> functions = loss_functions().functions;
    loss_functions().lock.unlock();
    for (auto *function : functions)
        function(process);
}

} // namespace

bool is_lost_process(NodeProcess process) {
    // seq_cst [lost-1]
    return lost_processes.load(std::memory_order_seq_cst) > 0 &&
           end_of(process).lost.load(std::memory_order_seq_cst);
}

int lost_process_end() {
    return lost_end.load(std::memory_order_seq_cst); // [lost-1]
}

void when_process_is_lost(void (*function)(NodeProcess process)) {
    LockGuard guard(loss_functions().lock);
    auto &functions = loss_functions().functions;
    if (std::ranges::count(functions, function) == 0)
        functions.push_back(function);
}

void ignore_losses() {
    losses_are_ignored.store(true, std::memory_order_relaxed);
}

void lose_process(NodeProcess process) {
    if (losses_are_ignored.load(std::memory_order_relaxed))
        return;
    if (has_left(process)) // answers that are awaited from it will not come
        return call_loss_functions(process);
    if (is_of_own_world(process) || (!launcher_tells_of_failures() && is_connected(process)))
        note_failed_process(process);
}

void note_failed_process(NodeProcess process) {
    if (losses_are_ignored.load(std::memory_order_relaxed))
        return;
    // seq_cst [lost-1]: before the search for those that wait for it. Whoever begins to wait looks
    // for lost processes afterwards: one of the two sees the other.
    if (has_left(process) || end_of(process).lost.exchange(true, std::memory_order_seq_cst))
        return;
    raise_lost_end(process.number() + 1);
    if (is_of_own_world(process))
        lost_processes_of_world.fetch_add(1, std::memory_order_relaxed);
    lost_processes.fetch_add(1, std::memory_order_seq_cst); // [lost-1]
    for (int world_rank : ranks_of(this_node_process()))
        fail_receives(process_at(world_rank).mailbox, process);
    call_loss_functions(process);
    notify_observer();
}

// Relaxed: the message that a process leaves, and the report of its end, come one after the other.
void note_departure(NodeProcess process) {
    end_of(process).left.store(true, std::memory_order_relaxed);
}

bool has_left(NodeProcess process) {
    return end_of(process).left.load(std::memory_order_relaxed);
}

std::string lost_process_sentence(NodeProcess process) {
    const char *end = is_lost_process(process)
                          ? "is lost: it ended without MPI_Finalize, or does not answer"
                          : "has ended";
    if (const int added = process.number() - node_process_count(); added >= 0)
        return "rank " + std::to_string(added_rank(added)) +
               " of the job, which was added to it, " + end;
    const std::span<const int> ranks = ranks_of(process);
    char text[400];
    char which[64];
    if (ranks.size() == 1)
        std::snprintf(which, sizeof which, "rank %d of the job", ranks.front());
    else
        std::snprintf(which, sizeof which, "the process of ranks %d-%d of the job", ranks.front(),
                      ranks.back());
    std::snprintf(text, sizeof text, "%s, on %s, %s", which, host_of(process).c_str(),
                  is_lost_process(process)
                      ? "is lost: it ended without MPI_Finalize, or does not answer"
                      : "has ended");
    return text;
}

Error lost_process_error(NodeProcess process) {
    return fail(MPI_ERR_PROC_ABORTED, "%s", lost_process_sentence(process).c_str());
}

NodeProcess lost_process_of(const Communicator &comm, int source) {
    // seq_cst [lost-1]
    if (lost_processes.load(std::memory_order_seq_cst) == 0 || source < 0 ||
        !spans(comm.context->id))
        return no_process;
    const NodeProcess process = where(comm.peer(source));
    return is_lost_process(process) ? process : no_process;
}

NodeProcess lost_process_in(const ProcessMap &span) {
    if (lost_processes.load(std::memory_order_seq_cst) > 0) // [lost-1]
        for (NodeProcess process : span.processes)
            if (is_lost_process(process))
                return process;
    return no_process;
}

bool fail_posted(ReceiveRequest &request, Mailbox &mailbox) {
    if (request.envelope.source == MPI_ANY_SOURCE)
        return false;
    for (NodeProcess process : NodeProcesses(lost_process_end())) {
        if (!is_lost_process(process) || !is_concerned(request, process))
            continue;
        mailbox.lock.lock();
        const bool posted = request.posted();
        if (posted)
            mailbox.posted.remove(request);
        mailbox.lock.unlock();
        if (posted)
            note(request, process);
        return posted; // otherwise another thread completes it
    }
    return false;
}

} // namespace thrum
