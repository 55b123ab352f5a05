// How a process enters and leaves a job of several node processes, and the notices that processes
// of different MPI_COMM_WORLDs exchange.
//
//   join_job      wireup_connect(), then the arrive functions of all layers, then fabric_begin()
//   leave_job     notices to connected processes, fabric_end() (with a fence), wireup_end()
//
// Both are done once per process: by the first rank that joins, and by the last one that leaves.
#include "lifecycle/node_processes.h"

#include "acl/remote_message.h"
#include "bsp/arrival.h"
#include "comm/ports.h"
#include "comm/span.h"
#include "fabric/fabric.h"
#include "fabric/growth.h"
#include "fiber/blocking_call.h"
#include "fiber/completion.h"
#include "inspect/process_deadlock.h"
#include "io/file_message.h"
#include "io/keeper.h"
#include "io/spanning_stream.h"
#include "pt2pt/lost.h"
#include "pt2pt/remote_messages.h"
#include "pt2pt/remote_partitions.h"
#include "rank/rank.h"
#include "rma/remote_access.h"
#include "wireup/job_values.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <condition_variable>
#include <list>
#include <mutex>
#include <utility>

namespace thrum {
namespace {

// Waiting is rare and long here, and ends by events from outside. So ranks wait in the kernel, each
// in a blocking call. The mutex guards what follows.
constinit std::mutex mutex;
constinit bool joined = false; // join() is complete
int finalizing_count = 0;      // ranks of this process in MPI_Finalize
bool left = false;             // the process has left the job

// A message between processes.
struct Notice {
    FamilyNotice what;
    NodeProcess process; // the sender
};

// A task that waits for a notice; on its stack.
struct Waiter {
    Notice notice;
    Completion come;
    bool lost = false; // the notice will never come: its process is lost
};

// Notices that no task has asked for yet, and the tasks that wait for one. One of the two lists has
// no match in the other: on_notice() and await_notice() look under the lock.
struct Notices {
    SpinLock lock; // guards the lists
    std::list<Notice> come;
    std::list<Waiter *> waiters;
};

Notices &notices() {
    static auto *the_notices = new Notices; // never destroyed, because others may still wait
    return *the_notices;
}

bool equal(const Notice &a, const Notice &b) {
    return a.what == b.what && a.process == b.process;
}

// Completes the task that waits for this notice, or keeps the notice until a task asks for it.
// Arrive function: any thread.
void on_notice(void *, const Arrival &arrival) {
    const Notice notice{*static_cast<const FamilyNotice *>(arrival.header), arrival.source};
    if (notice.what == FamilyNotice::Left)
        return note_departure(arrival.source);
    if (notice.what == FamilyNotice::Met)
        return;
    // Without a launcher that reports failures, the end of that process would count as one.
    if (notice.what == FamilyNotice::Leaving && !launcher_tells_of_failures())
        note_departure(arrival.source); // so its end is not taken for a failure
    Notices &n = notices();
    Waiter *waiter = nullptr;
    {
        LockGuard guard(n.lock);
        auto found = std::find_if(n.waiters.begin(), n.waiters.end(),
                                  [&](const Waiter *w) { return equal(w->notice, notice); });
        if (found == n.waiters.end()) {
            n.come.push_back(notice);
            return;
        }
        waiter = *found;
        n.waiters.erase(found);
    }
    waiter->come.complete();
}

// Ends all waits for a process's notices. They are taken out of the list first: a waiter may be
// gone once it is completed.
void release_waiters(NodeProcess process) {
    Notices &n = notices();
    std::vector<Waiter *> released;
    {
        LockGuard guard(n.lock);
        for (Waiter *waiter : n.waiters)
            if (waiter->notice.process == process)
                released.push_back(waiter);
        std::erase_if(n.waiters, [=](const Waiter *w) { return w->notice.process == process; });
    }
    for (Waiter *waiter : released) {
        waiter->lost = true;
        waiter->come.complete();
    }
}

// Called when the launcher reports that a process has ended, or failed.
void on_launchers_word(NodeProcess process, bool failed) MAY_SUSPEND {
    fabric_lose(process);
    if (failed) // the fabric may have seen it end before, and taken it for an orderly end
        note_failed_process(process);
}

bool tell_others(const std::string &key, const std::string &value, std::string &why) MAY_SUSPEND {
    return set_job_value(key, value, why) == NameResult::Done;
}

// The fabric's fence, at its begin and end. When a process is lost, the others of its
// MPI_COMM_WORLD end without waiting for each other.
void meet_at_begin_and_end() MAY_SUSPEND {
    if (!joined)
        fence();
    else if (lost_processes_of_world.load(std::memory_order_relaxed) == 0)
        fence_to_leave();
}

// Installs all arrive functions, then begins the fabric. The order matters: other processes may
// send as soon as they have met this one in fabric_begin().
void join(const std::string &directory) MAY_SUSPEND {
    begin_remote_messages();
    bsp::begin_remote_supersteps();
    begin_remote_elements();
    begin_one_sided_messages();
    begin_partition_messages();
    begin_file_messages();
    begin_keeper_messages();
    begin_stream_messages();
    begin_remote_visits();
    set_arrive_function(MessageKind::Communicator, on_notice);
    when_process_is_lost(release_waiters);
    // Nodes and processes that are added later are announced through the launcher's key-value
    // store.
    set_fabric_growth({.elsewhere = node_count() > 1, .tell = tell_others, .ask = get_job_value});
    fabric_begin({.process_count = node_process_count(),
                  .this_process = this_node_process(),
                  .added_max = added_processes_max,
                  .directory = directory,
                  .node_of = node_of,
                  .publish = publish,
                  .fence = meet_at_begin_and_end,
                  .fetch = fetch,
                  .lost = lose_process});
    if (origin())
        fence(); // now the directory contains all that were added together
    watch_for_process_deadlocks();
    joined = true;
}

// Section 11.10.4: MPI_Finalize is collective over all connected processes. Those of this
// MPI_COMM_WORLD meet in it anyway; with each of the others a notice is exchanged.
void part_from_connected() MAY_SUSPEND {
    const std::vector<NodeProcess> connected = connected_processes();
    for (NodeProcess process : connected)
        send_notice(process, FamilyNotice::Leaving);
    for (NodeProcess process : connected)
        await_notice(process, FamilyNotice::Leaving);
}

// Tells the processes of this MPI_COMM_WORLD that this one leaves, so that its end is not taken for
// a failure. Only needed without the fence, after the loss of a process.
void tell_all_of_departure() MAY_SUSPEND {
    const Origin *added = origin();
    const int first = added ? added->first_process : 0;
    const int end = first + (added ? added->count : node_process_count());
    for (int number = first; number < end; ++number)
        if (const NodeProcess process(number);
            process != this_node_process() && !is_lost_process(process) && !has_left(process))
            send_notice(process, FamilyNotice::Left);
}

} // namespace

// The wait for the mutex may be long, since the first rank connects under it; hence the blocking
// call.
bool join_job() {
    BlockingCall call;
    call.enter("MPI_Init");
    std::lock_guard guard(mutex);
    if (joined)
        return false;
    set_process_lost_function(on_launchers_word);
    wireup_connect();
    join(origin() ? origin()->directory : "");
    return true;
}

// The first rank that spawns prepares the process; others wait for that under the mutex.
bool expect_other_processes(std::string &why) {
    bool is_new = false;
    {
        BlockingCall call;
        call.enter("MPI_Comm_spawn");
        std::lock_guard guard(mutex);
        if (!joined) {
            if (!wireup_expect_others(why))
                return false;
            join("");
            is_new = true;
        }
    }
    if (is_new)
        publish_names_globally();
    return true;
}

// The last rank of the process to finalize leaves for all of them; the others wait until it has.
// Other processes must be told before the fabric ends.
void leave_job(bool is_first_rank) {
    static std::condition_variable has_left;
    if (!is_first_rank)
        return;
    bool is_last;
    {
        std::lock_guard guard(mutex);
        // Ranks that were added to the process do not count: they may end at any time.
        is_last = ++finalizing_count == first_rank_count();
    }
    // Notices are sent and awaited by a rank that can suspend, so before the blocking call.
    if (is_last) {
        part_from_connected();
        if (lost_processes_of_world.load(std::memory_order_relaxed) > 0)
            tell_all_of_departure(); // some continue to communicate after this process has gone
    }
    BlockingCall call;
    call.enter("MPI_Finalize");
    std::unique_lock lock(mutex);
    if (!is_last) {
        has_left.wait(lock, [] { return left; });
        return;
    }
    // The observer sends messages, so it stops before the fabric.
    cease_to_watch_for_process_deadlocks();
    fabric_end();
    wireup_end();
    left = true;
    has_left.notify_all();
}

bool send_notice(NodeProcess process, FamilyNotice what) {
    return fabric_send(process, Channel::PointToPoint, MessageKind::Communicator, &what,
                       sizeof what);
}

// Looks for a lost process after it has queued itself, so a loss in between is not missed.
bool await_notice(NodeProcess process, FamilyNotice what) {
    Notices &n = notices();
    Waiter self{{what, process}, {}};
    {
        LockGuard guard(n.lock);
        auto found = std::find_if(n.come.begin(), n.come.end(),
                                  [&](const Notice &notice) { return equal(notice, self.notice); });
        if (found != n.come.end()) {
            n.come.erase(found);
            return true;
        }
        n.waiters.push_back(&self);
    }
    if (is_lost_process(process)) // if it is lost only later, release_waiters() finds it
        release_waiters(process);
    Blockage blockage;
    blockage.kind = Blockage::Kind::Collective;
    Waiting waiting(blockage);
    self.come.wait();
    return !self.lost;
}

} // namespace thrum
