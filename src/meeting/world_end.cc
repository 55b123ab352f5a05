// The contexts in which the ranks of this process end (world_end.h): made by the first rank of an
// MPI_COMM_WORLD that arrives, and forgotten with the last one that leaves.
#include "meeting/world_end.h"

#include "base/spinlock.h"
#include "comm/communicator_lifecycle.h"
#include "comm/group.h"
#include "comm/span.h"
#include "meeting/meeting.h"

#include <algorithm>
#include <atomic>
#include <list>
#include <utility>

namespace thrum {

constinit std::atomic<bool> detail::some_are_released{false};

namespace {

// The end of one MPI_COMM_WORLD in this process.
struct End {
    const Group *world;
    Context *context;
    int members; // of this process
    int left = 0;
    int inside_count = 0;
    List<AtWorldEnd, &AtWorldEnd::link> inside; // members that wait

    End(const Group &group, Context &own, int member_count)
        : world(&group), context(&own), members(member_count) {}
};

struct Ends {
    SpinLock lock; // guards the lists
    std::list<End> ends;
    std::vector<const Process *> released;
};

Ends &ends() {
    static auto *all = new Ends; // never destroyed: ranks may outlive static objects
    return *all;
}

// Returns the end of a world. The caller holds the lock.
End &end_of(const Communicator &world) {
    std::list<End> &all = ends().ends;
    const auto found = std::ranges::find(all, world.group, &End::world);
    if (found != all.end())
        return *found;
    const int members = local_members(*world.group);
    Context &context = world.context->span
                           ? spanning_context(world_spanning_id() + spanning_id_step, *world.group)
                           : *new_context(members);
    return all.emplace_back(*world.group, context, members);
}

// Returns whether all members of this process have arrived at an end that spans processes: one of
// them waits for packets, and the others for that one.
bool all_are_inside(const End &end) {
    return end.context->span && end.inside_count == end.members;
}

} // namespace

AtWorldEnd::AtWorldEnd(Process &ending) : process(ending) {
    Communicator &world = *process.world;
    LockGuard guard(ends().lock);
    End &end = end_of(world);
    end.inside.push_back(*this);
    ++end.inside_count;
    context_ = std::exchange(world.context, end.context);
    operations_ = std::exchange(world.spanning_operations, 0);
}

AtWorldEnd::~AtWorldEnd() {
    Communicator &world = *process.world;
    Context *context = std::exchange(world.context, context_);
    world.spanning_operations = operations_;
    {
        LockGuard guard(ends().lock);
        End &end = end_of(world);
        link.unlink();
        --end.inside_count;
        if (++end.left == end.members)
            ends().ends.remove_if([&](const End &e) { return e.context == context; });
    }
    if (!was_released(process)) // others of a released rank may arrive in the context
        abandon(*context, 1);
}

std::optional<BeforeWorldEnd> before_world_end(const Process &process) {
    LockGuard guard(ends().lock);
    for (End &end : ends().ends)
        for (AtWorldEnd *member = end.inside.front(); member; member = end.inside.next(*member))
            if (&member->process == &process)
                return member->before();
    return std::nullopt;
}

ReleasedRanks release_ranks_at_end() {
    ReleasedRanks released;
    std::vector<Context *> contexts;
    {
        LockGuard guard(ends().lock);
        for (End &end : ends().ends) {
            if (end.inside.empty())
                continue;
            released.any = true;
            for (AtWorldEnd *member = end.inside.front(); member; member = end.inside.next(*member))
                ends().released.push_back(&member->process);
            if (all_are_inside(end))
                released.contexts.push_back(end.context->id);
            else
                contexts.push_back(end.context);
        }
    }
    if (released.any) // relaxed: the lock of a meeting's leaf orders it
        detail::some_are_released.store(true, std::memory_order_relaxed);
    for (Context *context : contexts)
        wake_members(*context);
    return released;
}

bool detail::is_released(const Process &process) {
    LockGuard guard(ends().lock);
    return std::ranges::count(ends().released, &process) > 0;
}

// If all members of this process wait, they go on together when the packets have failed: the one
// that runs the operation writes results to the others.
bool detail::are_given_up(const Communicator &comm) {
    LockGuard guard(ends().lock);
    const auto end = std::ranges::find(ends().ends, comm.context, &End::context);
    return end != ends().ends.end() && !all_are_inside(*end) &&
           std::ranges::count(ends().released, comm.process) > 0;
}

} // namespace thrum
