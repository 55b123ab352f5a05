// The places in the program where requests are made, by which requests that are never completed are
// reported (inspect/leaks.h). A request has the number of its place in two bytes, so it is no
// larger. A send that is complete when its call returns has no request of its own: its handle is a
// constant of the place, and the place counts how many are out.
//
// Only the rank's main thread counts, as it needs no atomic read-modify-write for it. If another
// thread completes an operation of the main thread, the count of that place means nothing any more.
#pragma once
#include "comm/made_objects.h"
#include "pt2pt/request.h"

#include <functional>

namespace thrum {

// A place. Constant, except for its counts.
struct RequestPlace {
    CallPlace call;
    uint16_t number = 0; // from 1
    // Written by the main thread, except for `uncertain`.
    std::atomic<uint64_t> given{0}; // constants that were returned to the program
    std::atomic<uint64_t> taken{0}; // and completed by it
    std::atomic<bool> uncertain{false};
    Request complete; // the constant; its `buffer` is this place

    RequestPlace(const CallPlace &of_call, uint16_t place) : call(of_call), number(place) {
        complete.buffer = this;
        complete.completion.set_done();
    }

    void give() { count(given); }

    void take() { count(taken); }

private:
    static void count(std::atomic<uint64_t> &counter) {
        counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
};

// Places that were used recently, so that a look-up needs no lock. Any thread of the rank.
struct RecentPlaces {
    static constexpr size_t size = 32; // a power of two

    std::atomic<RequestPlace *> slots[size] = {};

    std::atomic<RequestPlace *> &slot_of(const void *call_site) {
        const auto address = reinterpret_cast<uintptr_t>(call_site);
        return slots[(address ^ (address >> 5)) % size];
    }
};

// The rank's table of places. Made by note_any_request(), and a larger object than it seems.
void forget_places(RecentPlaces *places);
inline const Extension<Process, RecentPlaces, forget_places> places_of_processes;

// Does note_request() for all requests and places; nullptr: the place is not known yet.
void note_any_request(const RankThread &self, MPI_Request &handle, RequestPlace *place);

// Notes that the call of `self` has returned `handle` to the program. May replace a constant by
// that of the place.
inline void note_request(const RankThread &self, MPI_Request &handle) {
    RequestPlace *place = nullptr;
    if (RecentPlaces *recent = places_of_processes.of(*self.rank->process).get()) [[likely]] {
        const void *call_site = self.call.call_site.load(std::memory_order_relaxed);
        // acquire [places-1]: the place is constructed.
        place = recent->slot_of(call_site).load(std::memory_order_acquire);
        if (place && place->call.call_site != call_site) [[unlikely]]
            place = nullptr;
    }
    Request &request = *handle;
    if (!place) [[unlikely]] {
        note_any_request(self, handle, nullptr);
    } else if (request.kind == RequestKind::Receive || request.kind == RequestKind::Send) {
        request.place = place->number;
    } else if (&request == &sent_request && &self == self.rank) {
        place->give();
        handle = &place->complete;
    } else {
        note_any_request(self, handle, place);
    }
}

// Forgets the place of a request that is freed, or that the program has given to MPI_Request_free.
void forget_place_of(Request &request);

inline void forget_place(Request &request) {
    if (request.place != 0)
        forget_place_of(request);
}

// Counts that the program has completed a constant. Those that belong to no place do not count.
inline void count_completed(const Request &constant) {
    auto *place = static_cast<RequestPlace *>(constant.buffer);
    if (!place)
        return;
    const RankThread &self = current_rank_thread();
    if (&self == self.rank) [[likely]]
        place->take();
    else
        place->uncertain.store(true, std::memory_order_relaxed);
}

// Returns the place with this number.
CallPlace request_place(const Process &process, uint16_t number);

// Adds the call that has made the request to the record of an error, which the call reports that
// completes it.
[[gnu::cold]] void add_starting_call(const Request &request);

// Calls visit(place, count) for the places that have constants that were never completed.
void for_each_incomplete(const Process &process,
                         const std::function<void(const CallPlace &, int count)> &visit);

} // namespace thrum
