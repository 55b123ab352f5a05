// The line that shows, on a terminal, how many of the runs are done. It is rewritten, and
// gone at the end.
#pragma once
#include <string>

namespace mpiexec {

class Progress {
public:
    // Shows nothing unless standard error is a terminal.
    explicit Progress(bool is_quiet);

    ~Progress() { clear(); }

    bool is_shown() const { return is_shown_; }

    // Shows a text in place of the last one, but not more often than ten times a second.
    void show(const std::string &text);
    // Removes the line, before something else is printed.
    void clear();

private:
    bool is_shown_;
    bool is_there_ = false;
    double last_s_ = 0;
};

// Returns a number as people write it: 1,000.
std::string with_commas(long number);

} // namespace mpiexec
