// A hash table for each rank. Objects are made and freed rarely, compared with messages.
#include "comm/made_objects.h"

#include "base/spinlock.h"

#include <cstddef>
#include <unordered_map>

namespace thrum {
namespace {

struct MadeObjects {
    SpinLock lock; // guards the tables: any thread of the rank makes and frees objects
    // Of each handle, in the order of the calls; one, except for shared objects.
    std::unordered_map<const void *, std::vector<MadeObject>> by_handle;
    // Of each handle that is in no use; there are only as many as addresses (base/object_pool.h).
    std::unordered_map<const void *, FreedObject> freed;
};

void forget_objects(MadeObjects *objects) {
    delete objects;
}

const Extension<Process, MadeObjects, forget_objects> objects_of_processes;

} // namespace

void record_made(MadeKind kind, const void *handle) {
    if (!settings().finds_leaks())
        return;
    const RankThread &self = current_rank_thread();
    MadeObjects &objects = objects_of_processes.of(*self.rank->process).get_or_make();
    LockGuard guard(objects.lock);
    objects.by_handle[handle].push_back({kind, place_of(self.call), handle});
    objects.freed.erase(handle);
}

// MPI_Comm_group returns the same group every time. Of such handles the last one is forgotten:
// programs free in the reverse order.
void record_freed(MadeKind kind, const void *handle) {
    MadeObjects *objects = objects_of_processes.of(current_process()).get();
    if (!objects)
        return;
    LockGuard guard(objects->lock);
    const auto found = objects->by_handle.find(handle);
    if (found == objects->by_handle.end())
        return;
    std::vector<MadeObject> &made = found->second;
    size_t last = made.size();
    while (last > 0 && made[last - 1].kind != kind)
        --last;
    if (last == 0)
        return;
    const CallPlace maker = made[last - 1].place;
    made.erase(made.begin() + static_cast<ptrdiff_t>(last - 1));
    if (made.empty()) {
        objects->by_handle.erase(found);
        objects->freed[handle] = {.made = maker, .freed = current_call()};
    }
}

std::optional<FreedObject> freed_object(const void *handle) {
    MadeObjects *objects = objects_of_processes.of(current_process()).get();
    if (!objects)
        return {};
    LockGuard guard(objects->lock);
    const auto found = objects->freed.find(handle);
    return found == objects->freed.end() ? std::nullopt : std::optional(found->second);
}

std::vector<MadeObject> made_objects(const Process &process) {
    std::vector<MadeObject> left;
    if (MadeObjects *objects = objects_of_processes.of(process).get()) {
        LockGuard guard(objects->lock);
        for (const auto &[handle, made] : objects->by_handle)
            left.insert(left.end(), made.begin(), made.end());
    }
    return left;
}

} // namespace thrum
