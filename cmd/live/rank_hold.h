// Holds the ranks of an observed job at their next MPI calls, and lets them make one call after the
// other (src/inspect/held_ranks.h): it writes into the observations of the processes.
#pragma once
#include "job_with_observations.h"
#include "view.h"

#include <string>

namespace live {

class RankHold {
public:
    explicit RankHold(JobWithObservations &job) : job_(job) {}

    // Lets the ranks go on.
    ~RankHold();
    RankHold(const RankHold &) = delete;
    RankHold &operator=(const RankHold &) = delete;

    // Hold the ranks, also those that begin later, and let them go on. While they are held, renew()
    // must be called every second. Throws std::runtime_error if they cannot be held.
    void hold();
    void go_on();
    void renew();

    bool is_held() const { return is_held_; }

    // Lets a rank make the call at which it is held; no_peer: the next one in the order of ranks
    // that is held. Returns a sentence about what has happened.
    std::string step(int rank);
    // Makes steps until a message has been sent or received.
    std::string step_message();

    // Returns what is in the queues of the ranks. Throws std::runtime_error if a process does not
    // answer.
    Queues queues();

private:
    std::string request_file() const;

    struct Step {
        enum class Progress { None, Call, Message };
        Progress progress;
        std::string text;
    };

    Step make_step(int rank);
    View await_held();
    int next_held(const View &view) const;
    uint64_t count_messages() const;

    JobWithObservations &job_;
    bool is_held_ = false;
    int last_step_ = -1; // the rank that has made the last one
};

} // namespace live
