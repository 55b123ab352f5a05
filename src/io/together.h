// One decision for all ranks of a file: every rank comes with its arguments and what is wrong with
// them, one of them decides, and all get the same result.
#pragma once
#include "coll/round.h"
#include "io/io_error.h"

#include <vector>

namespace thrum {

struct Participant {
    SharedError error; // of this rank's arguments; afterwards: of the call
};

// Calls decide(participants) on the last rank to come, unless a rank came with an error; what it
// returns, or the first such error, is everybody's. `Mine` is derived from Participant.
template <class Mine, class Decide>
Error decide_together(Communicator &comm, Collective collective, Mine &mine,
                      Decide decide) MAY_SUSPEND {
    Visit visit(comm, Announcement::make(collective), &mine);
    visit.pass_with([&] {
        std::vector<Mine *> all(static_cast<size_t>(member_count(comm)));
        SharedError error;
        for (size_t i = 0; i < all.size(); ++i) {
            all[i] = const_cast<Mine *>(&visit.argument<Mine>(static_cast<int>(i)));
            if (!error && all[i]->error)
                error = all[i]->error;
        }
        if (!error)
            error.take(decide(static_cast<const std::vector<Mine *> &>(all)));
        for (Mine *each : all)
            if (!each->error)
                each->error = error;
    });
    if (Error error = visit.verdict())
        return error;
    return mine.error.raise();
}

} // namespace thrum
