// Releases ranks from MPI_Finalize (finalize_release.h), and keeps what the report about their end
// says of the others.
#include "inspect/finalize_release.h"

#include "meeting/world_end.h"
#include "pt2pt/packet_queue.h"

#include <algorithm>
#include <cstring>

namespace thrum {
namespace {

bool is_in_finalize(const RankState &rank) {
    return rank.function && std::strcmp(rank.function, "MPI_Finalize") == 0;
}

std::string &others() {
    static auto *text = new std::string; // never destroyed: ranks end after static objects
    return *text;
}

} // namespace

void leave_only(Snapshot &snapshot, const std::vector<int> &world_ranks) {
    for (RankState &rank : snapshot.ranks)
        if (!std::ranges::count(world_ranks, rank.world_rank))
            rank.ended = true;
}

bool some_are_in_finalize(const Snapshot &snapshot) {
    bool inside = false, outside = false;
    for (const RankState &rank : snapshot.ranks)
        if (!rank.ended)
            (is_in_finalize(rank) ? inside : outside) = true;
    return inside && outside;
}

std::string others_of_finalize(const Snapshot &snapshot) {
    return where_others_wait(snapshot, is_in_finalize);
}

bool release_from_finalize(const std::string &text) {
    others() = text;
    const ReleasedRanks released = release_ranks_at_end();
    for (const uint32_t context : released.contexts)
        fail_packets_of({context | 1, 0, 0}, {MPI_ERR_PENDING, "released from MPI_Finalize"});
    return released.any;
}

bool has_been_released(const Rank &rank) {
    return rank.process && was_released(*rank.process);
}

const std::string &others_of_released() {
    return others();
}

} // namespace thrum
