// Finds a job in which nobody makes progress although ranks are busy: all of them poll in vain
// (MPI_Test, MPI_Iprobe and similar calls) or wait. A rank may stop polling by itself, or poll for
// something outside MPI as well, so this is worth a note, once, but no error.
#pragma once
#include "inspect/wait_reader.h"

#include <cstdint>
#include <vector>

namespace thrum {

// The functions by which ranks poll.
bool is_polling_function(const char *name);

// What is seen of the ranks in a number of looks. One object per process.
class PollWatch {
public:
    // The kinds of what a rank is seen to do.
    enum class Seen : uint8_t { Ended, Waits, Polls, Other };

    // Adds a look at `now_ns`: `progress` and `seen` by rank. Returns whether nobody has made
    // progress for long.
    bool add(int64_t now_ns, const std::vector<uint32_t> &progress, const std::vector<Seen> &seen);

    // Returns whether some have polled since then.
    bool some_poll() const;

    // Begins anew: something else may let ranks go on.
    void forget() { looks_ = 0; }

    static constexpr int64_t patience_ns = 10'000'000'000;
    static constexpr int looks_min = 8;

private:
    std::vector<uint32_t> progress_;
    std::vector<int> misses_; // looks in which a rank was seen to do something else
    std::vector<bool> polls_;
    int looks_ = 0;
    int64_t since_ns_ = 0;
};

} // namespace thrum
