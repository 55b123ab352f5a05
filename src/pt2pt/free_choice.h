// What MPI leaves open about messages and requests, and a seed decides (fiber/choice.h): the
// message that a wildcard receive takes, the complete request that MPI_Waitany returns, and whether
// a test or a probe finds already what is there.
#pragma once
#include "fiber/choice.h"
#include "pt2pt/request.h"

namespace thrum {

namespace detail {

[[gnu::cold]] UnexpectedMessage *choose_message(UnexpectedQueue &queue, const Envelope &receive);
[[gnu::cold]] bool chooses_to_find_nothing(const UnexpectedQueue &queue, const Envelope &receive);
[[gnu::cold]] bool chooses_to_wait(int count, const MPI_Request *requests);

} // namespace detail

// Returns a message that a receive with this envelope takes, or nullptr; it stays queued. Without a
// seed it is the oldest one.
inline UnexpectedMessage *find_message(UnexpectedQueue &queue, const Envelope &receive) {
    if (has_seed()) [[unlikely]]
        return detail::choose_message(queue, receive);
    return queue.find(receive);
}

// Returns whether a call that looks for a message once finds none, although there may be one: as if
// it had not arrived yet. Never so for a message that a probe has shown.
inline bool finds_nothing_yet(const UnexpectedQueue &queue, const Envelope &receive) {
    return has_seed() && detail::chooses_to_find_nothing(queue, receive);
}

// Returns whether a test finds complete requests not complete yet.
inline bool completes_later(int count, const MPI_Request *requests) {
    return has_seed() && detail::chooses_to_wait(count, requests);
}

// With a seed: returns which of the active requests that are complete is returned first, or -1.
[[gnu::cold]] int choose_complete(int count, const MPI_Request *requests);

// With a seed: returns whether MPI_Waitsome or MPI_Testsome leaves the complete request, which is
// not the only one, for the next call.
[[gnu::cold]] bool completes_after_others(const Request &request);

// Notes that the program has seen a complete request that it may test later.
void note_seen_request();

} // namespace thrum
