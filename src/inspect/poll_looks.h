// Looks at what the ranks of this process do, for the watch over ranks that poll in vain
// (poll_watch.h).
#pragma once
#include "inspect/poll_watch.h"
#include "inspect/wait_reader.h"

namespace thrum {

// How many ranks poll, and how many wait.
struct Polling {
    int polling = 0, waiting = 0;
    bool operator==(const Polling &) const = default;
};

// Used by one thread, which is not a task.
class PollLooks {
public:
    // Looks once more. Returns whether nobody here has made progress for long.
    bool look(const ProcessView &now);

    // What the ranks did at the last look. A rank that polls may have been missed by it.
    const Polling &polling() const { return polling_; }

    bool some_poll() const { return watch_.some_poll(); }

private:
    PollWatch watch_;
    std::vector<uint32_t> progress_; // at the last look
    Polling polling_;
};

} // namespace thrum
