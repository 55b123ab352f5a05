#include "pt2pt/free_choice.h"

#include "pt2pt/partitioned.h"

#include <algorithm>
#include <atomic>

namespace thrum {
namespace {

constexpr uint64_t finds_between_misses = 8;
constexpr unsigned misses_in_a_row_max = 3;
// Of the calling rank. With it a rank that tests in a loop always comes to an end.
constinit thread_local unsigned misses_in_a_row = 0;
// MPI_Request_get_status has shown a request to be complete. From then on tests tell what is: which
// requests they are is not known.
std::atomic<bool> has_seen_requests{false};

// Chooses whether a call misses what it could find.
bool misses() {
    const bool miss = misses_in_a_row < misses_in_a_row_max && choose_one_in(finds_between_misses);
    misses_in_a_row = miss ? misses_in_a_row + 1 : 0;
    return miss;
}

// Returns whether the program cannot know that the complete request is complete. It does know of
// those that were so from the start, of generalized ones, and by MPI_Parrived of partitioned ones.
bool may_complete_later(const Request &request) {
    if (request.kind == RequestKind::Operation) {
        const void *type = static_cast<const OperationRequest &>(request).type();
        return type != &PartitionedSend::class_name && type != &PartitionedReceive::class_name;
    }
    return request.kind == RequestKind::Send || request.kind == RequestKind::Receive ||
           request.kind == RequestKind::Pair;
}

bool is_complete(MPI_Request request) {
    return is_active(request) && request->completion.done();
}

} // namespace

UnexpectedMessage *detail::choose_message(UnexpectedQueue &queue, const Envelope &receive) {
    if (receive.source != MPI_ANY_SOURCE)
        return queue.find(receive);
    constexpr size_t sources_max = 64;
    UnexpectedMessage *found[sources_max];
    const size_t count =
        queue.find_first_of_sources(receive.context, receive.tag, found, sources_max);
    return count > 0 ? found[choose(count)] : queue.find(receive);
}

bool detail::chooses_to_find_nothing(const UnexpectedQueue &queue, const Envelope &receive) {
    bool any = false;
    for (UnexpectedMessage *m = queue.first(); m; m = queue.next(*m)) {
        if (!receive.accepts(m->envelope))
            continue;
        if (m->was_probed())
            return false;
        any = true;
    }
    return any && misses();
}

bool detail::chooses_to_wait(int count, const MPI_Request *requests) {
    if (has_seen_requests.load(std::memory_order_relaxed))
        return false;
    bool any = false;
    for (int i = 0; i < count; ++i) {
        if (!is_complete(requests[i]))
            continue;
        if (!may_complete_later(*requests[i]))
            return false;
        any = true;
    }
    return any && misses();
}

int choose_complete(int count, const MPI_Request *requests) {
    const auto complete = std::count_if(requests, requests + count, is_complete);
    auto skipped = choose(static_cast<uint64_t>(complete));
    for (int i = 0; i < count; ++i)
        if (is_complete(requests[i]) && skipped-- == 0)
            return i;
    return -1;
}

bool completes_after_others(const Request &request) {
    constexpr uint64_t finished_of_left = 4;
    return !has_seen_requests.load(std::memory_order_relaxed) && may_complete_later(request) &&
           choose_one_in(finished_of_left);
}

void note_seen_request() {
    if (has_seed())
        has_seen_requests.store(true, std::memory_order_relaxed);
}

} // namespace thrum
