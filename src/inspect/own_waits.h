// What the ranks of this process wait for, for the watch over several processes (partial_watch.h):
// when it changes, and again on request.
#pragma once
#include "inspect/process_waits.h"
#include "inspect/wait_reader.h"

#include <cstdint>
#include <string>
#include <vector>

namespace thrum {

// Used by one thread, which is not a task.
class OwnWaits {
public:
    // Reads what ranks wait for that have stayed in the same wait since the last look. Returns
    // whether that differs from the last reading; then there is a new one.
    bool look();

    // What the last look has seen.
    const ProcessView &view() const { return last_; }

    // The number of the last reading, and the reading as a text.
    uint32_t number() const { return number_; }

    const std::string &text() const { return text_; }

    // Reads again: of ranks that have been in the same wait since the last reading. Returns the
    // reading as a text.
    std::string read_again() const;

    // Makes the next look find a new reading.
    void forget();

private:
    // What a reading says for this process alone.
    struct Details {
        std::vector<std::vector<Witness>> witnesses;
        bool others_may_act = false; // timers, or threads that are no ranks'
    };

    ProcessWaits read(const ProcessView &before, const ProcessView &now, Details &details) const;

    ProcessView last_;         // at the last look
    bool is_examined_ = false; // nothing moved between the last two looks, and that was read
    // Of the last reading.
    uint32_t number_ = 0;
    ProcessView read_at_;
    std::vector<std::vector<Witness>> witnesses_;
    std::string said_; // all but the numbers of messages
    std::string text_;
};

} // namespace thrum
