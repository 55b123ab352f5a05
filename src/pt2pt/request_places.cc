// A table of places for each rank, by return address. Places are never removed.
#include "pt2pt/request_places.h"

#include "base/settings.h"
#include "comm/call_names.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace thrum {
namespace {

struct RequestPlaces : RecentPlaces {
    // Returns the place of a call; nullptr: there are too many.
    RequestPlace *find(const CallPlace &call) {
        LockGuard guard(lock_);
        RequestPlace *&found = by_call_site_[call.call_site];
        if (!found) {
            if (places_.size() == places_max)
                return nullptr;
            const auto number = static_cast<uint16_t>(places_.size() + 1);
            places_.push_back(std::make_unique<RequestPlace>(call, number));
            found = places_.back().get();
        }
        slot_of(call.call_site).store(found, std::memory_order_release); // [places-1]
        return found;
    }

    std::vector<const RequestPlace *> all() {
        LockGuard guard(lock_);
        std::vector<const RequestPlace *> places;
        for (const auto &place : places_)
            places.push_back(place.get());
        return places;
    }

private:
    static constexpr size_t places_max = UINT16_MAX;

    SpinLock lock_;                                     // guards the following
    std::vector<std::unique_ptr<RequestPlace>> places_; // by number - 1
    std::unordered_map<const void *, RequestPlace *> by_call_site_;
};

RequestPlaces *existing_places(const Process &process) {
    return static_cast<RequestPlaces *>(places_of_processes.of(process).get());
}

// Returns the places of the rank, and makes the table if there is none yet.
RequestPlaces &places_of(const Process &process) {
    if (RequestPlaces *found = existing_places(process))
        return *found;
    static SpinLock lock;
    LockGuard guard(lock);
    RequestPlaces *found = existing_places(process);
    if (!found) {
        found = new RequestPlaces;
        places_of_processes.of(process).set(found);
    }
    return *found;
}

// Returns whether requests of its kind are in the rank's pools, where they can be found.
bool has_pool(const Request &request) {
    return request.kind == RequestKind::Send || request.kind == RequestKind::Receive ||
           (request.kind == RequestKind::Operation &&
            static_cast<const OperationRequest &>(request).is_pooled());
}

} // namespace

void forget_places(RecentPlaces *places) {
    delete static_cast<RequestPlaces *>(places);
}

void note_any_request(const RankThread &self, MPI_Request &handle, RequestPlace *place) {
    if (!settings().finds_leaks() || handle == MPI_REQUEST_NULL)
        return;
    const bool is_constant = handle->kind == RequestKind::Constant;
    if (is_constant && (handle != &sent_request || &self != self.rank))
        return;
    if (!place)
        place = places_of(*self.rank->process).find(place_of(self.call));
    if (!place)
        return;
    if (is_constant) {
        place->give();
        handle = &place->complete;
        return;
    }
    handle->place = place->number;
    if (!has_pool(*handle))
        record_made(MadeKind::Request, handle);
}

void forget_place_of(Request &request) {
    request.place = 0;
    if (!has_pool(request))
        record_freed(MadeKind::Request, &request);
}

CallPlace request_place(const Process &process, uint16_t number) {
    RequestPlaces *places = existing_places(process);
    return places && number > 0 ? places->all()[number - 1u]->call : CallPlace{};
}

void add_starting_call(const Request &request) {
    const CallPlace place = request_place(*current_rank().process, request.place);
    if (place.call_site)
        add_other_call(name_of_call(place).c_str(), place.call_site);
}

void for_each_incomplete(const Process &process,
                         const std::function<void(const CallPlace &, int count)> &visit) {
    RequestPlaces *places = existing_places(process);
    if (!places)
        return;
    for (const RequestPlace *place : places->all()) {
        const uint64_t given = place->given.load(std::memory_order_relaxed);
        const uint64_t taken = place->taken.load(std::memory_order_relaxed);
        if (given > taken && !place->uncertain.load(std::memory_order_relaxed))
            visit(place->call, static_cast<int>(given - taken));
    }
}

} // namespace thrum
