// A job that is watched while it runs.
#pragma once
#include "view.h"

#include <string>

namespace live {

class WatchedJob {
public:
    virtual ~WatchedJob() = default;

    // Returns what the ranks do now. Without ranks: no process has begun yet. Throws
    // std::runtime_error if a process may not be looked at.
    virtual View look() = 0;

    // Returns whether the processes with ranks have all ended. mpiexec may start others: a script
    // may run several programs, one after the other.
    virtual bool has_ended() const = 0;
};

// Returns how a job has ended, as far as its ranks tell it.
std::string ending_of(const View &view);

// Returns PREFIX/libexec/thrum/symbolize for PREFIX/libexec/thrum/top.
std::string find_symbolizer();

} // namespace live
