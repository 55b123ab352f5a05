#include "run/own_numbers.h"

#include <map>

namespace thrum {
namespace {

// Maps numbers in the job to places. A rank that is not in the run keeps no number.
class Places {
public:
    explicit Places(const std::vector<Rank *> &ranks) {
        for (size_t i = 0; i < ranks.size(); ++i)
            place_of_[ranks[i]->world_rank] = static_cast<int>(i);
    }

    void replace(int &world_rank) const {
        const auto found = place_of_.find(world_rank);
        world_rank = found == place_of_.end() ? -1 : found->second;
    }

    void replace(std::vector<int> &world_ranks) const {
        for (int &world_rank : world_ranks)
            replace(world_rank);
    }

    void replace(PendingOperation &operation) const {
        replace(operation.peer_world_rank);
        replace(operation.missing);
    }

private:
    std::map<int, int> place_of_;
};

} // namespace

void use_own_numbers(Snapshot &snapshot, const std::vector<Rank *> &ranks) {
    const Places places(ranks);
    for (RankState &state : snapshot.ranks) {
        places.replace(state.world_rank);
        places.replace(state.operation);
        for (PendingOperation &request : state.requests)
            places.replace(request);
    }
    for (CommunicatorState &communicator : snapshot.communicators)
        places.replace(communicator.members);
    for (UnmatchedMessage &message : snapshot.unmatched) {
        places.replace(message.receiver);
        places.replace(message.source);
    }
}

} // namespace thrum
