#include "rank/testing/run_ranks.h"

#include <vector>

namespace thrum {

void run_ranks(int count, void (*function)(Rank &rank, void *argument), void *argument,
               const TeamOptions &options) {
    struct Team {
        void (*function)(Rank &, void *);
        void *argument;
    } team{function, argument};

    // create_processes() may have linked the ranks to MPI state already.
    if (rank_count() != count)
        create_ranks(count);
    std::vector<Task *> tasks;
    for (int i = 0; i < count; ++i)
        tasks.push_back(&rank_at(i));
    auto run = [](void *t, int index) {
        static_cast<Team *>(t)->function(rank_at(index), static_cast<Team *>(t)->argument);
    };
    run_team(count, tasks.data(), run, &team, options);
}

} // namespace thrum
